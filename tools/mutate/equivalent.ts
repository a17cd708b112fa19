/**
 * Mutants that no test can tell from the source, and why. The source text is that of the line, and the change is as it
 * is printed; a row that fits no place any more is an error.
 */
export interface Equivalent {
  readonly file: string;
  readonly line: string;
  readonly change: string;
  readonly why: string;
}

/** The mutants that are left out. */
export const equivalents: readonly Equivalent[] = [];
