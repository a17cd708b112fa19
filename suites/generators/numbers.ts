import type { NumberSchema, Schema } from '../../contracts/dialect.ts';
import { compact } from '../../contracts/present.ts';
import { exampleValues } from './node.ts';

/** The keywords that bound a number, and the direction in which the forbidden numbers lie. */
export const bounds = [
  ['minimum', -1],
  ['maximum', 1],
  ['exclusiveMinimum', -1],
  ['exclusiveMaximum', 1],
] as const;

/** True if a schema takes whole numbers only. */
export const isWhole = ({ type }: Schema): boolean => [type].flat()[0] === 'integer';

/** Returns the number of decimals that a number is written with. */
function decimals(value: number): number {
  const text = String(value);
  const exponent = /e-(\d+)$/.exec(text);
  if (exponent) return Number(exponent[1]) + (text.split('e')[0]?.split('.')[1]?.length ?? 0);
  return text.split('.')[1]?.length ?? 0;
}

/**
 * Returns the neighbour of a bound: one step for integers, one more decimal (at least a thousandth) for numbers. Never
 * -0.
 */
export function beside(bound: number, direction: 1 | -1, whole: boolean): number {
  if (whole) return direction > 0 ? Math.floor(bound) + 1 : Math.ceil(bound) - 1;
  const places = Math.min(Math.max(decimals(bound) + 1, 3), 20);
  return Number((bound + direction * 10 ** -places).toFixed(places)) + 0;
}

/**
 * Returns the least and greatest values of the schema, one step inside exclusive bounds; undefined if none is stated.
 */
export function limits(schema: NumberSchema, whole = isWhole(schema)) {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const lows = compact([
    minimum !== undefined && (whole ? Math.ceil(minimum) + 0 : minimum),
    exclusiveMinimum !== undefined && beside(exclusiveMinimum, 1, whole),
  ]);
  const highs = compact([
    maximum !== undefined && (whole ? Math.floor(maximum) + 0 : maximum),
    exclusiveMaximum !== undefined && beside(exclusiveMaximum, -1, whole),
  ]);
  return {
    low: lows.length > 0 ? Math.max(...lows) : undefined,
    high: highs.length > 0 ? Math.min(...highs) : undefined,
  };
}

/** True if a number is within the bounds of the schema, and whole if it must be. */
export function inRange(schema: NumberSchema, value: number, whole = isWhole(schema)): boolean {
  return (
    (!whole || Number.isInteger(value)) &&
    value >= (schema.minimum ?? Number.NEGATIVE_INFINITY) &&
    value <= (schema.maximum ?? Number.POSITIVE_INFINITY) &&
    value > (schema.exclusiveMinimum ?? Number.NEGATIVE_INFINITY) &&
    value < (schema.exclusiveMaximum ?? Number.POSITIVE_INFINITY)
  );
}

/** Returns examples within the bounds, the most ordinary first. */
export function exampleNumbers(schema: NumberSchema): readonly number[] {
  const { low, high } = limits(schema);
  const timestamp = schema.annotation?.formatHint === 'timestamp' ? [1_700_000_000_000] : [];
  const named = exampleValues(schema).filter(value => typeof value === 'number');
  const middle =
    low !== undefined && high !== undefined
      ? [isWhole(schema) ? Math.floor((low + high) / 2) : Number(((low + high) / 2).toFixed(3)), low]
      : [];
  const candidates =
    named.length > 0 ? named : [...timestamp, ...middle, 7, 1, ...(low === undefined ? [] : [low + 7, low])];
  const found = candidates.filter(value => inRange(schema, value));
  return found.length > 0 ? found.slice(0, named.length || 1) : [low ?? high ?? 0];
}
