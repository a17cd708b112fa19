import { type EndpointId, endpointIds, endpoints } from '../../../contracts/endpoints.ts';
import { operationAt } from '../../../contracts/operation-at.ts';
import { clip } from '../../../contracts/redaction/clip.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { type Breach, clientBreach, type Note } from '../exchange/breach.ts';
import type { KeyUse } from '../exchange/key-use.ts';
import type { SeenExchange } from '../exchange/seen.ts';

/** The documented operations of a path. */
const operationsOf = (path: string): readonly EndpointId[] =>
  endpointIds.filter(id => operationAt(endpoints[id].method, path)?.endpoint === id);

const written = (id: EndpointId): string => `${endpoints[id].method} ${endpoints[id].path}`;

/** Judges where a request goes (section 4). */
export function routeBreaches(seen: SeenExchange): readonly Breach[] {
  const { operation, path, endpoint, exchange } = seen;
  if (operation !== undefined) return [];
  const { method } = exchange.request;
  const others = operationsOf(path);
  if (others.length > 0) {
    const expected = `${others.map(id => endpoints[id].method).join(' or ')}: the path is that of ${others.map(written).join(', ')} (section ${endpoints[others[0] ?? endpoint].section})`;
    return [clientBreach(seen, 'client.method', 'method', expected, clip(method, 20))];
  }
  const expected = `a path of section 4; the nearest is ${written(endpoint)} (section ${endpoints[endpoint].section})`;
  return [clientBreach(seen, 'client.path', 'path', expected, clip(`${method} ${path}`, 200))];
}

/** Judges the content type of a body (section 1). */
export function contentTypeBreaches(seen: SeenExchange): readonly Breach[] {
  const { headers, body, row, operation } = seen;
  if (operation === undefined || headers === undefined || row.body === null) return [];
  if (body === undefined || body.kind === 'empty') return [];
  const types = headers.get('content-type');
  if (types?.every(type => /^application\/json\s*(;|$)/i.test(type.trim()))) return [];
  const actual = types === undefined ? 'no content type' : clip(types.join(', '), 120);
  return [clientBreach(seen, 'client.content-type', 'header content-type', 'application/json (section 1)', actual)];
}

/** Judges the query of the lists for which one is stated (sections 4.11 and 4.12); notes what no document names. */
export function queryJudgement(seen: SeenExchange): { breaches: readonly Breach[]; notes: readonly Note[] } {
  const { query, row, operation } = seen;
  if (operation === undefined) return { breaches: [], notes: [] };
  const known = row.list ? ['limit', 'page'] : [];
  const breaches = known.flatMap(name => {
    const wrong = query.getAll(name).find(value => !/^-?\d+$/.test(value));
    if (wrong === undefined || row.query === null) return [];
    const expected = `an integer (query.${name}, section ${row.section})`;
    return [clientBreach(seen, 'client.query-type', `query ${name}`, expected, JSON.stringify(clip(wrong, 80)))];
  });
  const notes = [...new Set(query.keys())]
    .filter(name => !known.includes(name))
    .slice(0, 20)
    .map((name): Note => ({ requirement: 'client.undocumented-query', subject: clip(name, 80), value: 'sent' }));
  return { breaches, notes };
}

/** Judges where the key of a request stands (section 5). The key itself is never told. */
export function keyBreaches(seen: SeenExchange, use: KeyUse, header: string): readonly Breach[] {
  const breaches: Breach[] = [];
  if (use.isKnown && !use.inHeader) {
    const elsewhere = use.inOther === undefined ? '' : `; there is a header ${use.inOther}`;
    const actual = use.isEmpty ? 'an empty header' : `no such header${elsewhere}`;
    breaches.push(
      clientBreach(seen, 'client.key-header', `header ${header}`, 'the key in this header (section 5)', actual),
    );
  }
  const misplaced: readonly (readonly [name: string | undefined, requirement: RequirementId, where: string])[] = [
    [use.inQuery, 'client.key-not-in-query', 'query'],
    [use.inPath ? '' : undefined, 'client.key-not-in-query', 'path'],
    [use.inBody, 'client.key-not-in-body', 'body'],
  ];
  for (const [name, requirement, where] of misplaced) {
    if (name === undefined) continue;
    const shown = clip(name, 80);
    const pointer = shown === '' ? where : where === 'query' ? `query ${shown}` : `/${shown}`;
    const expected = 'the key in its header only (section 5)';
    const actual = `a key in the ${where}${shown === '' ? '' : `, as ${shown}`}`;
    breaches.push(clientBreach(seen, requirement, pointer, expected, actual));
  }
  return breaches;
}
