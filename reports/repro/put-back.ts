import { endpoints } from '../../contracts/endpoints.ts';
import type { JsonObject } from '../../contracts/json.ts';
import { operationAt } from '../../contracts/operation-at.ts';
import { steps } from '../../contracts/pointer.ts';
import { type Exchange, hidden, redactions } from '../../contracts/report/evidence.ts';
import type { FixtureSnapshot } from '../../contracts/report/journal.ts';
import { urlText } from '../../contracts/url-text.ts';
import { isAdded } from '../text/shell.ts';
import { baseOf, sendLines } from './request-lines.ts';
import type { ShellParts } from './shell-parts.ts';

/** The names of the headers that the owner of the target adds to every request. */
export const addedHeaders = (exchanges: readonly Exchange[]): readonly string[] => [
  ...new Set(exchanges.flatMap(({ request }) => request.headers.filter(isAdded).map(({ name }) => name))),
];

/** What a request asks of which entity. */
const operationOf = ({ request: { method, url } }: Exchange, baseUrls: readonly string[]) =>
  operationAt(method, url.slice(baseOf(url, baseUrls)?.length ?? 0).split('?')[0] ?? '');

/** The names of the members that requests to one entity sent. */
function membersSent(exchanges: readonly Exchange[]): string[] {
  return exchanges.flatMap(({ request }) => {
    try {
      return Object.keys(JSON.parse(request.body?.text ?? '{}') as object);
    } catch {
      return [];
    }
  });
}

/** What puts an entity back: of a patch the members that were changed or are accused, else the whole snapshot. */
function bodyOf({ endpoint, body }: FixtureSnapshot, exchanges: readonly Exchange[], pointer: string): JsonObject {
  const whole = body as JsonObject;
  if (endpoints[endpoint].method !== 'PATCH') return whole;
  const touched = new Set([...membersSent(exchanges), ...steps(pointer), 'isEnabled']);
  return Object.fromEntries(Object.entries(whole).filter(([name]) => touched.has(name)));
}

/** Returns the function `put_back` of a script: it sends what the journal recorded before the run of what the script changes. */
export function putBackLines(
  exchanges: readonly Exchange[],
  snapshots: readonly FixtureSnapshot[],
  keyHeader: string | undefined,
  parts: ShellParts,
  baseUrls: readonly string[],
  pointer: string,
): string[] {
  const base = baseUrls[0]?.replace(/\/+$/, '') ?? '';
  const writes = exchanges.flatMap(exchange => {
    const operation = operationOf(exchange, baseUrls);
    return operation === undefined || endpoints[operation.endpoint].effect === 'read'
      ? []
      : [{ ...operation, exchange }];
  });
  const lines = snapshots.flatMap(snapshot => {
    const row = endpoints[snapshot.endpoint];
    const own = writes.filter(
      one => endpoints[one.endpoint].collection === row.collection && one.param === snapshot.param,
    );
    if (own.length === 0) return [];
    const text = JSON.stringify(
      bodyOf(
        snapshot,
        own.map(({ exchange }) => exchange),
        pointer,
      ),
    );
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
      ...sendLines(request, parts, [base]),
      `case $status in 2??) ;; *) echo "! not put back: status $status" >&2 ;; esac`,
    ];
  });
  return ['put_back() {', ...[...lines, 'is_put_back=1'].map(line => `  ${line}`), '}'];
}
