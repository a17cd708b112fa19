/** The name and version that reports and `--version` show; apart from the schemas, which `--version` need not load. */
export const tool = { name: 'console-conformance', version: '0.1.0' } as const;
