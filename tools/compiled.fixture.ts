import { Ajv2020 } from 'ajv/dist/2020.js';
import { main } from '../cli/program.ts';
import type { Schema } from '../contracts/dialect.ts';
import { fingerprint } from '../contracts/precompiled.ts';

/**
 * The exit codes of commands run in sequence in one process, and the fingerprints of the schemas that they compiled:
 * the last line that the process prints.
 */
export interface Compiled {
  readonly codes: readonly number[];
  readonly compiled: readonly string[];
}

const compiled: string[] = [];
Ajv2020.prototype.compile = new Proxy(Ajv2020.prototype.compile, {
  apply(compile, compiler, given) {
    compiled.push(fingerprint(given[0] as Schema));
    return Reflect.apply(compile, compiler, given);
  },
});

const codes: number[] = [];
for (const argv of JSON.parse(process.argv[2] as string)) codes.push(await main(argv));
console.log(JSON.stringify({ codes, compiled } satisfies Compiled));
