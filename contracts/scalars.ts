import type { Schema } from './dialect.ts';
import { list } from './object.ts';

/** The schemas of plain values that many contracts share. */

export const text = { type: 'string' } as const satisfies Schema;
export const texts = list(text);
/** A text that is not empty. */
export const filled = { type: 'string', minLength: 1 } as const satisfies Schema;
export const flag = { type: 'boolean' } as const satisfies Schema;
export const integer = { type: 'integer' } as const satisfies Schema;
export const number = { type: 'number' } as const satisfies Schema;
export const count = { type: 'integer', minimum: 0 } as const satisfies Schema;
export const percent = { type: 'number', minimum: 0, maximum: 100 } as const satisfies Schema;
/** The number of things of which there is at least one. */
export const some = { type: 'integer', minimum: 1 } as const satisfies Schema;
