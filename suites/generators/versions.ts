import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const versionIn = ({ version }: { readonly version: string }): string => version;

/** The versions of the packages on which generated values depend. */
export const generatorVersions = () => ({
  'fast-check': versionIn(require('fast-check/package.json')),
  faker: versionIn(require('@faker-js/faker/package.json')),
});
