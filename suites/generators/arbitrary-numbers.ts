import fc from 'fast-check';
import type { NumberSchema } from '../../contracts/dialect.ts';
import { exampleNumbers, inRange, limits } from './numbers.ts';

/** How far random numbers go where nothing is stated. */
const reach = 10_000;

/**
 * Numbers of a schema: ordinary ones, both limits, and random ones (decimals as whole thousandths or finer, so that they survive JSON).
 * Random ones shrink towards zero or the limit nearest to it.
 */
export function numberArbitrary(schema: NumberSchema, whole: boolean): fc.Arbitrary<number> {
  const { low, high } = limits(schema, whole);
  const edges = [
    ...new Set([
      ...exampleNumbers(schema, whole),
      ...(low === undefined ? [] : [low]),
      ...(high === undefined ? [] : [high]),
    ]),
  ];
  const fixed = fc.constantFrom(...edges);
  const named = (schema.annotation?.examples ?? []).filter(value => typeof value === 'number');
  // Without stated bounds the ordinary values are the range that makes sense: -1, 1 and 7 need not mean that 3 is.
  if (named.length > 0 && low === undefined && high === undefined) {
    const between = whole ? undefined : decimals(schema, Math.min(...named), Math.max(...named));
    return between === undefined ? fixed : fc.oneof(fixed, between);
  }
  const least = low ?? Math.min((high ?? 0) - reach, 0);
  const most = high ?? Math.max((low ?? 0) + reach, reach);
  const random = whole ? fc.integer({ min: least, max: most }) : decimals(schema, least, most);
  return random === undefined
    ? fixed
    : fc.oneof({ arbitrary: fixed, weight: 2 }, { arbitrary: random.map(value => value + 0), weight: 3 });
}

/** Decimals between two limits on the coarsest grid that has room between them; undefined where none has. */
function decimals(schema: NumberSchema, low: number, high: number): fc.Arbitrary<number> | undefined {
  for (const places of [3, 6, 9]) {
    const scale = 10 ** places;
    const min = Math.ceil(low * scale);
    const max = Math.floor(high * scale);
    if (!Number.isSafeInteger(min) || !Number.isSafeInteger(max) || max - min < 10) continue;
    return fc
      .integer({ min, max })
      .map(value => value / scale)
      .filter(value => inRange(schema, value, false));
  }
  return undefined;
}
