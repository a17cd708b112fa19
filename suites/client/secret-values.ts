import { decoded } from '../../contracts/decoded.ts';
import { isJson } from '../../contracts/json.ts';
import { type JsonNode, jsonTree } from '../../contracts/json-tree.ts';
import { knownTexts } from '../../contracts/memoized.ts';
import { underEscapes } from '../../contracts/redaction/escapes.ts';
import { urlText } from '../../contracts/url-text.ts';
import { mentionsSecret, namesCredential, namesSecret } from './secret-names.ts';

/** Returns the replacement of a secret. Secrets are found by name or shape, in texts, URLs, forms and JSON. */
export type Hide = (value: string) => string;

/** True if a value is already redacted. */
const isHidden = (value: string): boolean => value === '' || /^(«|%C2%AB)/.test(value);

const hiding =
  (hide: Hide): Hide =>
  value =>
    isHidden(value) ? value : hide(value);

/**
 * Secrets with a recognisable shape: a cheap hint, then the pattern. Its last group is the secret, the one before
 * stays.
 */
const shapes: readonly (readonly [hint: RegExp, shape: RegExp])[] = [
  // User information of a URL (RFC 3986 section 3.2.1).
  [/:\/\//, /([a-z][a-z0-9+.-]{0,30}:\/\/)([^/?#\s"'@]+)(?=@)/gi],
  // JSON Web Tokens (RFC 7519). The lookbehind scans each run of letters only once.
  [/eyJ/, /(?<![\w-])(?=[\w-]{11,}\.[\w-]{8})([\w-]*?)(\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*){0,3})/g],
  // PEM keys (RFC 7468).
  [/PRIVATE KEY/, /()(-----BEGIN [A-Z ]*PRIVATE KEY-----(?:[\s\S]*?-----END [A-Z ]*-----|[\s\S]*))/g],
  // Credentials after their scheme (RFC 9110 section 11.4), and all cookies of a header.
  [
    /(?:Bearer|Basic|Digest|Negotiate|ApiKey|Token) /i,
    /\b((?:Bearer|Basic|Digest|Negotiate|ApiKey|Token) +)((?=\S*\d)[\w+/=.~-]{8,})/gi,
  ],
  [/cookie/i, /(\b(?:set-)?cookie\s*:\s*)([^\r\n"]+)/gi],
];

const pairs =
  /([A-Za-z_][\w.[\]-]{0,80})(["'\\]{0,4}\s{0,8}[=:]\s{0,8}["'\\]{0,4}(?:(?:Bearer|Basic|Token|Digest) +)?)([^\s"'&;,<>{}\\#]+)/g;

/** Redacts secrets in a text: by shape, and after a secret name and `=` or `:`. */
export function hideInText(text: string, hide: Hide): string {
  const hideOne = hiding(hide);
  let left = text;
  for (const [hint, shape] of shapes)
    if (hint.test(left))
      left = left.replace(shape, (_all, before: string, value: string) => `${before}${hideOne(value)}`);
  if (!/[=:]/.test(left)) return left;
  return left.replace(pairs, (all, name: string, sign: string, value: string) =>
    namesSecret(name) ? `${name}${sign}${hideOne(value)}` : all,
  );
}

/** Maximum depth of texts within texts that is searched. */
const deepest = 6;

/** Redacts secrets in any text: JSON, a URL, a form, markup, or words. */
function hideWithin(text: string, hide: Hide, depth: number): string {
  if (depth > deepest) return mentionsSecret(text) ? hide(text) : text;
  const json = hideInJson(text, hide, depth);
  if (json !== undefined) return json;
  // Markup separates names and values differently: hide it whole.
  if (/<[^<>]*>/.test(text) && mentionsSecret(text)) return hide(text);
  const left = hideInText(text, hide);
  return /^[^\s]*[=?#&%]/.test(left) ? hideInUrl(left, hide, depth) : left;
}

/** Redacts the secret fields of a form or a query (RFC 3986 section 3.4). */
function hideInForm(text: string, hide: Hide, depth = 0): string {
  const hideOne = hiding(hide);
  return text.replace(/[^&;#]+/g, field => {
    const [, before = '', name, written = ''] = /^(=*)([^=]+)=(.*)$/s.exec(field) ?? [];
    if (name === undefined) return field;
    const value = decoded(written.replaceAll('+', ' '));
    const shown = namesCredential(decoded(name)) ? hideOne(value) : hideWithin(value, hide, depth + 1);
    return shown === value ? field : `${before}${name}=${urlText(shown)}`;
  });
}

/** Redacts secrets in a URL or request target: in its user information, parameters, query and fragment. */
export function hideInUrl(url: string, hide: Hide, depth = 0): string {
  const [path = '', ...fields] = url.split(/(?=[?#])/);
  const shown = hideInText(
    path.replace(/;([^;/?#]*)/g, (_all, field: string) => `;${hideInForm(field, hide, depth)}`),
    hide,
  );
  if (fields.length === 0) return shown.includes('=') && !shown.includes('/') ? hideInForm(shown, hide, depth) : shown;
  return shown + fields.map(field => field.charAt(0) + hideInForm(field.slice(1), hide, depth)).join('');
}

/** A part of a text and its replacement. */
interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The members that hold name and value in a list of pairs. */
const nameMembers = new Set(['name', 'key', 'header', 'field', 'label']);
const valueMembers = new Set(['value', 'values', 'val', 'text', 'content']);

/** True if an object is a pair with a secret name: `{"name": "password", "value": "…"}`. */
const isSecretPair = (text: string, { children }: JsonNode): boolean =>
  children.some(({ name, node }) => nameMembers.has(name) && namesSecret(text.slice(node.start, node.end)));

/** Longer JSON texts are parsed without a cheap scan first. */
const mostScanned = 100_000;

/** True if no member of a JSON text has a secret name, and no string in it may hold a secret: the usual case. */
function isClean(text: string): boolean {
  if (text.length > mostScanned || !isJson(text)) return false;
  for (const [, written = '', colon = ''] of text.matchAll(/("[^"\\]*(?:\\.[^"\\]*)*")\s*(:?)/g)) {
    const part = written + colon;
    if (cleanParts.has(part)) continue;
    if (colon === ':' ? namesSecret(JSON.parse(written) as string) : mayHold(written)) return false;
    cleanParts.add(part);
  }
  return true;
}

/** Redacts the members with secret names in a JSON text, at any depth; undefined for other texts. */
function hideInJson(text: string, hide: Hide, depth: number): string | undefined {
  if (!/^\s*[[{"]/.test(text)) return undefined;
  if (isClean(text)) return text;
  const tree = jsonTree(text) ?? wholeString(text);
  if (!tree || (tree.kind !== 'cut' && !isJson(text))) return undefined;
  const edits: Edit[] = [];
  let end = tree.start;
  const waiting: { node: JsonNode; isSecret: boolean; isMany: boolean }[] = [
    { node: tree, isSecret: false, isMany: false },
  ];
  for (let one = waiting.pop(); one; one = waiting.pop()) {
    const { node, isSecret, isMany } = one;
    if (node.kind !== 'cut') end = Math.max(end, node.end);
    const isPair = node.kind === 'object' && isSecretPair(text, node);
    for (const { name, node: child } of node.children)
      waiting.push({
        node: child,
        isSecret: isSecret || (node.kind !== 'array' && namesSecret(name)) || (isPair && valueMembers.has(name)),
        isMany: /tokens$/i.test(name),
      });
    if (node.kind !== 'scalar') continue;
    const edit = scalarEdit(text, node, isSecret, isMany, hide, depth);
    if (edit) edits.push(edit);
  }
  const shown: string[] = [];
  let at = 0;
  for (const { from, to, text: instead } of edits.toSorted((a, b) => a.from - b.from)) {
    shown.push(text.slice(at, from), instead);
    at = to;
  }
  // In a truncated text, drop everything after the last whole value.
  return shown.join('') + text.slice(at, tree.kind === 'cut' ? end : text.length);
}

/** Returns the edit of one value; undefined if it stays. A number of tokens is not a token. */
function scalarEdit(
  text: string,
  { start: from, end: to }: JsonNode,
  isSecret: boolean,
  isMany: boolean,
  hide: Hide,
  depth: number,
): Edit | undefined {
  const written = text.slice(from, to);
  if (/^(true|false|null)$/.test(written)) return undefined;
  if (!written.startsWith('"'))
    return isSecret && !isMany ? { from, to, text: JSON.stringify(hide(written)) } : undefined;
  if (!isSecret && !mayHold(written)) return undefined;
  const value = JSON.parse(written) as string;
  const shown = isSecret ? hiding(hide)(value) : hideWithin(value, hide, depth + 1);
  return shown === value ? undefined : { from, to, text: JSON.stringify(shown) };
}

/** Returns the node of a JSON text that is a single string. */
const wholeString = (text: string): JsonNode | undefined => {
  const from = text.search(/\S/);
  return text[from] === '"' ? { kind: 'scalar', start: from, end: text.trimEnd().length, children: [] } : undefined;
};

/** True if a text may hold a secret, by name or shape. */
const mayHold = (text: string): boolean =>
  underEscapes(text).some(
    one =>
      mentionsSecret(one) || /eyJ|:\/\/[^/\s]*@|PRIVATE KEY|Basic|Digest|Negotiate|[?&;]key=|[?&;]auth=/i.test(one),
  );

const isForm = (text: string, type: string): boolean =>
  /x-www-form-urlencoded/i.test(type) || /^[^\s=&{}<>:"]+=[^\s&]*(&[^\s=&]+=[^\s&]*)*$/.test(text);

/**
 * Redacts secrets in a body; undefined if it may hold some and its format is unknown. The text decides the format
 * before the content type.
 */
export const hideInBody = (text: string, type: string, hide: Hide): string | undefined =>
  unlessClean(cleanBodies, text, hide, hideOne => (mayHold(text) ? hideInValues(text, hideOne) : text)) ??
  (isForm(text, type) ? hideInForm(text, hide) : undefined);

/** Redacts secrets with a recognisable shape in a header's value, which may be a URL. */
export const hideInHeader = (value: string, hide: Hide): string =>
  unlessClean(cleanHeaders, value, hide, hideOne => hideInUrl(hideInText(value, hideOne), hideOne));

/** Maximum number of cached characters of clean texts, because the same lists and headers recur. */
const mostClean = { bodies: 2_000_000, headers: 200_000, parts: 200_000 } as const;
const cleanBodies = knownTexts(mostClean.bodies);
const cleanHeaders = knownTexts(mostClean.headers);
/** Member names, each with its colon, and strings within JSON. */
const cleanParts = knownTexts(mostClean.parts);

/** Redacts a text, unless it is known to be clean. */
function unlessClean<T extends string | undefined>(
  clean: ReturnType<typeof knownTexts>,
  text: string,
  hide: Hide,
  look: (hide: Hide) => T,
): T | string {
  if (clean.has(text)) return text;
  let isClean = true;
  const left = look(value => {
    isClean = false;
    return hide(value);
  });
  if (isClean && left === text) clean.add(text);
  return left;
}

/** Redacts secrets in JSON, or JSON lines; undefined for other texts. */
function hideInValues(text: string, hide: Hide): string | undefined {
  const json = hideInJson(text, hide, 0);
  if (json !== undefined) return json;
  const lines = text.split('\n').map(line => (line.trim() === '' ? line : hideInJson(line, hide, 0)));
  return lines.every(line => line !== undefined) ? lines.join('\n') : undefined;
}
