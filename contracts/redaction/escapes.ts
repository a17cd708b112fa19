/** A text with one layer of escapes undone. */
export interface Layer {
  readonly text: string;
  /**
   * Returns where each character began in the original text, and at the end where that text ends. Absent if the text
   * has no escapes. All characters of one escape begin at one place.
   */
  readonly origins?: () => Uint32Array;
}

/** Escapes of URLs (RFC 3986 section 2.1), of JSON and programs, of HTML. */
const escapes =
  /%[c-f][0-9a-f](?:%[89ab][0-9a-f])+|%[0-9a-f]{2}|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\[^ux]|&(?:#\d{1,7}|#x[0-9a-f]{1,6}|amp|lt|gt|quot|apos);/gi;

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const control: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

const ofCode = (code: number): string => (code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code));

/** Returns the meaning of an escape. */
function meant(written: string): string {
  if (written.startsWith('%')) return Buffer.from(written.replaceAll('%', ''), 'hex').toString();
  if (/^\\[ux]/i.test(written) && written.length > 2) return ofCode(Number.parseInt(written.slice(2), 16));
  if (written.startsWith('\\')) return control[written.charAt(1)] ?? written.slice(1);
  const entity = written.slice(1, -1).toLowerCase();
  if (!entity.startsWith('#')) return named[entity] ?? '';
  return ofCode(entity.startsWith('#x') ? Number.parseInt(entity.slice(2), 16) : Number(entity.slice(1)));
}

/** Maximum number of nested escapes to undo. */
const mostLayers = 5;

/** Returns the text and each layer under its escapes, with places in the text itself. */
export function layersOf(text: string): readonly Layer[] {
  const layers: Layer[] = [];
  for (let next: Layer | undefined = { text }; next !== undefined && layers.length <= mostLayers; ) {
    layers.push(next);
    next = layerUnder(next);
  }
  return layers;
}

/** Returns a text with its escapes undone; undefined if it has none. An escape is longer than its meaning. */
function layerUnder({ text: above, origins }: Layer): Layer | undefined {
  const text = /[%\\&]/.test(above) ? above.replace(escapes, meant) : above;
  return text === above ? undefined : { text, origins: () => originsUnder(above, origins?.()) };
}

/** Returns the origins of the characters under the escapes of a text, from its own origins. */
function originsUnder(text: string, own: Uint32Array | undefined): Uint32Array {
  const origins = new Uint32Array(text.length + 1);
  let place = 0;
  let at = 0;
  const copy = (end: number): void => {
    for (; at < end; at += 1, place += 1) origins[place] = own?.[at] ?? at;
  };
  for (const { 0: written, index } of text.matchAll(escapes)) {
    copy(index);
    const to = place + meant(written).length;
    origins.fill(own?.[at] ?? at, place, to);
    place = to;
    at += written.length;
  }
  copy(text.length + 1);
  return origins;
}

/** Returns where the character at a place ended in the original text. */
export function endIn(origins: Uint32Array, place: number): number {
  const begin = origins[place] as number;
  return origins.subarray(place).find(origin => origin > begin) as number;
}

/** Returns the texts under the escapes of a text, the text itself first. */
export const underEscapes = (text: string): readonly string[] => layersOf(text).map(layer => layer.text);
