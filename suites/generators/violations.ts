import fc from 'fast-check';
import type { Schema } from '../../contracts/dialect.ts';
import type { Json } from '../../contracts/json.ts';
import { alphabetOf } from './arbitrary-texts.ts';
import type { Break } from './mutants.ts';
import { withCharacter } from './near-misses.ts';
import { nodeOf } from './node.ts';
import { beside } from './numbers.ts';
import { parsePattern } from './pattern.ts';
import { realisticTexts, textOfLength } from './texts.ts';

/**
 * Random violations of a node's own constraints: like the near misses, but further away, and shrinking to them. Every value of every
 * shrink breaks the schema by construction. Unions have none: what one branch forbids another may allow, and the enumeration knows.
 */
export function violationsOf(schema: Schema, pointer: string): fc.Arbitrary<Break>[] {
  const node = nodeOf(schema);
  const broken = (keyword: Break['keyword'], what: string, sent: Json): Break => ({
    pointer,
    keyword,
    level: 'MUST',
    what,
    sent,
  });
  switch (node.kind) {
    case 'enum': {
      const members = node.schema.enum;
      const texts = members.filter(member => typeof member === 'string');
      if (texts.length === 0) return [];
      return [
        fc
          .tuple(fc.constantFrom(...texts), fc.constantFrom('x', '_', '1', ' ', '-'), fc.nat({ max: 30 }))
          .map(([text, character, place]) => {
            const index = Math.min(place + 1, text.length);
            // White space within only: what stands at the ends proves nothing.
            const piece = character === ' ' && index === text.length ? 'x' : character;
            return text.slice(0, index) + piece + text.slice(index);
          })
          .filter(text => !members.includes(text))
          .map(text => broken('enum', `${JSON.stringify(text)}, outside the set`, text)),
      ];
    }
    case 'string': {
      const { minLength, maxLength, pattern } = node.schema;
      const found: fc.Arbitrary<Break>[] = [];
      if (minLength)
        found.push(
          fc.nat({ max: minLength - 1 }).map(short => {
            const text = textOfLength(node.schema, minLength - 1 - short);
            return broken('minLength', `${minLength - 1 - short} characters, fewer than ${minLength}`, text);
          }),
        );
      if (maxLength !== undefined)
        found.push(
          fc.integer({ min: 1, max: 200 }).map(over => {
            const text = textOfLength(node.schema, maxLength + over);
            return broken('maxLength', `${maxLength + over} characters, more than ${maxLength}`, text);
          }),
        );
      if (pattern !== undefined) {
        const { forbidden } = parsePattern(pattern);
        const outside = [...forbidden, 'é', 'Ω', '東', '🚀'];
        const bases = realisticTexts(node.schema);
        found.push(
          fc
            .tuple(fc.nat({ max: bases.length - 1 }), fc.nat({ max: outside.length - 1 }), fc.nat({ max: 20 }))
            .map(([base, pick, place]) => {
              const character = outside[pick] ?? 'é';
              const text = withCharacter(
                node.schema,
                bases[base] ?? alphabetOf(node.schema).join(''),
                character,
                place,
              );
              return broken('pattern', `the character ${JSON.stringify(character)}, outside the pattern`, text);
            }),
        );
      }
      return found;
    }
    case 'number':
    case 'integer': {
      const whole = node.kind === 'integer';
      const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = node.schema;
      const beyond = (keyword: Break['keyword'], bound: number | undefined, direction: 1 | -1) =>
        bound === undefined
          ? []
          : [
              fc.nat({ max: 1000 }).map(far => {
                const start = beside(bound, direction, whole);
                const sent = far === 0 ? start : Math.trunc(bound) + direction * (far + 1);
                return broken(keyword, `${sent}, beyond ${bound}`, sent + 0);
              }),
            ];
      return [
        ...beyond('minimum', minimum, -1),
        ...beyond('maximum', maximum, 1),
        ...beyond('exclusiveMinimum', exclusiveMinimum, -1),
        ...beyond('exclusiveMaximum', exclusiveMaximum, 1),
      ];
    }
    default:
      return [];
  }
}
