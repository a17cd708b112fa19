/** A text with one layer of escapes undone, and where in the text before them each of its characters began and ended. */
export interface Layer {
  readonly text: string;
  /** Undefined where nothing is undone. */
  readonly starts?: Uint32Array;
  readonly ends?: Uint32Array;
}

/** Escapes of URLs (RFC 3986 section 2.1), of JSON and programs, of HTML. */
const escapes =
  /%[c-f][0-9a-f](?:%[89ab][0-9a-f])+|%[0-9a-f]{2}|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\[^ux]|&(?:#\d{1,7}|#x[0-9a-f]{1,6}|amp|lt|gt|quot|apos);/gi;

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const control: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

const ofCode = (code: number): string => (code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code));

/** What an escape stands for. */
function meant(written: string): string {
  if (written.startsWith('%')) return Buffer.from(written.replaceAll('%', ''), 'hex').toString();
  if (/^\\[ux]/i.test(written) && written.length > 2) return ofCode(Number.parseInt(written.slice(2), 16));
  if (written.startsWith('\\')) return control[written.charAt(1)] ?? written.slice(1);
  const entity = written.slice(1, -1).toLowerCase();
  if (!entity.startsWith('#')) return named[entity] ?? '';
  return ofCode(entity.startsWith('#x') ? Number.parseInt(entity.slice(2), 16) : Number(entity.slice(1)));
}

/** Escapes within escapes are undone so often. */
const mostLayers = 5;

/** The text, and under each layer of escapes the one that it stands for, with places in the text itself. */
export function layersOf(text: string): readonly Layer[] {
  const layers: Layer[] = [{ text }];
  for (let last: Layer | undefined = { text }; last !== undefined && layers.length <= mostLayers; ) {
    last = layerUnder(last);
    if (last !== undefined) layers.push(last);
  }
  return layers;
}

/** A text with its escapes undone; undefined where it has none. */
function layerUnder({ text: above, starts: from, ends: to }: Layer): Layer | undefined {
  const found = /[%\\&]/.test(above) ? [...above.matchAll(escapes)] : [];
  if (found.length === 0) return undefined;
  const [starts, ends] = [new Uint32Array(above.length), new Uint32Array(above.length)];
  let text = '';
  let at = 0;
  const copy = (end: number): void => {
    text += above.slice(at, end);
    for (let place = text.length - (end - at); at < end; at += 1, place += 1) {
      starts[place] = from === undefined ? at : (from[at] as number);
      ends[place] = to === undefined ? at + 1 : (to[at] as number);
    }
  };
  for (const { 0: written, index } of found) {
    copy(index);
    const stands = meant(written);
    at = index + written.length;
    starts.fill(from?.[index] ?? index, text.length, text.length + stands.length);
    ends.fill(to?.[at - 1] ?? at, text.length, text.length + stands.length);
    text += stands;
  }
  copy(above.length);
  return { text, starts, ends };
}

/** The texts that stand under the escapes of a text, itself first. */
export const underEscapes = (text: string): readonly string[] => layersOf(text).map(layer => layer.text);
