import type { ArraySchema, NumberSchema, Scalar, Schema, StringSchema } from '../../contracts/dialect.ts';
import type { Json } from '../../contracts/json.ts';
import { namePlaceholder } from '../protocol/created-names.ts';
import type { Mutation } from './cases.ts';
import { codePoints } from './characters.ts';
import { nodeOf } from './node.ts';
import { beside, bounds } from './numbers.ts';
import { parsePattern } from './pattern.ts';
import { textOfLength } from './texts.ts';

/** A value just outside what one keyword allows. */
type NearMiss = Pick<Required<Mutation>, 'keyword' | 'what' | 'sent'> & Pick<Mutation, 'alike'>;

/** The near misses of a node's own stated constraints, without those of its type and of its parts. */
export function nearMisses(schema: Schema, valid: Json): NearMiss[] {
  const node = nodeOf(schema);
  switch (node.kind) {
    case 'enum':
      return setMisses('enum', node.schema.enum);
    case 'const':
      return setMisses('const', [node.schema.const]);
    case 'string':
      return textMisses(node.schema, typeof valid === 'string' ? valid : '');
    case 'number':
    case 'integer':
      return numberMisses(node.schema, node.kind === 'integer');
    case 'array':
      return Array.isArray(valid) ? lengthMisses(node.schema, valid) : [];
    default:
      return [];
  }
}

/** The neighbours of a closed set: other letter cases, a blank within, a character more or less, the next number. */
function setMisses(keyword: 'enum' | 'const', members: readonly Scalar[]): NearMiss[] {
  const misses = new Map<Json, string>();
  const alike = new Set<Json>();
  for (const member of members) {
    if (typeof member === 'string') {
      const cases = otherCases(member).filter(([, sent]) => sent !== member && !misses.has(sent));
      for (const [index, [what, sent]] of cases.entries()) {
        misses.set(sent, what);
        if (index > 0) alike.add(sent);
      }
      const middle = Math.max(1, Math.floor(member.length / 2));
      if (member.length > 1) misses.set(`${member.slice(0, middle)} ${member.slice(middle)}`, 'a blank within');
      if (member.length > 1) misses.set(member.slice(0, -1), 'the last character missing');
      misses.set(`${member}x`, 'one character more');
    } else if (typeof member === 'number') misses.set(member + 1, 'the next number');
    else if (typeof member === 'boolean') misses.set(!member, 'the other boolean');
  }
  if (members.some(member => typeof member === 'string')) misses.set('', 'the empty text');
  return [...misses].flatMap(([sent, what]) =>
    members.includes(sent as Scalar)
      ? []
      : [
          {
            keyword,
            what: `${JSON.stringify(sent)}: ${what}`,
            sent,
            ...(alike.has(sent) ? { alike: true as const } : {}),
          },
        ],
  );
}

/** The text in other letter cases: its first letter turned, all in lower case, all in upper case. */
function otherCases(text: string): readonly (readonly [what: string, sent: string])[] {
  const first = text.slice(0, 1);
  const turned = first === first.toLowerCase() ? first.toUpperCase() : first.toLowerCase();
  return [
    ['the first letter in another case', turned + text.slice(1)],
    ['all in lower case', text.toLowerCase()],
    ['all in upper case', text.toUpperCase()],
  ];
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
  for (const character of [...forbidden, 'é']) {
    const text = withCharacter(schema, valid, character);
    add('pattern', `the character ${JSON.stringify(character)}, outside the pattern`, text);
  }
  if (nonEmpty && !minLength) add('pattern', 'the empty text', '');
  return misses;
}

/**
 * A valid text with one character inserted where its length allows it, else with an inner one replaced: never at an end
 * unless the text is too short. The length stays within its bounds.
 */
export function withCharacter(schema: StringSchema, valid: string, character: string, position?: number): string {
  const mark = valid.indexOf(namePlaceholder);
  if (mark >= 0 && schema.annotation?.creates === true) {
    // Beside the name, so that it stays one: what another run left under it must not be the reason of the refusal.
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

function numberMisses(schema: NumberSchema, whole: boolean): NearMiss[] {
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
