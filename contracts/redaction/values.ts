import type { Schema } from '../dialect.ts';
import { isObject, membersOf } from '../json.ts';
import { memoized } from '../memoized.ts';
import { ours } from '../report/evidence.ts';
import type { Secrets } from './secrets.ts';
import type { Shown } from './shown.ts';

type Redact = (text: string) => string;

/** Removes the secrets from a value; returns the same value if there are none. */
type Walk = (value: unknown, redact: Redact) => unknown;

/** Redacts a text by itself. */
const wholeText: Walk = (value, redact) => (typeof value === 'string' ? redact(value) : everyText(value, redact));

/** Redacts a text as it stands in JSON, in quotes: there it is no whole value of a header, cookie or form. */
function quoted(text: string, redact: Redact): string {
  const before = `"${text}"`;
  const after = redact(before);
  return after === before ? text : after.slice(1, -1);
}

/** Redacts every text and number of a JSON value, and the names of members: each may be a key. */
const everyText: Walk = (value, redact) => {
  if (typeof value === 'string') return quoted(value, redact);
  if (typeof value === 'number') {
    const text = String(value);
    const shown = quoted(text, redact);
    return shown === text ? value : shown;
  }
  if (Array.isArray(value)) return items(value, everyText, redact);
  if (!isObject(value)) return value;
  const before = Object.entries(value);
  const after = before.map(([name, member]) => [quoted(name, redact), everyText(member, redact)] as const);
  const isSame = after.every(([name, member], index) => name === before[index]?.[0] && member === before[index]?.[1]);
  // Use entries, never assignment, so that a member called __proto__ stays a member.
  return isSame ? value : Object.fromEntries(after);
};

function items(list: readonly unknown[], walk: Walk, redact: Redact): readonly unknown[] {
  const after = list.map(item => walk(item, redact));
  return after.every((item, index) => item === list[index]) ? list : after;
}

/** For values that cannot hold a secret. */
const leave: Walk = value => value;

/** Redacts the members of an object that may hold a secret, each by its walk; `others` is for undeclared members. */
function members(properties: Readonly<Record<string, Schema>>, others: Walk): Walk {
  const walks = Object.entries(properties).flatMap(([name, inner]) => {
    const walk = walkOf(inner);
    return walk === leave ? [] : [[name, walk] as const];
  });
  if (walks.length === 0 && others === leave) return leave;
  return (value, redact) => {
    if (!isObject(value)) return everyText(value, redact);
    const rest = others === leave ? [] : Object.keys(value).filter(name => !Object.hasOwn(properties, name));
    const changed = [...walks, ...rest.map(name => [name, others] as const)].flatMap(([name, walk]) => {
      const after = walk(value[name], redact);
      return after === value[name] ? [] : [[name, after] as const];
    });
    return changed.length === 0 ? value : { ...value, ...Object.fromEntries(changed) };
  };
}

/** Redacts events, each by the schema of its name; redacts every text of other alternatives. */
function events(options: readonly Schema[]): Walk {
  const walks = new Map(
    options.flatMap(option => {
      const event = option.properties?.event?.const;
      return event === undefined ? [] : [[event, walkOf(option)] as const];
    }),
  );
  return (value, redact) => (walks.get(membersOf(value).event as string) ?? everyText)(value, redact);
}

/** Returns the walk for the values of a schema. */
const walkOf = memoized((schema: Schema): Walk => {
  const { type, items: inner, properties, additionalProperties: others } = schema;
  if (schema === ours || schema.enum || schema.const !== undefined) return leave;
  if (schema.anyOf) return events(schema.anyOf);
  if (type === 'array' && inner) {
    const walk = walkOf(inner);
    return walk === leave
      ? leave
      : (value, redact) => (Array.isArray(value) ? items(value, walk, redact) : everyText(value, redact));
  }
  if (type === 'object' && properties) return members(properties, leave);
  if (type === 'object' && typeof others === 'object') return members({}, walkOf(others));
  if (type === 'string') return wholeText;
  return type === 'integer' || type === 'number' || type === 'boolean' ? leave : everyText;
});

/**
 * Returns a function that redacts values of a schema: every text except those that are `ours`, such as ids. It returns
 * the same value if nothing had to be removed.
 */
export const redactorOf =
  <T>(schema: Schema) =>
  (value: T, { redact }: Secrets): Shown<T> =>
    walkOf(schema)(value, redact) as Shown<T>;

/** Returns the same for values to be written as a JSON file, where texts stand in quotes. */
export const documentOf =
  <T>(schema: Schema) =>
  (value: T, { redact }: Secrets): Shown<T> =>
    walkOf(schema)(value, text => quoted(text, redact)) as Shown<T>;

/** Redacts a JSON value: every text, and every name of a member. Returns the same value if there are no secrets. */
export const redactedValue = <T>(value: T, { redact }: Secrets): Shown<T> => everyText(value, redact) as Shown<T>;
