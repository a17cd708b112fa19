/** The name and the version that reports and `--version` tell. A test holds them against package.json. */
export const tool = { name: 'console-conformance', version: '0.1.0' } as const;
