import { decoded } from '../decoded.ts';
import { longSecret } from './secrets.ts';

/** What is secret within what somebody proves himself with. */

/** What stands in quotes (RFC 9110 section 5.6.4), in JSON too, where it is the name of no member. */
const quotedIn = (text: string): readonly string[] =>
  [...text.matchAll(/"((?:[^"\\]|\\.)*)"(\s*:)?/gs)].flatMap(([, inner = '', colon]) =>
    colon === undefined ? [inner.replace(/\\(.)/gs, '$1')] : [],
  );

const withoutQuotes = (text: string): string => text.replace(/^"(.*)"$/s, '$1');

/** A user with a password (RFC 7617 section 2): both, and each. */
const pairAndParts = (pair: string): readonly string[] => {
  const colon = pair.indexOf(':');
  return colon < 0 ? [pair] : [pair, pair.slice(0, colon), pair.slice(colon + 1)];
};

/** The members of a list, and what stands behind a name in one: cookies, parameters (RFC 9110 section 5.6.6). */
const membersIn = (text: string): readonly string[] =>
  text.split(/[;,&]\s*|\s+/).flatMap(member => {
    const [, value = ''] = /^[^=\s]+=(.*[^=].*)$/s.exec(member) ?? [];
    return value === '' ? [] : [withoutQuotes(value), decoded(withoutQuotes(value))];
  });

/** Credentials without a space, as those are that some schemes write as `id:secret`. */
const tokenIn = (credentials: string): string => (/\s/.test(credentials) ? '' : credentials);

/** Runs of signs that may be a secret: with what Base64 and escapes are made of, as names are written, and without their dashes. */
const runs = [/[\w.+/~%-]+={0,2}/g, /[\w.-]+/g, /[A-Za-z0-9]+/g] as const;

/** What means something in a report, and hides nothing where no place tells that it is secret: `application/json`. */
const isWord = (run: string): boolean => run.length < 20 && /^(?:[A-Z]?[a-z./=_-]+|[A-Z./=_-]+)$/.test(run);

/** A text, without its escapes, and what it holds in Base64 that can be read: JSON, a user with a password. */
function unpacked(text: string): readonly string[] {
  const plain = [text, decoded(text)];
  const inner = plain
    .flatMap(one => one.match(/[\w+/-]{12,}/g) ?? [])
    .map(run => Buffer.from(run, 'base64').toString())
    .filter(one => /^[ -~]+$/.test(one));
  return [...plain, ...inner];
}

/** All within a text that is long enough to be found in others, and no word, wherever it stands: an owner has his own ways to write. */
const runsIn = (text: string): readonly string[] =>
  unpacked(text)
    .flatMap(one => runs.flatMap(run => one.match(run) ?? []))
    .filter(run => run.length >= longSecret && !isWord(run));

/**
 * The secrets in the value of a header, itself first: what follows a scheme (RFC 9110 section 11.4), user and password
 * of Basic, each cookie, the members of a list and their values, what stands in quotes, user and password of a URL, and
 * whatever else looks like one.
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

/** User and password of a URL (RFC 3986 section 3.2.1), as they are written and decoded; none where it has none. */
export function userInformationIn(url: string): readonly string[] {
  // In what is no URL a slash may stand in the password, and the message that says so quotes it.
  const pattern = URL.canParse(url)
    ? /^\s*[a-z][a-z0-9+.-]*:\/\/([^/?#]*)@/i
    : /^\s*(?:[a-z][a-z0-9+.-]*:?)?\/\/(.*)@/is;
  // A forgotten scheme leaves a text that begins with the user, which is a scheme to those who read URLs.
  const [, written = ''] = pattern.exec(url) ?? /^\s*([^\s/@:]+:[^\s/@]+)@/.exec(url) ?? [];
  const all = pairAndParts(written).flatMap(one => [one, decoded(one)]);
  return [...new Set(all)].filter(one => one !== '');
}

/** The lines of the private keys of a PEM text (RFC 7468). */
export const keyMaterialIn = (pem: string): readonly string[] =>
  [...pem.matchAll(/-----BEGIN [A-Z ]*PRIVATE KEY-----([^-]*)/g)].flatMap(([, body = '']) =>
    body.split(/\r?\n/).filter(line => /^[\w+/=]{8,}$/.test(line)),
  );
