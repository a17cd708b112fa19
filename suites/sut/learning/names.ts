/** True of a value that may be used as a name. */
export type IsName = (value: unknown) => value is string;

const longestName = 200;

/**
 * Makes the test whether a text of the target may stand in a file, a request and a URL: short, visible, without the
 * key.
 *
 * @param redact returns the text with every secret replaced; a name that it changes is none
 */
export function namesFor(apiKey: string, redact: (text: string) => string = text => text): IsName {
  const hidesKey = (text: string): boolean => (apiKey.length < 8 ? text === apiKey : text.includes(apiKey));
  return (value): value is string =>
    typeof value === 'string' &&
    value.length > 0 &&
    value.length <= longestName &&
    value.trim() === value &&
    !/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(value) &&
    !hidesKey(value) &&
    redact(value) === value;
}
