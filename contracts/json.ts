/** A JSON value (RFC 8259). */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** A JSON object: a request body. */
export type JsonObject = { [name: string]: Json };

/** The members of an object with unknown contents, such as a part of an answer. */
export type Members = Readonly<Record<string, unknown>>;

/** True for a JSON object: neither an array nor null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Returns a JSON value as text, and a text unchanged. Objects become JSON, because a member `toString` may not be a
 * function.
 */
export const asText = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);

/** Returns a value as JSON with the members of every object sorted by name; empty if there is none. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_name, one: unknown) =>
    isObject(one) ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1))) : one,
  ) ?? '';

/** Returns the value of a JSON text; undefined if it is not JSON. */
export function parsedJson(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** True if a text is one JSON value. */
export const isJson = (text: string): boolean => parsedJson(text) !== undefined;

/** Returns the members of a value; none if it is not an object. */
export const membersOf = (value: unknown): Readonly<JsonObject> => (isObject(value) ? value : {});

/** Returns the names of the members of two objects, each once. */
export const namesInEither = (one: object, other: object): readonly string[] => [
  ...new Set([...Object.keys(one), ...Object.keys(other)]),
];

/** Returns the objects in a list; none if the value is no list. */
export const objectsIn = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

/**
 * Returns the message of a JSON parser without its quotation, because redaction might not recognise a truncated secret
 * in it.
 */
export const parserMessage = (error: unknown): string =>
  (error as Error).message.replace(/, (?:\.\.\.)?".*"(?:\.\.\.)? is not valid JSON$/s, '');
