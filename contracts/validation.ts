import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { compile } from './compiler.ts';
import type { Schema } from './dialect.ts';
import { precompiled } from './precompiled.ts';

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

/** Says in words what a keyword asks for; `asked` is its value in the schema. */
type Describe = (asked: unknown) => string;

const descriptions: Readonly<Record<string, Describe>> = {
  type: asked => `must be ${typesOf(asked).join(' or ')}`,
  enum: asked => `must be one of ${quoted(asked as unknown[])}`,
  const: asked => `must be ${JSON.stringify(asked)}`,
  anyOf: asked => branches(asked),
  minLength: asked => `must have at least ${counted(Number(asked), 'character')}`,
  maxLength: asked => `must have at most ${counted(Number(asked), 'character')}`,
  pattern: asked => `must match ${asked}`,
  minimum: asked => `must be at least ${asked}`,
  maximum: asked => `must be at most ${asked}`,
  exclusiveMinimum: asked => `must be more than ${asked}`,
  exclusiveMaximum: asked => `must be less than ${asked}`,
  minItems: asked => `must have at least ${counted(Number(asked), 'item')}`,
  maxItems: asked => `must have at most ${counted(Number(asked), 'item')}`,
  required: () => 'is required',
  additionalProperties: () => 'is not a known field',
};

/** The value of the keyword that an error speaks of. Its path is a JSON Pointer from the root of the schema, written as a URI fragment. */
function askedBy(schema: Schema, { schemaPath }: ErrorObject): unknown {
  const steps = decodeURIComponent(schemaPath).split('/').slice(1);
  return steps.reduce<unknown>(
    (node, step) => (node as Readonly<Record<string, unknown>>)[step.replaceAll('~1', '/').replaceAll('~0', '~')],
    schema,
  );
}

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
function problemsOf(schema: Schema, errors: readonly ErrorObject[]): Problem[] {
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
    problems.push({
      pointer,
      keyword: error.keyword,
      message: describe ? describe(askedBy(schema, error)) : 'is not valid',
    });
  }
  return problems;
}

const functions = new WeakMap<Schema, ValidateFunction>();

/** The function of a schema: the one that was compiled when the program was built, where there is one; else it is compiled when it is first used. */
function functionFor(schema: Schema): ValidateFunction {
  const known = functions.get(schema);
  if (known !== undefined) return known;
  const made = precompiled(schema) ?? compile(schema);
  functions.set(schema, made);
  return made;
}

const validators = new WeakMap<Schema, Validator>();

/** The validator of a schema, and the same one for the same node ever after. Nothing is compiled before it is used. */
export function validatorFor(schema: Schema): Validator {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  let validate: ValidateFunction | undefined;
  const validator: Validator = value => {
    validate ??= functionFor(schema);
    return validate(value) ? [] : problemsOf(schema, validate.errors ?? []);
  };
  validators.set(schema, validator);
  return validator;
}

/** True of a value that keeps a schema: what `validatorFor` finds no problem in, for whoever need not know which. */
export function isValid(schema: Schema, value: unknown): boolean {
  return functionFor(schema)(value) as boolean;
}
