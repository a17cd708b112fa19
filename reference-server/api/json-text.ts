/** The texts of values that are serialised again and again; a text is collected with its value. */
const texts = new WeakMap<object, string>();

/** Serialises a value that will not change any more: `jsonText` reuses the text of it, and of the items of a list. */
export const keepText = (value: object): void => {
  if (!texts.has(value)) texts.set(value, jsonText(value));
};

/** The texts of all items; undefined where the text of one was not kept. */
const itemTexts = (items: readonly unknown[]): readonly string[] | undefined => {
  const known: string[] = [];
  for (const item of items) {
    const text = typeof item === 'object' && item !== null ? texts.get(item) : undefined;
    if (text === undefined) return undefined;
    known.push(text);
  }
  return known;
};

/**
 * The JSON text of a response's body: what JSON.stringify gives, but the kept texts of items are not made again, which
 * was most of the time that a list took.
 */
export const jsonText = (body: unknown): string => {
  if (typeof body !== 'object' || body === null) return JSON.stringify(body);
  const known = texts.get(body);
  if (known !== undefined) return known;
  const { message, data, pagination, ...others } = body as Record<string, unknown>;
  const whole = message !== undefined && pagination !== undefined && Object.keys(others).length === 0;
  const items = whole && Array.isArray(data) ? itemTexts(data) : undefined;
  if (items === undefined) return JSON.stringify(body);
  return `{"message":${JSON.stringify(message)},"data":[${items.join()}],"pagination":${JSON.stringify(pagination)}}`;
};
