/** A JSON value (RFC 8259). */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** A JSON object: a request body. */
export type JsonObject = { [name: string]: Json };

/** The members of an object of unknown content, such as a part of an answer. */
export type Members = Readonly<Record<string, unknown>>;

/** True of a JSON object: neither an array nor null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A JSON value as text, a text as it is. Of an object its JSON: it may have a member `toString` that is no function. */
export const asText = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);

/** The value of a JSON text; undefined where it is none. */
export function parsedJson(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** True of a text that is one JSON value. */
export const isJson = (text: string): boolean => parsedJson(text) !== undefined;

/** The members of a value; none where it is no object. */
export const membersOf = (value: unknown): Members => (isObject(value) ? value : {});

/** The message of a JSON parser without the text that it quotes: a secret that is cut in it could not be recognised. */
export const parserMessage = (error: unknown): string =>
  (error as Error).message.replace(/, (?:\.\.\.)?".*"(?:\.\.\.)? is not valid JSON$/s, '');
