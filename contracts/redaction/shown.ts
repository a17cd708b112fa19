declare const shown: unique symbol;

/**
 * A text, or a value with all its texts, that may leave the process: what is written to a file, a terminal or a log has
 * this type, and a text of a target has it only after the redactor. No cast makes one outside this folder
 * (`tools/leaving.ts` looks for them).
 */
export type Shown<T = string> = T & { readonly [shown]: true };

/** A text of our own words, with nothing between them but numbers and what may be shown. */
export const own = (words: TemplateStringsArray, ...between: readonly (number | Shown)[]): Shown =>
  String.raw({ raw: words }, ...between) as Shown;

/** The beginning of a text, so many characters at most: what may be shown is cut, and never what is still to be redacted. */
export const beginning = (text: Shown, most: number): Shown => text.slice(0, most) as Shown;

/** What a function makes of a value that may be shown, and of nothing else. */
export const rendered = <T, R>(value: Shown<T>, make: (value: T) => R): Shown<R> => make(value) as Shown<R>;

/**
 * A text for which its author vouches: made of what may be shown by code that has nothing else at hand, or meant to be
 * told. Who may say so stands in a table of `tools/leaving.ts`.
 */
export const vouched = <T = string>(value: T): Shown<T> => value as Shown<T>;
