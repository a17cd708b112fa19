/**
 * Milliseconds of one option. A plain number is one too, but the compiler refuses those of another option: what waits
 * for an answer is not what waits for a write.
 */
export type Ms<Option extends string> = number & { readonly option?: Option };
