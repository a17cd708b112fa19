/**
 * Milliseconds for one option. Accepts a plain number, but the compiler refuses the milliseconds of another option: a
 * time limit for answers is not one for writes.
 */
export type Ms<Option extends string> = number & { readonly option?: Option };

/** How long a write may take to show, in milliseconds, unless `--settle` says otherwise. */
export const usualSettleMs = 2_000;
