/**
 * Returns the beginning of a text that is not yet redacted, with a maximum number of characters. It ends with an
 * ellipsis, by which the redactor recognises a truncated secret. Anything cut before redaction must keep that ellipsis.
 */
export const clip = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
