/** The exit codes of every command. */
export const exitCodes = `
Exit codes:
  0  conformant
  1  non-conformant (a MUST is broken, or a SHOULD under --strict), or a baseline entry is stale
  2  a mistake in a flag, the config or a filter (nothing was sent), or a file that cannot be written
  3  incomplete (something could not be tested, or less was verified than asked for), or the target could not be reached
  4  a fault of the suite itself
  130  interrupted`;
