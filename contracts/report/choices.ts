/** Closed sets of words that flags offer, and reports hold: a program that only lists its flags needs no schemas. */

/** How much a run sends. */
export const profiles = ['quick', 'standard', 'thorough'] as const;

/** From which differences on a comparison fails: broken MUSTs, what is open too, or any. */
export const differenceLimits = ['must', 'open', 'any'] as const;

/** How binding a requirement is that a check judges. */
export const levels = ['MUST', 'SHOULD'] as const;

export type Profile = (typeof profiles)[number];
export type Level = (typeof levels)[number];
