import type { ArraySchema, NumberSchema, Scalar, Schema, StringSchema } from '../../contracts/dialect.ts';
import type { Json } from '../../contracts/json.ts';
import { namePlaceholder } from '../protocol/created-names.ts';
import type { Mutation } from './cases.ts';
import { codePoints } from './characters.ts';
import { nodeOf } from './node.ts';
import { beside, bounds, isWhole } from './numbers.ts';
import { parsePattern } from './pattern.ts';
import { textOfLength } from './texts.ts';

/** A value just outside what one keyword allows. */
type NearMiss = Pick<Required<Mutation>, 'keyword' | 'what' | 'sent'> & Pick<Mutation, 'alike' | 'share'>;

/** Returns the near misses of a node's own stated constraints, without those of its type and of its parts. */
export function nearMisses(schema: Schema, valid: Json): NearMiss[] {
  const node = nodeOf(schema);
  switch (node.kind) {
    case 'enum':
      return setMisses('enum', node.schema.enum, schema.annotation?.shownOnly);
    case 'const':
      return setMisses('const', [node.schema.const]);
    case 'string':
      return textMisses(node.schema, typeof valid === 'string' ? valid : '');
    case 'number':
      return numberMisses(node.schema);
    case 'array':
      return Array.isArray(valid) ? lengthMisses(node.schema, valid) : [];
    default:
      return [];
  }
}

/** Number of members of a closed set whose neighbours every run sends; those of the others are sent in turn. */
const coreMembers = 1;

/**
 * Returns the neighbours of a closed set: other letter cases, other spellings, a character more or less, a number more.
 */
function setMisses(keyword: 'enum' | 'const', members: readonly Scalar[], shown: readonly unknown[] = []): NearMiss[] {
  const misses = new Map<Json, NearMiss>();
  const add = (sent: Json, what: string, more: Pick<NearMiss, 'alike' | 'share'> = {}): void => {
    if (!members.includes(sent as Scalar) && !misses.has(sent))
      misses.set(sent, { keyword, what: `${JSON.stringify(sent)}: ${what}`, sent, ...more });
  };
  for (const [index, member] of members.entries()) {
    if (typeof member === 'string') {
      const share = index < coreMembers ? {} : { share: index };
      for (const [place, [what, sent]] of otherCases(member).entries())
        add(sent, what, place > 0 ? { alike: true, ...share } : share);
      const middle = Math.max(1, Math.floor(member.length / 2));
      if (isNumeral(member)) add(`${member}.0`, 'the same number, written another way', share);
      else if (member.length > 1) add(`${member.slice(0, middle)} ${member.slice(middle)}`, 'a blank within', share);
      if (member.length > 1) add(member.slice(0, -1), 'the last character missing', share);
      add(`${member}x`, 'one character more', share);
      for (const sent of otherSpellings(member)) add(sent, 'written another way', { alike: true, share: index });
    } else if (typeof member === 'number') add(member + 1, 'the next number');
    else if (typeof member === 'boolean') add(!member, 'the other boolean');
  }
  if (members.some(member => typeof member === 'string')) add('', 'the empty text');
  for (const [share, sent] of numeralsBeside(members).entries())
    add(sent, 'a numeral that a range would hold', share > 0 ? { share } : {});
  for (const value of shown) add(value as Json, 'which only answers have');
  return [...misses.values()];
}

const isNumeral = (text: string): boolean => /^\d+$/.test(text);

/** Returns a numeral between each two of a set that are apart, and the one after the last. */
function numeralsBeside(members: readonly Scalar[]): readonly string[] {
  const numbers = members.filter(member => typeof member === 'string' && isNumeral(member)).map(Number);
  const sorted = numbers.sort((a, b) => a - b);
  return sorted.flatMap((one, index) => {
    const next = sorted[index + 1] ?? one + 2;
    return next - one > 1 ? [String(Math.floor((one + next) / 2))] : [];
  });
}

