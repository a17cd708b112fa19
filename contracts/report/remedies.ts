/** Remedies that are not a line of the target file. */

/** The beginning of a remedy that is none: no line of the target file makes the field exercised. */
export const noRemedy = 'nothing in the target file';

/** The remedy for something that the run's profile leaves out. */
export const largerProfile = 'a larger profile, which sends more';

/** True if a remedy is one: a line of the target file, or another thing to do. */
export const isRemedy = (text: string | undefined): text is string => text !== undefined && !text.startsWith(noRemedy);
