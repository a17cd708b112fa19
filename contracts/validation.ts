import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { compile } from './compiler.ts';
import type { Schema } from './dialect.ts';
import { at, join } from './pointer.ts';
import { precompiled } from './precompiled.ts';

/** One way in which a value breaks its schema. */
export interface Problem {
  /** JSON Pointer of the wrong value, or of the member that is missing or not allowed. The empty text is the root. */
  readonly pointer: string;
  /** The keyword that is broken. */
  readonly keyword: string;
  /** What the value must be, in words that follow its name: "must have at least 3 characters". */
  readonly message: string;
}

/** Lists the problems of a value, at most `problemLimit`; none where it is valid. Never changes the value. */
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

/** Says in words what a keyword requires, given its value in the schema. */
type Describe = (value: unknown) => string;

const descriptions: Readonly<Record<string, Describe>> = {
  type: value => `must be ${typesOf(value).join(' or ')}`,
  enum: value => `must be one of ${quoted(value as unknown[])}`,
  const: value => `must be ${JSON.stringify(value)}`,
  anyOf: value => branches(value),
  minLength: value => `must have at least ${counted(Number(value), 'character')}`,
  maxLength: value => `must have at most ${counted(Number(value), 'character')}`,
  pattern: value => `must match ${value}`,
  minimum: value => `must be at least ${value}`,
  maximum: value => `must be at most ${value}`,
  exclusiveMinimum: value => `must be more than ${value}`,
  exclusiveMaximum: value => `must be less than ${value}`,
  minItems: value => `must have at least ${counted(Number(value), 'item')}`,
  maxItems: value => `must have at most ${counted(Number(value), 'item')}`,
  required: () => 'is required',
  additionalProperties: () => 'is not a known field',
};

/** The value of the keyword that an error reports, whose path is a JSON Pointer in a URI fragment. */
const keywordValue = (schema: Schema, { schemaPath }: ErrorObject): unknown =>
  at(schema, decodeURIComponent(schemaPath).slice(1));

function memberOf(error: ErrorObject): string | undefined {
  if (error.keyword === 'required') return error.params.missingProperty;
  if (error.keyword === 'additionalProperties') return error.params.additionalProperty;
  return undefined;
}

function pointerOf(error: ErrorObject): string {
  const member = memberOf(error);
  return member === undefined ? error.instancePath : join(error.instancePath, member);
}

/** A union is one problem, not one of each branch; a condition is reported by the keywords under its `then`. */
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
      message: describe ? describe(keywordValue(schema, error)) : 'is not valid',
    });
  }
  return problems;
}

const functions = new WeakMap<Schema, ValidateFunction>();

/** The compiled function of a schema: from the build where it has one, else compiled at its first use. */
function functionFor(schema: Schema): ValidateFunction {
  const known = functions.get(schema);
  if (known !== undefined) return known;
  const made = precompiled(schema) ?? compile(schema);
  functions.set(schema, made);
  return made;
}

const validators = new WeakMap<Schema, Validator>();

/** The validator of a schema, the same one for the same node every time. Nothing is compiled before it is used. */
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

/** True of a value in which `validatorFor` finds no problem; faster, as no problems are listed. */
export function isValid(schema: Schema, value: unknown): boolean {
  return functionFor(schema)(value) as boolean;
}