/**
 * Returns a name of several words in the other ways to write it: `strictOneToOne`, `strict_one_to_one`,
 * `strict-one-to-one`.
 */
function otherSpellings(text: string): readonly string[] {
  const words = text
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_');
  if (words.length < 2) return [];
  const camel = words.map((word, index) => (index === 0 ? word : word.slice(0, 1).toUpperCase() + word.slice(1)));
  return [words.join('_'), camel.join(''), words.join('-')].filter(other => other !== text);
}

/** Returns the text in other letter cases: its first letter turned, all in lower case, all in upper case. */
function otherCases(text: string): readonly (readonly [what: string, sent: string])[] {
  const first = text.slice(0, 1);
  const turned = first === first.toLowerCase() ? first.toUpperCase() : first.toLowerCase();
  return [
    ['the first letter in another case', turned + text.slice(1)],
    ['all in lower case', text.toLowerCase()],
    ['all in upper case', text.toUpperCase()],
  ];
}

/** The place of a character in a text. */
type Place = 'first' | 'inside' | 'last';

const places: readonly Place[] = ['inside', 'first', 'last'];

/** Number of characters before one that is far from the beginning. */
const farPlace = 104;

/** Characters beyond ASCII, and controls, that tests by letter case, by kind of character or by line let through. */
// biome-ignore format: a table
const beyondAscii: readonly (readonly [character: string, what: string, isCore: boolean])[] = [
  ['é',      '"é"',                          true],
  ['\n',     'of a line break',              true],
  ['\u212a', 'K of the kelvin',              true],
  ['\uff21', 'A of full width',              true],
  ['\u200b', 'of no width',                  true],
  ['\u017f', 'of the long s',                false],
  ['\uff11', '1 of full width',              false],
  ['\u0661', '1 of the Arabic digits',       false],
  ['\t',     'of a tab',                     false],
  ['\u00a0', 'of a blank that does not break', false],
  ['\u0130', 'I with a dot',                 false],
  ['\u0430', 'a of the Cyrillic letters',    false],
  ['\u{1f680}', 'of an emoji',               false],
  ['\u0301', 'of a combining mark',          false],
  ['\u2028', 'of a separator of lines',      false],
  ['\u0007', 'of a control',                 false],
];

/** Puts a character at a place of a valid text, within its bounds; the placeholder of a new name stays intact. */
function withCharacterAt(schema: StringSchema, valid: string, character: string, place: Place): string {
  if (place === 'inside' || codePoints(valid) < 3) return withCharacter(schema, valid, character);
  const room = codePoints(valid) < (schema.maxLength ?? Number.POSITIVE_INFINITY);
  if (!room && valid.includes(namePlaceholder)) return withCharacter(schema, valid, character);
  const points = [...valid];
  if (place === 'first') return [character, ...(room ? points : points.slice(1))].join('');
  return [...(room ? points : points.slice(0, -1)), character].join('');
}

