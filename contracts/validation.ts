import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Schema } from './dialect.ts';

/** One way in which a value breaks its schema. */
export interface Problem {
  /** JSON Pointer of the value at fault; of the member that is missing or too many, where one is. The empty text is the root. */
  readonly pointer: string;
  /** The keyword that is broken. */
  readonly keyword: string;
  /** What the value must be, in words that follow its name: "must have at least 3 characters". */
  readonly message: string;
}

/** Lists every problem of a value, up to `problemLimit`; an empty list means that it is valid. Never changes or coerces the value. */
export type Validator = (value: unknown) => Problem[];

/** How many problems a validator lists at most: a hostile value can have as many as it has bytes. */
export const problemLimit = 100;

const ajv = new Ajv2020({
  allErrors: true,
  strict: true,
  // Each contract is checked against the meta-schema once, in a test; here that would cost a third of the start-up.
  meta: false,
  validateSchema: false,
  code: { optimize: false },
  // A condition requires members that the object beside it defines.
  strictRequired: false,
  verbose: true,
  coerceTypes: false,
  useDefaults: false,
  removeAdditional: false,
  unicodeRegExp: true,
  // A schema of ours has no id; validators are found again by identity, here.
  addUsedSchema: false,
});
ajv.addVocabulary(['meaning']);

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  null: 'null',
  array: 'an array',
  object: 'an object',
};

function typesOf(type: unknown): string[] {
  return (Array.isArray(type) ? type : [type]).map(name => typeNames[String(name)] ?? String(name));
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function quoted(values: readonly unknown[]): string {
  return values.map(value => JSON.stringify(value)).join(', ');
}

function branches(schema: unknown): string {
  const types = (schema as readonly { type?: unknown }[]).map(branch => branch.type);
  return types.includes(undefined)
    ? `must have one of ${counted(types.length, 'shape')}`
    : `must be ${[...new Set(types.flatMap(typesOf))].join(' or ')}`;
}

type Describe = (error: ErrorObject) => string;
const limit: Describe = error => String(error.schema);

const descriptions: Readonly<Record<string, Describe>> = {
  type: error => `must be ${typesOf(error.schema).join(' or ')}`,
  enum: error => `must be one of ${quoted(error.schema as unknown[])}`,
  const: error => `must be ${JSON.stringify(error.schema)}`,
  anyOf: error => branches(error.schema),
  minLength: error => `must have at least ${counted(Number(error.schema), 'character')}`,
  maxLength: error => `must have at most ${counted(Number(error.schema), 'character')}`,
  pattern: error => `must match ${limit(error)}`,
  minimum: error => `must be at least ${limit(error)}`,
  maximum: error => `must be at most ${limit(error)}`,
  exclusiveMinimum: error => `must be more than ${limit(error)}`,
  exclusiveMaximum: error => `must be less than ${limit(error)}`,
  minItems: error => `must have at least ${counted(Number(error.schema), 'item')}`,
  maxItems: error => `must have at most ${counted(Number(error.schema), 'item')}`,
  required: () => 'is required',
  additionalProperties: () => 'is not a known field',
};

function memberOf(error: ErrorObject): string | undefined {
  if (error.keyword === 'required') return error.params.missingProperty;
  if (error.keyword === 'additionalProperties') return error.params.additionalProperty;
  return undefined;
}

function pointerOf(error: ErrorObject): string {
  const member = memberOf(error);
  return member === undefined
    ? error.instancePath
    : `${error.instancePath}/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** What the branches of a union say is said once, by the union; what a condition says, by the keywords under its `then`. */
function problemsOf(errors: readonly ErrorObject[]): Problem[] {
  const seen = new Set<string>();
  const problems: Problem[] = [];
  for (const error of errors) {
    if (problems.length === problemLimit) break;
    if (error.keyword === 'if' || error.schemaPath.includes('/anyOf/')) continue;
    const pointer = pointerOf(error);
    const key = `${error.keyword} ${pointer}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const describe = descriptions[error.keyword];
    problems.push({ pointer, keyword: error.keyword, message: describe ? describe(error) : 'is not valid' });
  }
  return problems;
}

const validators = new WeakMap<Schema, Validator>();

/**
 * The validator of a schema: compiled (JSON Schema 2020-12, strict, patterns with the `u` flag) when it is first used, and the same one for the
 * same node ever after.
 */
export function validatorFor(schema: Schema): Validator {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  let compiled: ValidateFunction | undefined;
  const validator: Validator = value => {
    compiled ??= ajv.compile(schema);
    return compiled(value) ? [] : problemsOf(compiled.errors ?? []);
  };
  validators.set(schema, validator);
  return validator;
}
