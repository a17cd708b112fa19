import { createRequire } from 'node:module';
import type { Ajv2020, CodeOptions, ValidateFunction } from 'ajv/dist/2020.js';
import type { Schema } from './dialect.ts';

const require = createRequire(import.meta.url);

/**
 * Creates a compiler of schemas (JSON Schema 2020-12, strict, patterns with the `u` flag), for the build and for runs.
 * Loads the package only when called, because a built program rarely needs it.
 */
export function createCompiler(code: CodeOptions): Ajv2020 {
  const { Ajv2020: Compiler } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const compiler = new Compiler({
    allErrors: true,
    strict: true,
    // A test checks each contract against the meta-schema; here that would take a third of the start-up time.
    meta: false,
    validateSchema: false,
    code,
    // A condition requires members that the object beside it defines.
    strictRequired: false,
    // Messages are our own, made from the schema (`validation.ts`).
    messages: false,
    // Schemas have no id; validators are found by identity.
    addUsedSchema: false,
  });
  compiler.addVocabulary(['annotation']);
  return compiler;
}

let compiler: Ajv2020 | undefined;

/** Compiles a schema. */
export function compile(schema: Schema): ValidateFunction {
  compiler ??= createCompiler({ optimize: false });
  return compiler.compile(schema);
}
