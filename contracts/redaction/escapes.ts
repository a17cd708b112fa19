/** A text with one layer of escapes undone. */
export interface Layer {
  readonly text: string;
  /** Returns where each character began and ended in the original text. Absent if the text has no escapes. */
  readonly places?: () => Places;
}

interface Places {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
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
  for (let next: Layer | undefined = { text }; next && layers.length <= mostLayers; ) {
    layers.push(next);
    next = layerUnder(next);
  }
  return layers;
}

/** Returns a text with its escapes undone; undefined if it has none. An escape is longer than its meaning. */
function layerUnder({ text: above, places }: Layer): Layer | undefined {
  const text = /[%\\&]/.test(above) ? above.replace(escapes, meant) : above;
  return text === above ? undefined : { text, places: () => placesUnder(above, text.length, places?.()) };
}

/**
 * Returns the places of the characters under the escapes of a text, from the places of its own. An end is kept of each,
 * because an escape may itself be written by escapes that stand for several characters.
 */
function placesUnder(text: string, length: number, above: Places | undefined): Places {
  const [starts, ends] = [new Uint32Array(length), new Uint32Array(length)];
  let place = 0;
  let at = 0;
  const copy = (end: number): void => {
    for (; at < end; at += 1, place += 1) {
      starts[place] = above?.starts[at] ?? at;
      ends[place] = above?.ends[at] ?? at + 1;
    }
  };
  for (const { 0: written, index } of text.matchAll(escapes)) {
    copy(index);
    at = index + written.length;
    const to = place + meant(written).length;
    starts.fill(above?.starts[index] ?? index, place, to);
    ends.fill(above?.ends[at - 1] ?? at, place, to);
    place = to;
  }
  copy(text.length);
  return { starts, ends };
}

/** Returns the texts under the escapes of a text, the text itself first. */
export const underEscapes = (text: string): readonly string[] => layersOf(text).map(layer => layer.text);
