/** The texts of values that are answered again and again; a text is collected with its value. */
const texts = new WeakMap<object, string>();

/** Serialises a value that will not change any more: `jsonText` gives the same text for it. Returns the text. */
export const keepText = (value: object): string => {
  const text = JSON.stringify(value);
  texts.set(value, text);
  return text;
};

/** The JSON text of a response's body. */
export const jsonText = (body: unknown): string =>
  (typeof body === 'object' && body !== null ? texts.get(body) : undefined) ?? JSON.stringify(body);
