import { decoded } from '../decoded.ts';
import { longSecret } from './secrets.ts';

/** Finds the secret parts of credentials. */

/** Returns the quoted strings of a text (RFC 9110 section 5.6.4), in JSON too, but not the names of members. */
const quotedIn = (text: string): readonly string[] =>
  [...text.matchAll(/"((?:[^"\\]|\\.)*)"(\s*:)?/gs)].flatMap(([, inner = '', colon]) =>
    colon === undefined ? [inner.replace(/\\(.)/gs, '$1')] : [],
  );

const withoutQuotes = (text: string): string => text.replace(/^"(.*)"$/s, '$1');

/** Returns a user with a password (RFC 7617 section 2), as a pair and each alone. */
const pairAndParts = (pair: string): readonly string[] => {
  const colon = pair.indexOf(':');
  return colon < 0 ? [pair] : [pair, pair.slice(0, colon), pair.slice(colon + 1)];
};

/** Returns the values in a list of `name=value`: cookies, parameters (RFC 9110 section 5.6.6). */
const membersIn = (text: string): readonly string[] =>
  text.split(/[;,&]\s*|\s+/).flatMap(member => {
    const [, value = ''] = /^[^=\s]+=(.*[^=].*)$/s.exec(member) ?? [];
    return value === '' ? [] : [withoutQuotes(value), decoded(withoutQuotes(value))];
  });

/** Returns credentials without a space, as some schemes write `id:secret`; else an empty text. */
const tokenIn = (credentials: string): string => (/\s/.test(credentials) ? '' : credentials);

/** Runs of characters that may be a secret: with those of Base64 and escapes, as in names, and without dashes. */
const runs = [/[\w.+/~%-]+={0,2}/g, /[\w.-]+/g, /[A-Za-z0-9]+/g] as const;

/** True for words with a meaning in reports, as `application/json`: redacted only at a place known to be secret. */
const isWord = (run: string): boolean => run.length < 20 && /^(?:[A-Z]?[a-z./=_-]+|[A-Z./=_-]+)$/.test(run);

/** Returns a text, the text without its escapes, and what it holds in readable Base64: JSON, a user with a password. */
function unpacked(text: string): readonly string[] {
  const plain = [text, decoded(text)];
  const inner = plain
    .flatMap(one => one.match(/[\w+/-]{12,}/g) ?? [])
    .map(run => Buffer.from(run, 'base64').toString())
    .filter(one => /^[ -~]+$/.test(one));
  return [...plain, ...inner];
}

/** Returns all parts of a text that are no words and long enough to be found in others: owners have own formats. */
const runsIn = (text: string): readonly string[] =>
  unpacked(text)
    .flatMap(one => runs.flatMap(run => one.match(run) ?? []))
    .filter(run => run.length >= longSecret && !isWord(run));

/**
 * Returns the secrets in the value of a header, the whole value first.
 *
 * They are what follows a scheme (RFC 9110 section 11.4), user and password of Basic or of a URL, and each cookie. Also
 * the members of a list and their values, quoted strings, and anything else that looks like a secret.
 */
export function credentialsIn(header: string): readonly string[] {
  const value = header.trim();
  const [, scheme = '', credentials = ''] = /^([\w-]+)[ \t]+(.+)$/s.exec(value) ?? [];
  const isBasic = scheme.toLowerCase() === 'basic';
  const all = [
    value,
    credentials,
    ...pairAndParts(isBasic ? Buffer.from(credentials, 'base64').toString() : tokenIn(credentials)),
    ...userInformationIn(value),
    ...quotedIn(value),
    ...(value.includes(',') ? value.split(/,\s*/) : []),
    ...membersIn(value),
    ...runsIn(value),
  ];
  return [...new Set(all.map(one => one.trim()).filter(one => one !== ''))];
}

/** Returns user and password of a URL (RFC 3986 section 3.2.1), as written and decoded; empty if it has none. */
export function userInformationIn(url: string): readonly string[] {
  // An invalid URL may have a slash in its password, and the message about it quotes the URL.
  const pattern = URL.canParse(url)
    ? /^\s*[a-z][a-z0-9+.-]*:\/\/([^/?#]*)@/i
    : /^\s*(?:[a-z][a-z0-9+.-]*:?)?\/\/(.*)@/is;
  // Without its scheme, a URL begins with the user, which parsers take for the scheme.
  const [, written = ''] = pattern.exec(url) ?? /^\s*([^\s/@:]+:[^\s/@]+)@/.exec(url) ?? [];
  const all = pairAndParts(written).flatMap(one => [one, decoded(one)]);
  return [...new Set(all)].filter(one => one !== '');
}

/** Returns the lines of the private keys in a PEM text (RFC 7468). */
export const keyMaterialIn = (pem: string): readonly string[] =>
  [...pem.matchAll(/-----BEGIN [A-Z ]*PRIVATE KEY-----([^-]*)/g)].flatMap(([, body = '']) =>
    body.split(/\r?\n/).filter(line => /^[\w+/=]{8,}$/.test(line)),
  );
