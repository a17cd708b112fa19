/**
 * Takes secrets out of every text that may be shown or stored: the API key, its near misses (which would give it away),
 * and the forms in which a target may echo it (percent-encoded, escaped in JSON or HTML, Base64).
 */
export interface Secrets {
  /** Adds a secret; `mark` stands in its place. */
  add(secret: string, mark: string): void;
  /** The text with every secret replaced by its mark. */
  redact(text: string): string;
}

/** Shorter secrets are not worth hiding and would riddle every text with marks. */
const shortestSecret = 4;

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
        for (let length = form.text.length - 1; length >= shortestSecret; length -= 1) {
          if (body.endsWith(form.text.slice(0, length))) return `${body.slice(0, -length)}${form.mark}${quote}`;
        }
      }
      return piece;
    })
    .join(ellipsis);
}

/** An empty set of secrets. Longer ones are replaced first: some near misses contain the key. */
export function createSecrets(): Secrets {
  let forms: Form[] = [];
  return {
    add(secret, mark) {
      if (secret.length < shortestSecret) return;
      const written = [...spellings.map(spell => spell(secret)), ...base64Forms(secret)];
      const known = new Set(forms.map(form => form.text));
      for (const text of new Set(written)) {
        if (!known.has(text)) forms.push({ text, mark });
      }
      forms = forms.sort((a, b) => b.text.length - a.text.length);
    },
    redact(text) {
      let redacted = text;
      for (const form of forms) {
        if (redacted.includes(form.text)) redacted = redacted.split(form.text).join(form.mark);
      }
      return forms.length > 0 && redacted.includes(ellipsis) ? withoutTails(redacted, forms) : redacted;
    },
  };
}
