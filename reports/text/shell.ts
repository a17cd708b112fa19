import { type BodyEvidence, type Exchange, hidden, redactions } from '../../contracts/report/evidence.ts';
import type { Report } from '../../contracts/report/report.ts';
import { tool } from '../../contracts/report/tool.ts';
import { isUnshowable } from './safe-text.ts';

/**
 * Quotes words of a POSIX shell command that a person can read, copy and run: one line without invisible characters. If
 * the evidence has a mark of the redacted API key, the shell computes the text again from `$SERVICE_API_KEY`.
 */

const variable = 'SERVICE_API_KEY';
const key = `"$${variable}"`;
const turned = 'tr a-zA-Z A-Za-z';
/** Turns every printable character into another one. */
const otherwise = "tr '\\041-~' 'P-~\\041-O'";
/** Writes the key without what a pattern of `sed` matches. */
const without = (pattern: string): string => `printf %s ${key} | sed 's/${pattern}//'`;
const half = `\${#${variable}} / 2`;

/**
 * The shell expressions that compute the redacted texts from the key. None has an exclamation mark: between double
 * quotes an interactive shell takes it for a command of its history.
 */
const expressions: Readonly<Record<keyof typeof redactions, string>> = {
  key,
  longer: `"\${${variable}}x"`,
  longerBefore: `"x\${${variable}}"`,
  joinedParts: `"$(printf %s ${key} | tr -cd A-Za-z0-9)"`,
  otherCase: `"$(printf %s ${key} | ${turned})"`,
  sameShape: `"$(printf %s ${key} | tr A-Za-z0-9 N-ZA-Mn-za-m5-90-4)"`,
  butLast: `"\${${variable}%?}"`,
  firstHalf: `"$(printf %s ${key} | cut -c1-$((${half})))"`,
  inside: `"$(printf %s ${key} | cut -c1-$((${half})))$(printf %s ${key} | cut -c$((${half} + 1)) | ${otherwise})$(printf %s ${key} | cut -c$((${half} + 2))-)"`,
  lastChanged: `"\${${variable}%????}$(printf %s ${key} | tail -c4 | ${otherwise})"`,
  firstPartCase: `"$(${without('[^A-Za-z0-9].*')} | ${turned})$(${without('^[A-Za-z0-9]*')})"`,
  lastPartCase: `"$(${without('[A-Za-z0-9]*$')})$(${without('.*[^A-Za-z0-9]')} | ${turned})"`,
  butLastPart: `"$(${without('[^A-Za-z0-9][A-Za-z0-9]*$')})"`,
  basic: `"$(printf %s: ${key} | base64 | tr -d '\\n')"`,
};
const expressionOf = new Map<string, string>(
  Object.entries(redactions).map(([name, mark]) => [mark, expressions[name as keyof typeof redactions]]),
);
const marks = new RegExp(`(${Object.values(redactions).join('|')})`, 'u');

/** Returns true if the text holds a mark of the redacted key. */
export function isRedacted(text: string): boolean {
  return marks.test(text);
}

/** Returns one word: bare if that is safe, else in single quotes, or through `printf` if it would not show. */
export function shellWord(text: string): string {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(text)) return text;
  if (isUnshowable(text)) return `"$(${printf(text)})"`;
  if (text === '') return "''";
  return text
    .split(marks)
    .map(part => expressionOf.get(part) ?? (part === '' ? '' : singleQuoted(part)))
    .join('');
}

/** Returns a `printf` command of printable characters that writes exactly this text as UTF-8 (NUL too). */
export function printf(text: string): string {
  const parts = text.split(marks);
  const formatOf = (isBare: (character: string) => boolean): string =>
    parts
      .map(part => (expressionOf.has(part) ? '%s' : octal(part, isBare)))
      .join('')
      .replace(/^-/, '\\055');
  const readable = formatOf(character => !isUnshowable(character));
  // Whether a letter prints like another depends on its neighbours.
  const format = isUnshowable(readable) ? formatOf(character => /[ -~]/.test(character)) : readable;
  return ['printf', singleQuoted(format), ...parts.flatMap(part => expressionOf.get(part) ?? [])].join(' ');
}

/** Returns the environment variable with the value of a hidden header: `HEADER_X_TENANT` for `x-tenant`. */
export const headerVariable = (name: string): string => `HEADER_${name.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}`;

