/**
 * A mutant that no test can distinguish from the source, and why. `line` is the text of its line, `change` is as
 * printed. A row without a matching place is an error.
 */
export interface Equivalent {
  readonly file: string;
  readonly line: string;
  readonly change: string;
  readonly why: string;
}

/** The mutants to leave out. */
export const equivalents: readonly Equivalent[] = [];
