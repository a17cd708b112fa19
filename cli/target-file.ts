import type { Schema } from '../contracts/dialect.ts';
import { type EndpointId, endpointRow } from '../contracts/endpoints.ts';
import { isObject, membersOf } from '../contracts/json.ts';
import { join, steps } from '../contracts/pointer.ts';
import { type Fixtures, type TargetFile, targetFileSchema } from '../contracts/target.ts';
import { type Problem, validatorFor } from '../contracts/validation.ts';
import { isVariableName, refuse, variable } from './input.ts';
import { readJson } from './input-file.ts';
import { didYouMean } from './suggestion.ts';
import { learnFile } from './writer.ts';

/** Returns the names that a schema allows for the last step of a pointer. */
function namesAt(schema: Schema, pointer: string): readonly string[] {
  let here: Schema | undefined = schema;
  for (const step of steps(pointer).slice(0, -1)) here = /^\d+$/.test(step) ? here?.items : here?.properties?.[step];
  return Object.keys(here?.properties ?? {});
}

/** Maximum number of problems that one message has. */
const mostTold = 8;

/**
 * Refuses a value that breaks the schema printed by `conform schema NAME`. The message has each place with what would be
 * right there, so that one try shows all of them; beyond some, their number.
 */
export function refuseProblems(
  problems: readonly Problem[],
  schema: Schema,
  name: string,
  placeOf: (pointer: string) => string,
): void {
  if (problems.length === 0) return;
  const told = problems.slice(0, mostTold).map(({ pointer, keyword, message }, index) => {
    const known = keyword === 'additionalProperties' ? namesAt(schema, pointer) : [];
    const near = didYouMean(steps(pointer).at(-1) ?? '', known);
    return `${index === 0 ? placeOf(pointer) : pointer || 'the whole'} ${message}${near}`;
  });
  const more = problems.length > told.length ? `; ${problems.length - told.length} more` : '';
  refuse(`${told.join('; ')}${more}; \`npx conform schema ${name}\` prints its schema`);
}

/** Names a place in a file by its JSON Pointer. */
export const placeIn = (file: string) => (pointer: string) => `${file}: ${pointer || 'the whole file'}`;

/**
 * Returns the value of a JSON file, which has to be valid by the schema that `conform schema NAME` prints.
 * Throws a `UsageError` that names the file, the place (a JSON Pointer) and what would be right there.
 */
export function validIn<T>(file: string, value: unknown, schema: Schema, name: string): T {
  refuseProblems(validatorFor(schema)(value), schema, name, placeIn(file));
  return value as T;
}

/** Applies a function to every text in a JSON value; `pointer` is the JSON Pointer of the text. */
function mapTexts(value: unknown, map: (text: string, pointer: string) => string, pointer = ''): unknown {
  if (typeof value === 'string') return map(value, pointer);
  if (Array.isArray(value)) return value.map((item, index) => mapTexts(item, map, join(pointer, index)));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, mapTexts(member, map, join(pointer, key))]),
  );
}

/** Escapes a value for a target file: doubles a dollar sign at the beginning of a text. */
export function escapedDollars(value: unknown): unknown {
  return mapTexts(value, text => (text.startsWith('$') ? `$${text}` : text));
}

/** Refuses an entity that is named twice in one list: a run would write to it as if it were two, at the same time. */
function refuseDoubles(file: string, fixtures: Fixtures = {}): void {
  for (const [kind, entries = []] of Object.entries(fixtures)) {
    for (const member of ['id', 'name'] as const) {
      const places = new Map<string, string>();
      for (const [index, entry] of entries.entries()) {
        const name = typeof entry === 'string' ? entry : membersOf(entry)[member];
        if (typeof name !== 'string') continue;
        const place = join(join('/fixtures', kind), index);
        const first = places.get(name);
        if (first !== undefined)
          refuse(`${file}: ${place} names ${JSON.stringify(name)} again, after ${first}; take one of them out`);
        places.set(name, place);
      }
    }
  }
}

/** Refuses a disposable fixture that `fixtures` does not name: it would never be sent anything. */
function refuseUnknownDisposables(file: string, { disposable = {}, fixtures = {} }: TargetFile): void {
  for (const kind of Object.keys(disposable) as (keyof typeof disposable)[]) {
    const member = kind === 'environments' ? 'name' : 'id';
    const known = (fixtures[kind] ?? []).map(one => String(typeof one === 'string' ? one : membersOf(one)[member]));
    for (const [index, name] of (disposable[kind] ?? []).entries())
      if (!known.includes(name))
        refuse(
          `${file}: ${join(join('/disposable', kind), index)} names ${JSON.stringify(name)}, which fixtures.${kind} does not${didYouMean(name, known)}`,
        );
  }
}

/** Refuses a field under `requires` that the operation does not have: it would never be sent. */
function refuseUnknownDemands(file: string, requires: NonNullable<TargetFile['requires']> = {}): void {
  for (const [operation, fields = []] of Object.entries(requires)) {
    const known = Object.keys(endpointRow(operation as EndpointId).body?.properties ?? {});
    for (const [index, field] of fields.entries())
      if (!known.includes(field))
        refuse(
          `${file}: ${join(join('/requires', operation), index)} names ${JSON.stringify(field)}, which ${operation} does not take${didYouMean(field, known)}`,
        );
  }
}

/**
 * Reads a target file: JSON, valid by its schema; without a file it is empty. A text `$NAME` is replaced from the
 * environment; `$$` at the beginning of a text is one dollar sign.
 *
 * `unread` returns the texts (JSON Pointers) that flags override. They stay unchanged, so that no needless variable is
 * asked for.
 *
 * Throws a `UsageError` that names the file, the place (a JSON Pointer) and what would be right there.
 */
export function readTargetFile(
  file: string | undefined,
  unread: (file: TargetFile) => readonly string[] = () => [],
): TargetFile {
  if (file === undefined) return {};
  const given = readJson(file, 'config');
  // The name of a variable is no secret: reproductions read the key from it.
  learnFile(mapTexts(given, written => (written.startsWith('$') && isVariableName(written.slice(1)) ? '' : written)));
  const value = validIn<TargetFile>(file, given, targetFileSchema, 'target-file');
  const left = new Set(unread(value));
  const read = mapTexts(value, (written, pointer) => {
    if (left.has(pointer)) return written;
    if (written.startsWith('$$')) return written.slice(1);
    const name = /^\$([A-Za-z_][A-Za-z0-9_]*)$/.exec(written)?.[1];
    return name === undefined ? written : variable(name, `${file}: ${pointer}`);
  }) as TargetFile;
  learnFile(read);
  refuseDoubles(file, read.fixtures);
  refuseUnknownDisposables(file, read);
  refuseUnknownDemands(file, read.requires);
  return read;
}
