import { createRequire } from 'node:module';
import type { Ajv2020, CodeOptions, ValidateFunction } from 'ajv/dist/2020.js';
import type { Schema } from './dialect.ts';

const require = createRequire(import.meta.url);

/**
 * A compiler of schemas (JSON Schema 2020-12, strict, patterns with the `u` flag). Every validator comes from here, whether the build writes it
 * down or the program makes it as it runs. The package is loaded by this call and no sooner: what is built rarely needs it.
 */
export function createCompiler(code: CodeOptions): Ajv2020 {
  const { Ajv2020: Compiler } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const compiler = new Compiler({
    allErrors: true,
    strict: true,
    // Each contract is checked against the meta-schema once, in a test; here that would cost a third of the start-up.
    meta: false,
    validateSchema: false,
    code,
    // A condition requires members that the object beside it defines.
    strictRequired: false,
    // What a keyword asks for is read from the schema itself, and said in our own words.
    verbose: false,
    messages: false,
    coerceTypes: false,
    useDefaults: false,
    removeAdditional: false,
    unicodeRegExp: true,
    // A schema of ours has no id; validators are found again by identity.
    addUsedSchema: false,
  });
  compiler.addVocabulary(['annotation']);
  return compiler;
}

let compiler: Ajv2020 | undefined;

/** Compiles a schema now. */
export function compile(schema: Schema): ValidateFunction {
  compiler ??= createCompiler({ optimize: false });
  return compiler.compile(schema);
}