/** True if the report hides the whole value of a header, and its name can be sent (RFC 9110 section 5.1). */
export const isAdded = ({ name, value }: { readonly name: string; readonly value: string }): boolean =>
  value === hidden.header && /^[\w!#$%&'*+.^`|~-]+$/.test(name);

/** Returns the text in single quotes. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * Returns the text as a printf format: backslash and percent doubled, characters that are not bare as octal bytes. So
 * is the exclamation mark, because the command may stand between double quotes.
 */
function octal(text: string, isBare: (character: string) => boolean): string {
  let format = '';
  for (const character of text) {
    if (character === '\\' || character === '%') format += character + character;
    else if (character !== '!' && isBare(character)) format += character;
    else for (const byte of Buffer.from(character)) format += `\\${byte.toString(8).padStart(3, '0')}`;
  }
  return format;
}

/**
 * Returns the command to print, by the URL of a file of this project. An installed package is named with its version,
 * so that `npx` takes no other package; a checkout uses the short form. The single-file program has its usual name,
 * because a report must not reveal paths of the machine.
 */
export const invocationFrom = (url: string): string =>
  url.includes('.mjs/')
    ? 'node conform.mjs'
    : url.includes('/node_modules/')
      ? `npx ${tool.name}@${tool.version}`
      : 'npx conform';

/** The command by which readers run this project. */
export const invocation = invocationFrom(import.meta.url);

/** Returns the flag that names the server of a report, so that a command that sends shows its reader where. */
export const baseUrlOf = ({ target }: Pick<Report, 'target'>): string =>
  target.embedded ? '' : ` --base-url ${shellWord(target.baseUrl)}`;

/**
 * Headers that curl sets itself, or that belong to the connection. `transfer-encoding: chunked` is kept, so that curl
 * sends chunks.
 */
const ownHeaders = new Set(['host', 'content-length', 'connection', 'user-agent', 'accept-encoding']);

/**
 * Returns a POSIX shell command that sends the request of an exchange again, from its evidence. The API key is read
 * from `$SERVICE_API_KEY`, an added header from a variable with its name. If the evidence lacks part of the body, a
 * comment line before the command says so.
 */
export function curlLine({ request }: Exchange): string {
  const { method, url, headers, body } = request;
  const { before, argument, pipe } = bodyWords(body);
  const words = [
    'curl -sS -i --path-as-is',
    ...(/[[\]{}]/.test(url) ? ['--globoff'] : []),
    method === 'HEAD' ? '--head' : `-X ${shellWord(method)}`,
    // Without `traceparent`, because the log of the server must not take it for the request of the run.
    ...headerWords(
      { ...request, headers: headers.filter(({ name }) => name.toLowerCase() !== 'traceparent') },
      shellWord,
    ),
    ...argument,
    shellWord(url),
  ];
  return `${before}${pipe}${words.join(' ')}`;
}

/** Methods of which a request has a body, so that a run says if it has none (RFC 9110 section 8.6). */
const withBody: ReadonlySet<string> = new Set(['PATCH', 'POST', 'PUT']);

/** Returns the curl words for the headers of a request, each written by `word`. */
export function headerWords({ method, headers, body }: Exchange['request'], word: (text: string) => string): string[] {
  const sent = headers
    .filter(({ name }) => !ownHeaders.has(name.toLowerCase()))
    // `Name;` makes curl send an empty header; `Name:` would leave it out.
    .map(({ name, value }) =>
      isAdded({ name, value })
        ? `${singleQuoted(`${name}: `)}"$${headerVariable(name)}"`
        : word(value.trim() === '' ? `${name};` : `${name}: ${value}`),
    );
  // By default curl would send the content type of a form.
  const isUntyped = body !== undefined && !headers.some(({ name }) => name.toLowerCase() === 'content-type');
  // curl does not say so, and some servers then wait for a body.
  const isEmpty =
    body === undefined && withBody.has(method) && !headers.some(({ name }) => /^transfer-encoding$/i.test(name));
  const own = [...(isUntyped ? ['Content-Type:'] : []), ...(isEmpty ? ['Content-Length: 0'] : [])];
  return [...sent, ...own.map(word)].map(header => `-H ${header}`);
}

function bodyWords(body: BodyEvidence | undefined): { before: string; argument: string[]; pipe: string } {
  if (!body) return { before: '', argument: [], pipe: '' };
  if (body.truncated)
    return {
      before: `# The body sent had ${body.bytes} bytes, of which the report keeps the beginning: put it in body.json, or use the replay command.\n`,
      argument: ['--data-binary', '@body.json'],
      pipe: '',
    };
  const exact = isRedacted(body.text) || Buffer.byteLength(body.text) === body.bytes;
  const before = exact
    ? ''
    : `# The body sent had ${body.bytes} bytes that are not all valid UTF-8: only the replay command sends them exactly.\n`;
  // An argument cannot hold NUL, and a command substitution loses line ends: such bodies come through a pipe.
  return isUnshowable(body.text)
    ? { before, argument: ['--data-binary', '@-'], pipe: `${printf(body.text)} | ` }
    : { before, argument: ['--data-raw', shellWord(body.text)], pipe: '' };
}
