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

/** The exit codes of a comparison of two servers. */
export const exitCodesOfDiff = `
Exit codes:
  0  nothing differs beyond what is allowed
  1  a difference that --fail-on names, or an entry of --allow that nothing needs any more
  2  a mistake in a flag, a file or a filter; both addresses have one backend behind them; a broken recording
  3  incomplete: one of them died, or nothing could be compared
  4  a fault of the suite itself
  130  interrupted`;
