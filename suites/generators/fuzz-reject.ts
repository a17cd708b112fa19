import fc from 'fast-check';
import type { EnumSchema, NumberSchema, ObjectSchema, Schema, StringSchema } from '../../contracts/dialect.ts';
import type { Json, JsonObject } from '../../contracts/json.ts';
import { at } from '../../contracts/pointer.ts';
import type { TargetCapabilities } from '../protocol/sut.ts';
import { alphabetOf } from './arbitrary-scalars.ts';
import type { Mutation, RejectCase } from './cases.ts';
import { schemaAt } from './context.ts';
import { withCharacter } from './near-misses.ts';
import { nodeOf } from './node.ts';
import { beside, bounds, isWhole } from './numbers.ts';
import { parsePattern } from './pattern.ts';
import { type Control, controlsOf, rejectCaseFrom } from './reject.ts';
import { realisticTexts, textOfLength } from './texts.ts';

/**
 * Draws random requests that break one rule in one place. The controls are those of the enumeration, so that a target
 * has accepted them before. The mutation is an enumerated one, or a random value further off, which shrinks to the
 * nearest.
 * @throws if the schema states nothing that a request could break.
 */
export function rejectArbitrary(
  schema: ObjectSchema,
  template: JsonObject,
  capabilities: TargetCapabilities,
): fc.Arbitrary<RejectCase> {
  const { controls } = controlsOf(schema, template, capabilities);
  const choices = controls.map(control => ({
    arbitrary: mutationArbitrary(schema, control).map(mutation => rejectCaseFrom(control.body, mutation)),
    // Controls with stated constraints to break come up more often than those with only a type to break.
    weight: control.mutations.some(({ level }) => level === 'MUST') ? 3 : 1,
  }));
  if (choices.length === 0) throw new Error('the schema states nothing that a request could break');
  return fc.oneof(...choices);
}

function mutationArbitrary(schema: ObjectSchema, { body, mutations }: Control): fc.Arbitrary<Mutation> {
  const firm = mutations.filter(({ level }) => level === 'MUST');
  const soft = mutations.filter(({ level }) => level === 'SHOULD');
  const choices: fc.WeightedArbitrary<Mutation>[] = [];
  if (firm.length > 0) choices.push({ arbitrary: fc.constantFrom(...firm), weight: 3 });
  if (soft.length > 0) choices.push({ arbitrary: fc.constantFrom(...soft), weight: 1 });
  // Only where the enumeration breaks a stated rule of the node itself: conditions and guarded fields are left to it.
  const pointers = firm.filter(one => one.sent !== undefined && one.keyword !== 'allOf').map(one => one.pointer);
  for (const pointer of new Set(pointers)) {
    const node = at(body, pointer) === undefined ? undefined : schemaAt(schema, body, pointer);
    if (node === undefined) continue;
    for (const arbitrary of mutationArbitraries(node, pointer)) choices.push({ arbitrary, weight: 2 });
  }
  return fc.oneof(...choices);
}

/** A broken value, the keyword that it breaks, and how, in words. */
type Broken = readonly [keyword: Mutation['keyword'], what: string, sent: Json];

/**
 * Returns random mutations by a node's own constraints, one arbitrary for each: like the near misses, but further away,
 * and shrinking to them. Every value of every shrink breaks the schema by construction. Unions have none, because
 * another branch may allow what one forbids.
 */
export function mutationArbitraries(schema: Schema, pointer: string): fc.Arbitrary<Mutation>[] {
  return brokenValues(schema).map(arbitrary =>
    arbitrary.map(([keyword, what, sent]): Mutation => ({ pointer, keyword, level: 'MUST', what, sent })),
  );
}

function brokenValues(schema: Schema): fc.Arbitrary<Broken>[] {
  const node = nodeOf(schema);
  switch (node.kind) {
    case 'enum':
      return outsideSet(node.schema);
    case 'string':
      return brokenTexts(node.schema);
    case 'number':
      return outOfBounds(node.schema);
    default:
      return [];
  }
}

function outsideSet({ enum: members }: EnumSchema): fc.Arbitrary<Broken>[] {
  const texts = members.filter(member => typeof member === 'string');
  if (texts.length === 0) return [];
  return [
    fc
      .tuple(fc.constantFrom(...texts), fc.constantFrom('x', '_', '1', ' ', '-'), fc.nat({ max: 30 }))
      .map(([text, character, position]) => {
        const index = Math.min(position + 1, text.length);
        // White space within only: at an end it proves nothing.
        const piece = character === ' ' && index === text.length ? 'x' : character;
        return text.slice(0, index) + piece + text.slice(index);
      })
      .filter(text => !members.includes(text))
      .map(text => ['enum', `${JSON.stringify(text)}, outside the set`, text]),
  ];
}

function brokenTexts(schema: StringSchema): fc.Arbitrary<Broken>[] {
  const { minLength, maxLength, pattern } = schema;
  const found: fc.Arbitrary<Broken>[] = [];
  const ofLength = (keyword: Mutation['keyword'], length: number, side: string): Broken => [
    keyword,
    `${length} characters, ${side}`,
    textOfLength(schema, length),
  ];
  if (minLength)
    found.push(
      fc
        .nat({ max: minLength - 1 })
        .map(short => ofLength('minLength', minLength - 1 - short, `fewer than ${minLength}`)),
    );
  if (maxLength !== undefined)
    found.push(
      fc.integer({ min: 1, max: 200 }).map(over => ofLength('maxLength', maxLength + over, `more than ${maxLength}`)),
    );
  if (pattern === undefined) return found;
  const outside = [...parsePattern(pattern).forbidden, 'é', 'Ω', '東', '🚀'];
  const bases = realisticTexts(schema);
  found.push(
    fc
      .tuple(fc.nat({ max: bases.length - 1 }), fc.nat({ max: outside.length - 1 }), fc.nat({ max: 20 }))
      .map(([base, pick, position]) => {
        const character = outside[pick] ?? 'é';
        const text = withCharacter(schema, bases[base] ?? alphabetOf(schema).join(''), character, position);
        return ['pattern', `the character ${JSON.stringify(character)}, outside the pattern`, text];
      }),
  );
  return found;
}

function outOfBounds(schema: NumberSchema): fc.Arbitrary<Broken>[] {
  return bounds.flatMap(([keyword, direction]) => {
    const bound = schema[keyword];
    if (bound === undefined) return [];
    return [
      fc.nat({ max: 1000 }).map((far): Broken => {
        const sent = far === 0 ? beside(bound, direction, isWhole(schema)) : Math.trunc(bound) + direction * (far + 1);
        return [keyword, `${sent}, beyond ${bound}`, sent + 0];
      }),
    ];
  });
}
