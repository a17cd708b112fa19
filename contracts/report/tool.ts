/** The name and version that reports and `--version` show; apart from the schemas, so that `--version` loads none. */
export const tool = { name: 'console-conformance', version: '0.1.0' } as const;
