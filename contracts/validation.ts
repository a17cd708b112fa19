import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { compile } from './compiler.ts';
import type { Schema } from './dialect.ts';
import { memoized } from './memoized.ts';
import { at, join } from './pointer.ts';
import { precompiled } from './precompiled.ts';

/** One way in which a value breaks its schema. */
export interface Problem {
  /** JSON Pointer of the wrong value, or of the missing or forbidden member. Empty for the root. */
  readonly pointer: string;
  /** The broken keyword. */
  readonly keyword: string;
  /** The condition in words that follow the name: "must have at least 3 characters". */
  readonly message: string;
}

/** A problem that a validator found. */
export interface BrokenKeyword extends Problem {
  /** The value of the keyword in the schema. For a union: the types of its branches, if all have one. */
  readonly limit: unknown;
  /** The condition in words: "at least 3 characters". */
  readonly wanted: string;
}

/** Lists the problems of a value, at most `problemLimit`; none if it is valid. Never changes the value. */
type Validator = (value: unknown) => BrokenKeyword[];

/** Maximum number of problems listed, because a hostile value may have as many as it has bytes. */
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

/** Returns the types of the branches of a union; undefined if one of them has none. */
function branchTypes(branches: unknown): unknown[] | undefined {
  const types = (branches as readonly { type?: unknown }[]).flatMap(({ type }) => type);
  return types.includes(undefined) ? undefined : [...new Set(types)];
}

/** The words before a condition, and a function that describes the condition from the keyword's value. */
type Describe = readonly [before: string, wanted: (value: unknown) => string];

// biome-ignore format: a table
const descriptions: Readonly<Record<string, Describe>> = {
  type:                 ['must be ',    value => typesOf(value).join(' or ')],
  enum:                 ['must be ',    value => `one of ${quoted(value as unknown[])}`],
  const:                ['must be ',    value => JSON.stringify(value)],
  anyOf:                ['must have ',  value => `one of ${counted((value as unknown[]).length, 'shape')}`],
  minLength:            ['must have ',  value => `at least ${counted(Number(value), 'character')}`],
  maxLength:            ['must have ',  value => `at most ${counted(Number(value), 'character')}`],
  pattern:              ['must match ', value => String(value)],
  minimum:              ['must be ',    value => `at least ${value}`],
  maximum:              ['must be ',    value => `at most ${value}`],
  exclusiveMinimum:     ['must be ',    value => `more than ${value}`],
  exclusiveMaximum:     ['must be ',    value => `less than ${value}`],
  minItems:             ['must have ',  value => `at least ${counted(Number(value), 'item')}`],
  maxItems:             ['must have ',  value => `at most ${counted(Number(value), 'item')}`],
  required:             ['is ',         () => 'required'],
  additionalProperties: ['is ',         () => 'not a known field'],
};

/** Returns the value of a reported keyword. The path in the error is a JSON Pointer in a URI fragment. */
const keywordValue = (schema: Schema, { schemaPath }: ErrorObject): unknown =>
  at(schema, decodeURIComponent(schemaPath).slice(1));

function pointerOf({ instancePath, params }: ErrorObject): string {
  const member: string | undefined = params.missingProperty ?? params.additionalProperty;
  return member === undefined ? instancePath : join(instancePath, member);
}

/** Reports a union as one problem rather than one per branch, and a condition by the keywords in its `then`. */
function problemsOf(schema: Schema, errors: readonly ErrorObject[]): BrokenKeyword[] {
  const seen = new Set<string>();
  const problems: BrokenKeyword[] = [];
  for (const error of errors) {
    if (problems.length === problemLimit) break;
    if (error.keyword === 'if' || error.schemaPath.includes('/anyOf/')) continue;
    const pointer = pointerOf(error);
    const key = `${error.keyword} ${pointer}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const value = keywordValue(schema, error);
    const types = error.keyword === 'anyOf' ? branchTypes(value) : undefined;
    const keyword = types ? 'type' : error.keyword;
    const limit = types ?? value;
    const [before, inWords] = descriptions[keyword] ?? ['is ', () => 'not valid'];
    const wanted = inWords(limit);
    problems.push({ pointer, keyword: error.keyword, limit, wanted, message: `${before}${wanted}` });
  }
  return problems;
}

/** Returns the compiled function of a schema: from the build if it has one, otherwise compiled at first use. */
const functionFor = memoized((schema: Schema): ValidateFunction => precompiled(schema) ?? compile(schema));

/** Returns the validator of a schema, always the same for the same node. Compiles nothing before its first use. */
export const validatorFor = memoized(
  (schema: Schema): Validator =>
    value => {
      const validate = functionFor(schema);
      return validate(value) ? [] : problemsOf(schema, validate.errors ?? []);
    },
);

/** True if a value is valid. Faster than `validatorFor`, because it lists no problems. */
export function isValid(schema: Schema, value: unknown): boolean {
  return functionFor(schema)(value) as boolean;
}
