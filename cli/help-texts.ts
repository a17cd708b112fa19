/** The exit codes of every command. */
export const exitCodes = `
Exit codes:
  0  conformant
  1  non-conformant (a MUST is broken, or a SHOULD under --strict), or a baseline entry is stale
  2  a mistake in a flag, the config or a filter (nothing was sent), or a file that cannot be written
  3  incomplete (something could not be tested, or less was verified than asked for), or the target could not be reached
  4  a fault of the suite itself
  130  interrupted`;

/** The exit codes of a command that runs another one. */
export const exitCodesWithCommand = exitCodes.replace(
  '\n  130',
  '\n  5  the command of --exec failed, and the traffic is clean, or there was none\n  130',
);
