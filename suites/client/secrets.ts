/**
 * Takes secrets out of every text that may be shown or stored: the API key, its near misses (which would give it away),
 * and the forms in which a target may echo it (percent-encoded, escaped in JSON or HTML, Base64). A short secret is
 * replaced only where it is a whole value, for within a longer text it means nothing: the key `k` is no part of
 * `new_checkout`.
 */
export interface Secrets {
  /** Adds a secret; `mark` stands in its place. It is replaced within texts too if it is `long`. */
  add(secret: string, mark: string, long?: boolean): void;
  /** The text with every secret replaced by its mark. */
  redact(text: string): string;
}

/** Secrets of so many characters are looked for within texts. */
export const longSecret = 8;

/** Of a secret that was cut, so many characters give it away. */
const shortestTail = 4;

/**
 * What stands around a whole value: the ends of the text, quotes, the signs of a query, of a cookie or of a list of
 * credentials, and a scheme before it (RFC 9110 section 11.4).
 */
const opening = '(?<=^|["\'=,;] ?|^[A-Za-z]+ )';
const closing = '(?=$|["\'&,;])';

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const unicodeEscape = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** How servers write a text: in URLs (RFC 3986 section 2.1), forms, JSON (RFC 8259; some escape more), HTML. */
const spellings: readonly ((text: string) => string)[] = [
  text => text,
  encodeURIComponent,
  text => encodeURIComponent(text).replace(/%../g, code => code.toLowerCase()),
  text => new URLSearchParams([['', text]]).toString().slice(1),
  inJson,
  text => inJson(inJson(text)),
  text => inJson(text).replaceAll('/', '\\/'),
  text => inJson(text).replace(/[<>&']/g, sign => `\\u00${sign.charCodeAt(0).toString(16)}`),
  text => text.replace(/[^A-Za-z0-9]/g, sign => `&#${sign.charCodeAt(0)};`),
  text => text.replace(/[^A-Za-z0-9]/g, sign => `&#x${sign.charCodeAt(0).toString(16)};`),
  text => text.replace(/[&+/=<>"']/g, sign => `&#${sign.charCodeAt(0)};`),
  text => text.replace(/[^A-Za-z0-9]/g, unicodeEscape),
  text => text.replace(/./g, unicodeEscape),
  text => Buffer.from(text).toString('hex'),
  text => text.replace(/[&<>"']/g, sign => entities[sign] ?? sign),
  text => text.replace(/[&<>"]/g, sign => entities[sign] ?? sign),
];

/** Base64 (RFC 4648 sections 4 and 5), padded and not. */
const base64Forms = (text: string): readonly string[] => {
  const bytes = Buffer.from(text);
  return [bytes.toString('base64'), bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')];
};

/** Marks where a text was cut. */
const ellipsis = '…';

interface Form {
  readonly text: string;
  readonly mark: string;
}

/** Redacts the beginning of a secret that a cut left right before the ellipsis (and a closing quote). */
function withoutTails(text: string, forms: readonly Form[]): string {
  const pieces = text.split(ellipsis);
  return pieces
    .map((piece, index) => {
      if (index === pieces.length - 1) return piece;
      const quote = piece.endsWith('"') ? '"' : '';
      const body = quote === '' ? piece : piece.slice(0, -1);
      for (const form of forms) {
        for (let length = form.text.length - 1; length >= shortestTail; length -= 1) {
          if (body.endsWith(form.text.slice(0, length))) return `${body.slice(0, -length)}${form.mark}${quote}`;
        }
      }
      return piece;
    })
    .join(ellipsis);
}

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/** An empty set of secrets. Longer ones are replaced first: some near misses contain the key. */
export function createSecrets(): Secrets {
  let long: Form[] = [];
  let short: readonly (Form & { readonly pattern: RegExp })[] = [];
  const byLength = (a: Form, b: Form): number => b.text.length - a.text.length;
  return {
    add(secret, mark, isLong = secret.length >= longSecret) {
      if (secret === '') return;
      const known = new Set([...long, ...short].map(form => form.text));
      const written = [...spellings.map(spell => spell(secret)), ...base64Forms(secret)];
      const added = [...new Set(written)].filter(text => !known.has(text)).map(text => ({ text, mark }));
      if (isLong) long = [...long, ...added].sort(byLength);
      else {
        const patterns = added.map(form => ({
          ...form,
          pattern: new RegExp(`${opening}${literal(form.text)}${closing}`, 'g'),
        }));
        short = [...short, ...patterns].sort(byLength);
      }
    },
    redact(text) {
      let redacted = text;
      for (const form of long) {
        if (redacted.includes(form.text)) redacted = redacted.split(form.text).join(form.mark);
      }
      for (const { text: secret, pattern, mark } of short) {
        if (redacted.includes(secret)) redacted = redacted.replace(pattern, () => mark);
      }
      return long.length > 0 && redacted.includes(ellipsis) ? withoutTails(redacted, long) : redacted;
    },
  };
}