function textMisses(schema: StringSchema, valid: string): NearMiss[] {
  const { minLength, maxLength, pattern } = schema;
  const misses: NearMiss[] = [];
  const add = (keyword: NearMiss['keyword'], what: string, sent: string) => void misses.push({ keyword, what, sent });
  if (minLength) {
    const short = textOfLength(schema, minLength - 1);
    add('minLength', `one character below minLength ${minLength}`, short);
    if (short !== '') add('minLength', 'the empty text', '');
  }
  if (maxLength !== undefined)
    add('maxLength', `one character above maxLength ${maxLength}`, textOfLength(schema, maxLength + 1));
  if (pattern === undefined) return misses;
  const { forbidden, nonEmpty } = parsePattern(pattern);
  const miss = (character: string, what: string, place: Place, more: Pick<NearMiss, 'share'> = {}) => {
    const sent = withCharacterAt(schema, valid, character, place);
    misses.push({ keyword: 'pattern', what: `the character ${what}, outside the pattern`, sent, ...more });
  };
  for (const [index, character] of forbidden.entries())
    miss(
      character,
      JSON.stringify(character),
      character === ' ' ? 'inside' : (places[index % places.length] ?? 'inside'),
    );
  const beyond = beyondAscii.filter(([character]) => !new RegExp(pattern, 'u').test(character));
  for (const [index, [character, what, isCore]] of beyond.entries())
    miss(character, what, 'inside', isCore ? {} : { share: index });
  const [solid] = forbidden.filter(character => character !== ' ');
  const far = textOfLength(schema, Math.min(maxLength ?? farPlace + 10, farPlace + 10));
  if (solid !== undefined && codePoints(far) > farPlace - 5) {
    const sent = [...far].with(Math.min(farPlace, codePoints(far) - 1), solid).join('');
    add('pattern', `the character ${JSON.stringify(solid)} after a hundred others, outside the pattern`, sent);
  }
  if (nonEmpty && !minLength) add('pattern', 'the empty text', '');
  return misses;
}

/**
 * Inserts one character into a valid text if its length allows it, else replaces an inner one: never an end unless the
 * text is too short. The length stays within its bounds.
 */
export function withCharacter(schema: StringSchema, valid: string, character: string, position?: number): string {
  const mark = valid.indexOf(namePlaceholder);
  if (mark >= 0 && schema.annotation?.creates === true) {
    // Insert beside the name, so that it stays unique: otherwise a leftover of another run could cause the refusal.
    const end = mark + namePlaceholder.length;
    const rest = valid.slice(end);
    return `${valid.slice(0, end)}${character}${codePoints(valid) < (schema.maxLength ?? 1000) ? rest || 'x' : rest.slice(1)}`;
  }
  const characters = [...valid];
  const inside = characters.length - 2;
  if (inside >= 0 && codePoints(valid) < (schema.maxLength ?? Number.POSITIVE_INFINITY)) {
    const index = 1 + ((position ?? Math.floor(characters.length / 2) - 1) % (characters.length - 1));
    characters.splice(index, 0, character);
    return characters.join('');
  }
  if (inside >= 1) {
    characters[1 + ((position ?? 0) % inside)] = character;
    return characters.join('');
  }
  const room = schema.maxLength ?? 3;
  return room >= 3 && schema.maxLength !== undefined
    ? withCharacter(schema, textOfLength(schema, 3), character, position)
    : character;
}

function numberMisses(schema: NumberSchema): NearMiss[] {
  const whole = isWhole(schema);
  const misses = new Map<number, NearMiss>();
  for (const [keyword, direction] of bounds) {
    const bound = schema[keyword];
    if (bound === undefined) continue;
    // A fractional bound itself is no near miss of an integer.
    if (keyword.startsWith('exclusive') && (!whole || Number.isInteger(bound)))
      misses.set(bound, { keyword, what: `exactly ${bound}, which is excluded`, sent: bound + 0 });
    for (const sent of [beside(bound, direction, whole), beside(bound, direction, true)])
      misses.set(sent, { keyword, what: `${sent}, ${direction < 0 ? 'below' : 'above'} ${bound}`, sent });
  }
  return [...misses.values()];
}

function lengthMisses(schema: ArraySchema, valid: readonly Json[]): NearMiss[] {
  const { minItems, maxItems } = schema;
  const misses: NearMiss[] = [];
  const sized = (length: number) => Array.from({ length }, (_, index) => valid[index % valid.length] ?? null);
  if (minItems)
    misses.push({ keyword: 'minItems', what: `one item below minItems ${minItems}`, sent: sized(minItems - 1) });
  if (maxItems !== undefined && (valid.length > 0 || schema.items === undefined))
    misses.push({ keyword: 'maxItems', what: `one item above maxItems ${maxItems}`, sent: sized(maxItems + 1) });
  return misses;
}
