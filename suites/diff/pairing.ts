import type { Schema } from '../../contracts/dialect.ts';
import { endpointRow } from '../../contracts/endpoints.ts';
import { isObject, type Json } from '../../contracts/json.ts';
import { memoized } from '../../contracts/memoized.ts';
import { propertiesOf } from '../judge/compared.ts';
import { createdName } from './counterparts.ts';
import type { RecordedExchange } from './recording.ts';

/** The members of a body at every depth that the contract documents, those of all items of a list as one. */
function membersAsked(body: Json | undefined, schema: Schema | undefined, at = ''): string[] {
  if (Array.isArray(body)) return body.flatMap(item => membersAsked(item, schema?.items, `${at}*`));
  if (!isObject(body)) return [];
  const documented = propertiesOf(schema);
  // What is in an object of free form is a server's own.
  if (at !== '' && documented === undefined) return [];
  return Object.entries(body).flatMap(([name, value]) =>
    // So is a member within that no table names: what a server shows is sent back to it whole.
    at !== '' && !Object.hasOwn(documented ?? {}, name)
      ? []
      : [`${at}/${name}`, ...membersAsked(value as Json, documented?.[name], `${at}/${name}`)],
  );
}

/** What is asked, without the words that are a server's own, and the body as it was sent. Asked for again and again. */
const askedOnce = memoized(({ endpoint, request }: RecordedExchange): { text: string; body: string } => {
  const { method, own, key, query = {}, body, raw } = request;
  const members = [...new Set(membersAsked(body, endpointRow(endpoint).body ?? undefined))].sort().join();
  const shape = raw === undefined ? (isObject(body) ? members : typeof body) : 'raw';
  return {
    text: [endpoint, method, own, key, Object.keys(query).sort().join(), shape].join(' '),
    body: JSON.stringify([body, query, raw]),
  };
});

const askedFor = (exchange: RecordedExchange): string => askedOnce(exchange).text;

/** What was sent, but for what marks a run in it; `param` counts where both servers name their entities alike. */
function sentWords(exchange: RecordedExchange, token: string, hasParam: boolean): string {
  const text = `${askedOnce(exchange).body} ${hasParam ? exchange.request.param : ''}`;
  const unmarked = text.replaceAll(createdName, '«»');
  return token === '' ? unmarked : unmarked.replaceAll(token, '«»');
}

/** The exchanges of a case, and the token of the run that they are of. */
export interface CaseOfSide {
  readonly exchanges: readonly RecordedExchange[];
  readonly token: string;
}

/**
 * Pairs the exchanges of one case: first those that sent the same, then those that sent the same in the words of each
 * server. What both sent, and one of them more often, has no counterpart then: a control that was repeated is not
 * another request.
 */
export function pairsOfCase(a: CaseOfSide, b: CaseOfSide): Map<RecordedExchange, RecordedExchange> {
  const pairs = new Map<RecordedExchange, RecordedExchange>();
  const left = { a: [...a.exchanges], b: [...b.exchanges] };
  const pairBy = (keyOf: (one: RecordedExchange, token: string) => string): void => {
    const waiting = new Map<string, RecordedExchange[]>();
    for (const one of left.b) {
      const key = keyOf(one, b.token);
      const queue = waiting.get(key);
      if (queue === undefined) waiting.set(key, [one]);
      else queue.push(one);
    }
    for (const one of left.a) {
      const other = waiting.get(keyOf(one, a.token))?.shift();
      if (other !== undefined) pairs.set(one, other);
    }
    const taken = new Set(pairs.values());
    left.a = left.a.filter(one => !pairs.has(one));
    left.b = left.b.filter(one => !taken.has(one));
  };
  const sentBy =
    (hasParam: boolean) =>
    (one: RecordedExchange, token: string): string =>
      `${askedFor(one)} ${sentWords(one, token, hasParam)}`;
  pairBy(sentBy(true));
  pairBy(sentBy(false));
  const sent = {
    a: new Set(a.exchanges.map(one => sentBy(false)(one, a.token))),
    b: new Set(b.exchanges.map(one => sentBy(false)(one, b.token))),
  };
  left.a = left.a.filter(one => !sent.b.has(sentBy(false)(one, a.token)));
  left.b = left.b.filter(one => !sent.a.has(sentBy(false)(one, b.token)));
  pairBy(askedFor);
  return pairs;
}
