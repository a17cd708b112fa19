/** How long a value may be in a sentence of a finding. */
const longest = 120;

/** A value in a sentence: its JSON, cut (and said to be cut) at 120 characters; of a long text length and beginning. */
export function inWords(value: unknown): string {
  if (value === undefined) return 'nothing (the member is absent)';
  if (typeof value === 'string' && [...value].length > longest) {
    const points = [...value];
    return `a text of ${points.length} characters (${JSON.stringify(points.slice(0, 40).join(''))}…)`;
  }
  const json = JSON.stringify(value) ?? String(value);
  return json.length > longest ? `${json.slice(0, longest)}… (${json.length} characters of JSON)` : json;
}

/** The JSON type of a value, with its article. */
export function typeInWords(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  return `a ${typeof value}`;
}
