/** A mistake of the caller: a flag, a file, a name. Ends as one line on the standard error and exit code 2. */
export class UsageError extends Error {}
