import fc from 'fast-check';

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

/** Samples of an arbitrary together with what lies a few levels down their shrink trees. */
export function withShrinks<T>(arbitrary: fc.Arbitrary<T>, seed: number, numRuns: number): T[] {
  return fc.sample(new Walked(arbitrary), { seed, numRuns }).flat();
}
