import fc from 'fast-check';
import type { Schema } from '../../contracts/dialect.ts';
import type { Json } from '../../contracts/json.ts';
import { put } from '../../contracts/pointer.ts';
import { present } from '../../contracts/present.ts';
import { arbitraryIn } from './arbitrary.ts';
import { everythingDeclared } from './capabilities.fixture.ts';
import { mutationsOf } from './mutants.ts';
import { nodeOf } from './node.ts';

/** The values of a node of which nothing is stated. */
const anything: Schema = { annotation: { examples: ['anything', 0, 1.5, true, [], [1, 'two'], {}, { nested: {} }] } };

/**
 * Returns a schema with the same valid values, of which everything can be sent: it names nothing, needs nothing beside
 * it, and is not left to another check.
 */
export function sendable(schema: Schema): Schema {
  const { annotation: { examples, formatHint, furtherExamples } = {}, ...rest } = schema;
  const within = (members: Readonly<Record<string, Schema>>) =>
    Object.fromEntries(Object.entries(members).map(([name, member]) => [name, sendable(member)]));
  const made = {
    ...rest,
    annotation: { ...present({ examples, furtherExamples, formatHint }) },
    ...present({
      items: rest.items && sendable(rest.items),
      properties: rest.properties && within(rest.properties),
      anyOf: rest.anyOf?.map(sendable),
      additionalProperties:
        typeof rest.additionalProperties === 'object' ? sendable(rest.additionalProperties) : rest.additionalProperties,
      allOf: rest.allOf?.map(one => ({
        ...one,
        then: { ...one.then, ...present({ properties: one.then.properties && within(one.then.properties) }) },
      })),
    }),
  } as Schema;
  const { kind } = nodeOf(made);
  if (kind === 'array' && made.items === undefined && examples === undefined)
    return { ...made, items: anything } as Schema;
  return kind === 'any' && examples === undefined ? ({ ...made, ...anything } as Schema) : made;
}

/** Draws valid values of a schema, whatever it says of targets. */
export function arbitraryOf(schema: Schema): fc.Arbitrary<Json> {
  const arbitrary = arbitraryIn(sendable(schema), { capabilities: everythingDeclared });
  if (arbitrary === undefined) throw new Error('no value of the schema can be sent');
  return arbitrary;
}

/** Returns the mutations of a valid value, each with the whole value that it makes, invalid at one pointer. */
export const mutantsOf = (schema: Schema, valid: Json) =>
  mutationsOf(schema, valid, 0).map(one => ({ ...one, value: put(valid, one.pointer, one.sent) }));

/** Draws a value of an arbitrary and walks its shrink tree: three branches of each value, four levels, six wide. */
class Walked<T> extends fc.Arbitrary<T[]> {
  private readonly inner: fc.Arbitrary<T>;

  constructor(inner: fc.Arbitrary<T>) {
    super();
    this.inner = inner;
  }

  override generate(random: fc.Random, bias: number | undefined): fc.Value<T[]> {
    let level = [this.inner.generate(random, bias)];
    const seen = level.map(drawn => drawn.value);
    for (let depth = 0; depth < 4; depth++) {
      level = level
        .flatMap(drawn => [...this.inner.shrink(drawn.value, drawn.context).take(3)])
        .filter((_, index) => index % 2 === 0 || index < 6)
        .slice(0, 6);
      seen.push(...level.map(drawn => drawn.value));
    }
    return new fc.Value(seen, undefined);
  }

  override canShrinkWithoutContext(_value: unknown): _value is T[] {
    return false;
  }

  override shrink(): fc.Stream<fc.Value<T[]>> {
    return fc.Stream.nil();
  }
}

/** Returns samples of an arbitrary together with what lies a few levels down their shrink trees. */
export function withShrinks<T>(arbitrary: fc.Arbitrary<T>, seed: number, numRuns: number): T[] {
  return fc.sample(new Walked(arbitrary), { seed, numRuns }).flat();
}
