declare const shown: unique symbol;

/**
 * A text, or a value with all its texts, that may leave the process. Everything written to a file, a terminal or a log
 * has this type, and a target's text gets it only from the redactor. Casts to it are allowed only in this folder
 * (`tools/leaving.ts` finds others).
 */
export type Shown<T = string> = T & { readonly [shown]: true };

/** Returns a text of the suite's own words, which may contain only numbers and redacted texts. */
export const own = (words: TemplateStringsArray, ...between: readonly (number | Shown)[]): Shown =>
  String.raw({ raw: words }, ...between) as Shown;

/** Returns the beginning of a redacted text, with a maximum number of characters. Never cut before redacting. */
export const beginning = (text: Shown, most: number): Shown => text.slice(0, most) as Shown;

/** Applies a function to a redacted value. The function must use nothing else. */
export const rendered = <T, R>(value: Shown<T>, make: (value: T) => R): Shown<R> => make(value) as Shown<R>;

/**
 * Marks a text as safe on the author's responsibility: made only from redacted values, or meant to be told.
 * `tools/leaving.ts` lists the places that may do so.
 */
export const vouched = <T = string>(value: T): Shown<T> => value as Shown<T>;
