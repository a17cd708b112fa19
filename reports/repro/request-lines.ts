import { endpoints } from '../../contracts/endpoints.ts';
import { type JsonObject, type Members, membersOf, parsedJson } from '../../contracts/json.ts';
import { operationAt } from '../../contracts/operation-at.ts';
import { steps } from '../../contracts/pointer.ts';
import { type Exchange, hidden, redactions } from '../../contracts/report/evidence.ts';
import type { FixtureSnapshot } from '../../contracts/report/journal.ts';
import { urlText } from '../../contracts/url-text.ts';
import { headerWords, isAdded, printf, singleQuoted } from '../text/shell.ts';
/**
 * Writes texts of a report as parts of a shell script, in single quotes or as the format of `printf`. The shell reads
 * them as text, whatever they contain. A token of the run becomes `$token`, which is new each time the script runs.
 */
export interface ShellParts {
  /** One word. */
  word(text: string): string;
  /** Commands that write exactly this text. */
  written(text: string): string;
}

/** The context of the scripts of a run: the base URLs of its shards, and the snapshots. */
export interface ScriptContext {
  readonly baseUrls: readonly string[];
  readonly snapshots: readonly FixtureSnapshot[];
  readonly parts: ShellParts;
}

/** The token of the script, as it stands in a command. */
const ownToken = '"$token"';

/** Returns the lines that make a token of some length, if the given lines use it. */
export const tokenLines = (lines: readonly string[], characters: number): readonly string[] =>
  lines.some(line => line.includes(ownToken))
    ? [`token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \\n' | cut -c1-${characters})`]
    : [];

/** Returns the writers for a run whose created names carry one of `tokens`: each shard of a run has its own. */
export function shellParts(tokens: readonly string[]): ShellParts {
  const own = tokens.filter(token => token !== '');
  const split = (text: string): string[] =>
    own.reduce<string[]>((parts, token) => parts.flatMap(part => part.split(token)), [text]);
  return {
    word: text => split(text).map(wordPart).join(ownToken) || "''",
    written: text =>
      split(text)
        .map(part => (part === '' ? '' : printf(part)))
        .join(`\nprintf %s ${ownToken}\n`)
        .split('\n')
        .filter(line => line !== '')
        .join('; ') || ':',
  };
}

/** Printable ASCII on one line; any other text is written by `printf`. */
const isPlain = /^[ -~]*$/;

const wordPart = (text: string): string =>
  text === '' ? '' : isPlain.test(text) && !text.includes('«') ? singleQuoted(text) : `"$(${printf(text)})"`;

/** The key as part of a URL (RFC 3986 section 2.1): a variable that the script sets once. */
const encodedKey = '"$encoded_key"';

/** Returns the lines that set the encoded key, if the given lines use it. */
export const keyLines = (lines: readonly string[]): readonly string[] =>
  lines.some(line => line.includes(encodedKey)) ? [`encoded_key=$(printf %s "$SERVICE_API_KEY" | jq -sRr @uri)`] : [];

const pathWord = (path: string, parts: ShellParts): string =>
  path
    .split(redactions.key)
    .map(part => (part === '' ? '' : parts.word(part)))
    .join(encodedKey);

/** Returns the base URL of an address, without a slash at its end; undefined if it is below none. */
export const baseOf = (url: string, baseUrls: readonly string[]): string | undefined =>
  baseUrls.map(one => one.replace(/\/+$/, '')).find(base => url === base || url.startsWith(`${base}/`));

/**
 * Returns the lines that send one request. They leave its status in `$status` and its body in `$work/answer`. `query`
 * names a variable of the script that replaces the query of the URL.
 */
export function sendLines(
  request: Exchange['request'],
  { parts, baseUrls }: Pick<ScriptContext, 'parts' | 'baseUrls'>,
  query?: string,
): string[] {
  const { method, url, body } = request;
  const path = url.slice(baseOf(url, baseUrls)?.length ?? 0);
  return [
    ...(body ? [`{ ${parts.written(body.text)}; } >"$work/body"`] : []),
    [
      'send',
      parts.word(method),
      query === undefined ? pathWord(path, parts) : `${pathWord(path.split('?')[0] ?? '', parts)}"$${query}"`,
      ...headerWords(request, parts.word),
      ...(body ? ['--data-binary', '@"$work/body"'] : []),
    ].join(' '),
  ];
}

/** Returns the names of the headers that the owner of the target adds to every request. */
export const addedHeaders = (exchanges: readonly Exchange[]): readonly string[] => [
  ...new Set(exchanges.flatMap(({ request }) => request.headers.filter(isAdded).map(({ name }) => name))),
];

/** Returns the operation of a request, and its entity. */
export const operationOf = ({ request: { method, url } }: Exchange, baseUrls: readonly string[]) =>
  operationAt(method, url.slice(baseOf(url, baseUrls)?.length ?? 0).split('?')[0] ?? '');

/** Returns the members that a request sends. */
export const membersSent = ({ request: { body } }: Exchange): Members => membersOf(parsedJson(body?.text ?? ''));

/** Returns the body that restores an entity: for a patch the changed or accused members, else the whole snapshot. */
function bodyOf({ endpoint, body }: FixtureSnapshot, exchanges: readonly Exchange[], pointer: string): JsonObject {
  const whole = body as JsonObject;
  if (endpoints[endpoint].method !== 'PATCH') return whole;
  const touched = new Set([...exchanges.flatMap(one => Object.keys(membersSent(one))), ...steps(pointer), 'isEnabled']);
  return Object.fromEntries(Object.entries(whole).filter(([name]) => touched.has(name)));
}

/**
 * Returns the function `put_back` of a script, which restores the snapshots of the entities that the script changes. It
 * leaves `1` in `$is_put_back`, or `no` if some write was refused.
 */
export function putBackLines(
  exchanges: readonly Exchange[],
  { baseUrls, snapshots, parts }: ScriptContext,
  pointer: string,
): string[] {
  const keyHeader = exchanges
    .flatMap(({ request }) => request.headers)
    .find(({ value }) => value.includes(redactions.key))?.name;
  const base = baseUrls[0]?.replace(/\/+$/, '') ?? '';
  const writes = exchanges.flatMap(exchange => {
    const operation = operationOf(exchange, baseUrls);
    return !operation || endpoints[operation.endpoint].effect === 'read' ? [] : [{ ...operation, exchange }];
  });
  const lines = snapshots.flatMap(snapshot => {
    const row = endpoints[snapshot.endpoint];
    const own = writes.filter(
      one => endpoints[one.endpoint].collection === row.collection && one.param === snapshot.param,
    );
    if (own.length === 0) return [];
    const exchangesOfIt = own.map(({ exchange }) => exchange);
    const text = JSON.stringify(bodyOf(snapshot, exchangesOfIt, pointer));
    const request = {
      method: row.method,
      url: `${base}${row.path.replace(/\{\w+\}/, () => urlText(snapshot.param ?? ''))}`,
      headers: [
        { name: keyHeader ?? 'SERVICE-API-KEY', value: redactions.key },
        ...addedHeaders(exchanges).map(name => ({ name, value: hidden.header })),
        { name: 'content-type', value: 'application/json' },
      ],
      body: { text, bytes: Buffer.byteLength(text), truncated: false },
    };
    return [
      ...sendLines(request, { parts, baseUrls: [base] }),
      `case $status in 2??) ;; *) is_put_back=no; echo "! not put back: status $status" >&2 ;; esac`,
    ];
  });
  return ['put_back() {', ...['is_put_back=1', ...lines].map(line => `  ${line}`), '}'];
}
