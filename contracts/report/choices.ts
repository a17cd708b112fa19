/** Closed sets of words for flags and reports, in their own file: programs that only list flags need no schemas. */

/** How much a run sends. */
export const profiles = ['quick', 'standard', 'thorough'] as const;

/** The least serious differences that fail a comparison: broken MUSTs, also open ones and SHOULDs, or any. */
export const differenceLimits = ['must', 'open', 'any'] as const;

/** The levels of requirements that checks judge. */
export const levels = ['MUST', 'SHOULD'] as const;

export type Profile = (typeof profiles)[number];
export type Level = (typeof levels)[number];
