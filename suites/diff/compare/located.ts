import { steps } from '../../../contracts/pointer.ts';
import type { DifferenceAspect, SideOfDifference } from '../../../contracts/report/difference.ts';

/** One place in which two answers to one request differ. */
export interface Located {
  /** JSON Pointer into the answer, `*` for each position of an array; `status`, `body`, `header content-type` outside it. */
  readonly pointer: string;
  readonly aspect: DifferenceAspect;
  /** What each side shows, in words. */
  readonly a: string;
  readonly b: string;
  /** The side that shows nothing there, where the other one does. */
  readonly lacks?: SideOfDifference;
}

/** Makes one. */
export const located = (
  pointer: string,
  aspect: DifferenceAspect,
  a: string,
  b: string,
  lacks?: SideOfDifference,
): Located => ({ pointer, aspect, a, b, ...(lacks === undefined ? {} : { lacks }) });

/** A place in which two sides differ where their words do; nothing where these are the same. */
export const unlessAlike = (pointer: string, aspect: DifferenceAspect, a: string, b: string): Located[] =>
  a === b ? [] : [located(pointer, aspect, a, b)];

/** The side that has no value where the other one has one. */
export const lackingOf = (a: unknown, b: unknown): SideOfDifference | undefined =>
  (a === undefined) === (b === undefined) ? undefined : a === undefined ? 'a' : 'b';

/** True of a difference of an answer as a whole: whether and how it came, not what it shows. */
export const isOfAnswer = ({ aspect }: Located): boolean =>
  aspect === 'outcome' || aspect === 'status' || aspect === 'answered';

/** The member of an entity that a pointer leads into; undefined where it leads into none. */
export const memberAt = (pointer: string): string | undefined => {
  const [first, ...rest] = steps(pointer);
  return first === 'data' ? rest.find(step => !/^(?:\d+|\*)$/.test(step)) : undefined;
};

/** What comparing a pair found: differences, and values that were there before the run and differ. */
export interface Found {
  readonly differences: Located[];
  readonly start: string[];
}
