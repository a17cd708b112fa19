import type { NumberSchema } from '../../contracts/dialect.ts';
import { inRange, isWhole } from './numbers.ts';

/** A number off the ordinary, and what it is in words. */
export type OddNumber = readonly [what: string, value: number];

// biome-ignore format: a table
const integers: readonly OddNumber[] = [
  ['a negative integer',            -7],
  ['an integer of 53 bits',         9_007_199_254_740_991],
  ['an integer beyond 31 bits',     2_147_483_648],
  ['an integer beyond 32 bits',     4_294_967_297],
  ['a negative integer beyond 31 bits', -2_147_483_649],
  ['an integer beyond 16 bits',     65_537],
];

// biome-ignore format: a table
const decimals: readonly OddNumber[] = [
  ['a negative number with many decimals', -1.23456789012345],
  ['a number beyond 31 bits with a fraction', 2_147_483_648.123],
  ['many decimals',                 0.30000000000000004],
  ['a number with a negative exponent', 1.25e-7],
  ['a number with a large exponent', 1.5e21],
  ['a small fraction',              0.0001],
  ['a number with seven digits and five decimals', 1_234_567.12345],
];

/** Returns the `turn`-th odd number that keeps a schema, so that neighbours get others. */
export function oddNumber(schema: NumberSchema, turn: number): OddNumber | undefined {
  const { exclusiveMinimum, minimum, exclusiveMaximum, maximum } = schema;
  const isClosed = (exclusiveMinimum ?? minimum) !== undefined && (exclusiveMaximum ?? maximum) !== undefined;
  const own: readonly OddNumber[] =
    isClosed && !isWhole(schema) ? [['many decimals', between(schema)]] : isWhole(schema) ? integers : decimals;
  const kept = own.filter(([, value]) => inRange(schema, value));
  return kept[turn % kept.length];
}

/**
 * Returns an odd number of a size that people send, for targets that refuse the others: just beyond 15 bits, or near
 * the ordinary number with three decimals, which 32 bits cannot hold. Undefined if it breaks the schema.
 */
export function tameNumber(schema: NumberSchema, ordinary: number): OddNumber | undefined {
  const isShare = ordinary > 0 && ordinary < 1;
  const other = isShare ? Math.ceil(100 * ordinary) / 100 - 0.005 : ordinary + 0.123;
  const tame: OddNumber = isWhole(schema)
    ? ['an integer beyond 15 bits', 32_769]
    : ['three decimals', Number(other.toFixed(3))];
  return inRange(schema, tame[1]) ? tame : undefined;
}

/** Returns a number with many decimals between two bounds. */
function between({ minimum, exclusiveMinimum, maximum, exclusiveMaximum }: NumberSchema): number {
  const low = minimum ?? exclusiveMinimum ?? 0;
  const high = maximum ?? exclusiveMaximum ?? 1;
  return low + (high - low) * 0.123456789012345;
}
