/**
 * The name and version that reports and `--version` show; in a file of its own, so that `--version` loads no schemas.
 */
export const tool = { name: 'console-conformance', version: '0.1.0' } as const;
