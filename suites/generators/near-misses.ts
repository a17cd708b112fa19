import type {
  ArraySchema,
  ConstrainingKeyword,
  NumberSchema,
  Scalar,
  Schema,
  StringSchema,
} from '../../contracts/dialect.ts';
import type { Json } from '../../contracts/json.ts';
import { codePoints } from './characters.ts';
import { nodeOf } from './node.ts';
import { beside } from './numbers.ts';
import { parsePattern } from './pattern.ts';
import { textOfLength } from './texts.ts';

/** A value just outside what one keyword allows. */
export interface NearMiss {
  readonly keyword: ConstrainingKeyword;
  readonly what: string;
  readonly sent: Json;
}

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

/** The neighbours of a closed set: another letter case, a blank within, a character more or less, the next number. */
function setMisses(keyword: 'enum' | 'const', members: readonly Scalar[]): NearMiss[] {
  const misses = new Map<Json, string>();
  for (const member of members) {
    if (typeof member === 'string') {
      misses.set(otherCase(member), 'another letter case');
      const middle = Math.max(1, Math.floor(member.length / 2));
      if (member.length > 1) misses.set(`${member.slice(0, middle)} ${member.slice(middle)}`, 'a blank within');
      if (member.length > 1) misses.set(member.slice(0, -1), 'the last character missing');
      misses.set(`${member}x`, 'one character more');
    } else if (typeof member === 'number') misses.set(member + 1, 'the next number');
    else if (typeof member === 'boolean') misses.set(!member, 'the other boolean');
  }
  if (members.some(member => typeof member === 'string')) misses.set('', 'the empty text');
  return [...misses].flatMap(([sent, what]) =>
    members.includes(sent as Scalar) ? [] : [{ keyword, what: `${JSON.stringify(sent)}: ${what}`, sent }],
  );
}

/** The text in another letter case: of its first letter alone where that changes it, else of all. */
function otherCase(text: string): string {
  const first = text.slice(0, 1);
  const turned = first === first.toLowerCase() ? first.toUpperCase() : first.toLowerCase();
  return turned === first ? text.toUpperCase() : turned + text.slice(1);
}

function textMisses(schema: StringSchema, valid: string): NearMiss[] {
  const { minLength, maxLength, pattern } = schema;
  const misses: NearMiss[] = [];
  if (minLength) {
    const short = textOfLength(schema, minLength - 1);
    misses.push({ keyword: 'minLength', what: `one character below minLength ${minLength}`, sent: short });
    if (short !== '') misses.push({ keyword: 'minLength', what: 'the empty text', sent: '' });
  }
  if (maxLength !== undefined)
    misses.push({
      keyword: 'maxLength',
      what: `one character above maxLength ${maxLength}`,
      sent: textOfLength(schema, maxLength + 1),
    });
  if (pattern === undefined) return misses;
  const { forbidden, nonEmpty } = parsePattern(pattern);
  for (const character of [...forbidden, 'é'])
    misses.push({
      keyword: 'pattern',
      what: `the character ${JSON.stringify(character)}, outside the pattern`,
      sent: withCharacter(schema, valid, character),
    });
  if (nonEmpty && !minLength) misses.push({ keyword: 'pattern', what: 'the empty text', sent: '' });
  return misses;
}

/**
 * A valid text with one character inserted where its length allows it, else with an inner one replaced: never at an end
 * unless the text is too short. The length stays within its bounds.
 */
export function withCharacter(schema: StringSchema, valid: string, character: string, position?: number): string {
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
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const misses = new Map<number, NearMiss>();
  const add = (keyword: ConstrainingKeyword, bound: number, direction: 1 | -1, at: boolean) => {
    const near = beside(bound, direction, whole);
    const far = beside(bound, direction, true);
    const side = direction < 0 ? 'below' : 'above';
    // A fractional bound itself is no near miss of an integer.
    if (at && (!whole || Number.isInteger(bound)))
      misses.set(bound, { keyword, what: `exactly ${bound}, which is excluded`, sent: bound + 0 });
    for (const sent of [near, far]) misses.set(sent, { keyword, what: `${sent}, ${side} ${bound}`, sent });
  };
  if (minimum !== undefined) add('minimum', minimum, -1, false);
  if (maximum !== undefined) add('maximum', maximum, 1, false);
  if (exclusiveMinimum !== undefined) add('exclusiveMinimum', exclusiveMinimum, -1, true);
  if (exclusiveMaximum !== undefined) add('exclusiveMaximum', exclusiveMaximum, 1, true);
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
