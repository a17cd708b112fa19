import { isPosition, steps } from '../../../contracts/pointer.ts';
import type { DifferenceAspect, SideOfDifference } from '../../../contracts/report/difference.ts';

/** One place in which two answers to the same request differ. */
export interface Located {
  /** JSON Pointer into the answer, `*` for array positions; otherwise `status`, `body`, `header content-type`. */
  readonly pointer: string;
  readonly aspect: DifferenceAspect;
  /** The value of each side, in words. */
  readonly a: string;
  readonly b: string;
  /** The side that lacks a value that the other has. */
  readonly lacks?: SideOfDifference;
}

/** Returns a difference. */
export const located = (
  pointer: string,
  aspect: DifferenceAspect,
  a: string,
  b: string,
  lacks?: SideOfDifference,
): Located => ({ pointer, aspect, a, b, ...(lacks === undefined ? {} : { lacks }) });

/** Returns a difference if the words of the two sides differ; otherwise nothing. */
export const unlessAlike = (pointer: string, aspect: DifferenceAspect, a: string, b: string): Located[] =>
  a === b ? [] : [located(pointer, aspect, a, b)];

/** Returns the side that lacks a value that the other has. */
export const lackingOf = (a: unknown, b: unknown): SideOfDifference | undefined =>
  (a === undefined) === (b === undefined) ? undefined : a === undefined ? 'a' : 'b';

/** True if a difference concerns the answer as a whole: whether it came, its outcome or its status. */
export const isOfAnswer = ({ aspect }: Located): boolean =>
  aspect === 'outcome' || aspect === 'status' || aspect === 'answered';

/** Returns the member of an entity that a pointer leads into; undefined if there is none. */
export const memberAt = (pointer: string): string | undefined => {
  const [first, ...rest] = steps(pointer);
  return first === 'data' ? rest.find(step => !isPosition(step)) : undefined;
};

/** The result of comparing a pair: differences, and pointers to differing values from before the run. */
export interface Found {
  readonly differences: Located[];
  readonly start: string[];
}
