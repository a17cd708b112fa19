/** The exit codes of every command. */
export const exitCodes = `
Exit codes:
  0  conformant
  1  non-conformant (a MUST is broken, or a SHOULD under --strict), or a baseline entry is stale
  2  a mistake in a flag, the config or a filter (nothing was sent), or a file that cannot be written
  3  incomplete (something could not be tested, or less was verified than asked for), or the target could not be reached
  4  a fault of the suite itself
  130  interrupted`;

/** What stands below the flags of `run`. */
export const runExamples = `
Examples:
  conform run                                                  test the embedded reference server
  conform run --base-url http://127.0.0.1:8080 --api-key KEY   what needs no fixtures
  conform run --config conform.config.json                     everything the config names
  conform run --config conform.config.json --only patch-gate   one endpoint
  conform run --config conform.config.json --only '*/rejects'  one check, every endpoint
  conform run --config conform.config.json --only gate.name    the checks that verify one requirement
  conform run --config conform.config.json --time 10m          look for what is rare, ten minutes long
  conform run --config conform.config.json --watch             again after each restart, what failed first
  conform run --failed --bail                                  what failed last, up to the first cause
${exitCodes}`;
