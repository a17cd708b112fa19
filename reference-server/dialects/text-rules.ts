import { isObject } from '../../contracts/json.ts';
import type { FieldError } from '../api/response.ts';
import type { Decorator } from '../decorators/layers.ts';
import { onValidBody } from '../decorators/operations.ts';
import { moreErrors } from '../decorators/validation.ts';
import { type Dialect, withBody } from './dialect.ts';

/** Services with rules of their own for texts, numbers and lists, which nothing forbids them (section 7 shows no errors). */

/** Calls with every value of a body, and its path in dots. */
function* valuesIn(value: unknown, path = ''): Generator<readonly [path: string, value: unknown]> {
  yield [path, value];
  const at = (step: string | number): string => (path === '' ? `${step}` : `${path}.${step}`);
  if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* valuesIn(item, at(index));
  else if (isObject(value))
    for (const [name, member] of Object.entries(value)) {
      yield [`${path}#name`, name];
      yield* valuesIn(member, at(name));
    }
}

/** Refuses bodies with a value of which this is true, wherever it stands. */
const refusesAnywhere = (errorMessage: string, when: (value: unknown, path: string) => boolean): Decorator =>
  moreErrors(({ body }) =>
    [...valuesIn(body)].flatMap(([property, value]): FieldError[] =>
      when(value, property) ? [{ property, errorMessage }] : [],
    ),
  );

const isText = (value: unknown, pattern: RegExp): boolean => typeof value === 'string' && pattern.test(value);

const reserved = ['__proto__', 'constructor', 'prototype'];
const withoutReserved = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutReserved);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !reserved.includes(name));
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutReserved(member)]));
};

/** Negative numbers that the specification itself shows. */
const shown = /^defaultRollupWindow$/;

// biome-ignore format: a table
export const textRuleDialects: readonly Dialect[] = [
  { id: 'markup-refused',            section: '2', title: 'refuses markup in any text',                          endpoints: withBody, mayWarn: ['accept.combination'], decorator: refusesAnywhere('must not hold markup', value => isText(value, /<[a-z/!?]/i)) },
  { id: 'controls-refused',          section: '2', title: 'refuses control characters, tabs and line breaks too', endpoints: withBody, mayWarn: ['accept.combination'], decorator: refusesAnywhere('must not hold control characters', value => isText(value, /\p{Cc}/u)) },
  { id: 'invisible-refused',         section: '2', title: 'refuses characters that nobody sees',                 endpoints: withBody, mayWarn: ['accept.combination'], decorator: refusesAnywhere('must be visible', value => isText(value, /[\p{Cf}\u2028\u2029\u00a0\u3000]/u)) },
  { id: 'templates-refused',         section: '2', title: 'refuses double braces and the like in texts',         endpoints: withBody, mayWarn: ['accept.combination'], decorator: refusesAnywhere('must not hold a template', value => isText(value, /\{\{|\$\{|<%/)) },
  { id: 'long-texts-refused',        section: '2', title: 'refuses texts of more than 1,024 characters (413)',   endpoints: withBody, mayWarn: ['accept.combination'], decorator: refusesAnywhere('is too long', value => typeof value === 'string' && value.length > 1_024) },
  { id: 'long-lists-refused',        section: '2', title: 'refuses lists of more than a hundred items',          endpoints: withBody, mayWarn: ['accept.combination'], decorator: refusesAnywhere('is too long', value => Array.isArray(value) && value.length > 100) },
  { id: 'negative-numbers-refused',  section: '2', title: 'refuses negative numbers but for those that are shown', endpoints: withBody, mayWarn: ['accept.combination'], decorator: refusesAnywhere('must not be negative', (value, path) => typeof value === 'number' && value < 0 && !shown.test(path)) },
  { id: 'extreme-numbers-refused',   section: '2', title: 'refuses numbers beyond 32 bits',                      endpoints: withBody, mayWarn: ['accept.combination'], decorator: refusesAnywhere('is out of range', (value, path) => typeof value === 'number' && Math.abs(value) > 2 ** 32 && !/timestamp$/i.test(path)) },
  { id: 'object-names-dropped',      section: '2', title: 'drops members by whose names objects are made',       endpoints: withBody, decorator: onValidBody(body => withoutReserved(body) as typeof body) },
  { id: 'object-names-refused',      section: '2', title: 'refuses members by whose names objects are made',     endpoints: withBody, mayWarn: ['accept.combination'], decorator: refusesAnywhere('must not be used', (value, path) => path.endsWith('#name') && reserved.includes(String(value))) },
];
