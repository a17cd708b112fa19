import fc from 'fast-check';
import type { Schema } from '../../contracts/dialect.ts';
import type { Json } from '../../contracts/json.ts';
import { put } from '../../contracts/pointer.ts';
import { arbitraryIn } from './arbitrary.ts';
import { mutationsOf } from './mutants.ts';

/** Draws valid values of a schema for no target in particular. */
export function arbitraryOf(schema: Schema): fc.Arbitrary<Json> {
  const arbitrary = arbitraryIn(schema, {});
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
