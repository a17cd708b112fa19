/** Remedies that are no line of the target file. */

/** How a remedy begins that is none: no line of the target file makes the field exercised. */
export const noRemedy = 'nothing in the target file';

/** The remedy where the profile of the run leaves something out. */
export const largerProfile = 'a larger profile, which sends more';
