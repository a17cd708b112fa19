/**
 * The name and version that reports and `--version` show. Apart from the schemas, so that `--version` loads none of
 * them.
 */
export const tool = { name: 'console-conformance', version: '0.1.0' } as const;
