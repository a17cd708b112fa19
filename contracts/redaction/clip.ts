/**
 * The beginning of a text, so many characters at most, in which secrets were not looked for yet, and where none can be: who cuts before redacting must
 * leave the ellipsis, by which the redactor sees that what stands there may be a part of one.
 */
export const clip = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
