import { isObject } from '../../contracts/json.ts';
import type { FieldError } from '../api/response.ts';
import { type Decorator, moreErrors, onValidBody, rebuilt } from '../decorators/index.ts';
import { combined, type DialectTable, withBody } from './dialect.ts';

/** Services with additional rules for texts, numbers and names, which nothing forbids (section 7 shows no errors). */

/** Yields every value of a body with its dotted path, and every member name. */
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

/** Refuses bodies in which `when` holds for any value. */
const refusesAnywhere = (errorMessage: string, when: (value: unknown, path: string) => boolean): Decorator =>
  moreErrors(({ body }) =>
    [...valuesIn(body)].flatMap(([property, value]): FieldError[] =>
      when(value, property) ? [{ property, errorMessage }] : [],
    ),
  );

const isText = (value: unknown, pattern: RegExp): boolean => typeof value === 'string' && pattern.test(value);

const reserved = ['__proto__', 'constructor', 'prototype'];
const withoutReserved = onValidBody(
  body => rebuilt(body, (value, name) => (reserved.includes(name) ? undefined : value)) as typeof body,
);

/** A field for which the specification itself shows negative numbers. */
const shown = /^defaultRollupWindow$/;

// biome-ignore format: a table
export const textRuleDialects: DialectTable = [
  ['markup-refused',           '2', withBody, 'refuses markup in any text',                            refusesAnywhere('must not hold markup', value => isText(value, /<[a-z/!?]/i)), combined],
  ['controls-refused',         '2', withBody, 'refuses control characters, tabs and line breaks too',  refusesAnywhere('must not hold control characters', value => isText(value, /\p{Cc}/u)), combined],
  ['invisible-refused',        '2', withBody, 'refuses characters that nobody sees',                   refusesAnywhere('must be visible', value => isText(value, /[\p{Cf}\u2028\u2029\u00a0\u3000]/u)), combined],
  ['templates-refused',        '2', withBody, 'refuses double braces and the like in texts',           refusesAnywhere('must not hold a template', value => isText(value, /\{\{|\$\{|<%/)), combined],
  ['long-texts-refused',       '2', withBody, 'refuses texts of more than 1,024 characters (413)',     refusesAnywhere('is too long', value => typeof value === 'string' && value.length > 1_024), combined],
  ['long-lists-refused',       '2', withBody, 'refuses lists of more than a hundred items',            refusesAnywhere('is too long', value => Array.isArray(value) && value.length > 100), combined],
  ['negative-numbers-refused', '2', withBody, 'refuses negative numbers but for those that are shown', refusesAnywhere('must not be negative', (value, path) => typeof value === 'number' && value < 0 && !shown.test(path)), combined],
  ['extreme-numbers-refused',  '2', withBody, 'refuses numbers beyond 32 bits',                        refusesAnywhere('is out of range', (value, path) => typeof value === 'number' && Math.abs(value) > 2 ** 32 && !/timestamp$/i.test(path)), combined],
  ['zeros-refused',            '2', ['create-prompt-version', 'create-metric'], 'refuses 0 where numbers have no stated range', refusesAnywhere('must be above 0', (value, path) => value === 0 && /^(temperature|\w+_penalty|customRollUpStart)$/.test(path)), combined],
  ['double-blanks-refused',    '2', withBody, 'wants the words of a text one blank apart',             refusesAnywhere('holds a second blank', value => isText(value, /\S {2,}\S/)), combined],
  ['object-names-dropped',     '2', withBody, 'drops members by whose names objects are made',         withoutReserved],
  ['object-names-refused',     '2', withBody, 'refuses members by whose names objects are made',       refusesAnywhere('must not be used', (value, path) => path.endsWith('#name') && reserved.includes(String(value))), combined],
];
