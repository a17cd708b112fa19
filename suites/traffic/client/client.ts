import { type EndpointId, endpointIds, endpoints } from '../../../contracts/endpoints.ts';
import { operationAt } from '../../../contracts/operation-at.ts';
import { compact } from '../../../contracts/present.ts';
import { clip } from '../../../contracts/redaction/clip.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { type Violation, violation } from '../../protocol/check.ts';
import { clientCheck, type Judgement, type Note } from '../exchange/breach.ts';
import { valuesOf } from '../exchange/exchange.ts';
import type { KeyUse } from '../exchange/key-use.ts';
import type { SeenExchange } from '../exchange/seen.ts';
import { type BodyJudgement, judgeBody } from './body.ts';
import { createLinks } from './links.ts';
import { createPace } from './pace.ts';

/** The judgement of a request. */
export interface ClientJudgement extends Judgement {
  readonly notes: readonly Note[];
  readonly body: BodyJudgement;
  /** True if the request asks for a page that no link offered, and only links define the pages of this list. */
  readonly isOpenPage: boolean;
}

/** Returns the documented operations of a path. */
const operationsOf = (path: string): readonly EndpointId[] =>
  endpointIds.filter(id => operationAt(endpoints[id].method, path)?.endpoint === id);

const written = (id: EndpointId): string => `${endpoints[id].method} ${endpoints[id].path}`;

/** Judges the method and path of a request that matches no operation (section 4). */
function routeBreach({ path, endpoint, exchange, answer }: SeenExchange): Violation {
  const { method } = exchange.request;
  const others = operationsOf(path);
  if (others.length > 0) {
    const expected = `${others.map(id => endpoints[id].method).join(' or ')}: the path is that of ${others.map(written).join(', ')} (section ${endpoints[others[0] ?? endpoint].section})`;
    return violation(answer, 'client.method', 'method', expected, clip(method, 20));
  }
  const expected = `a path of section 4; the nearest is ${written(endpoint)} (section ${endpoints[endpoint].section})`;
  return violation(answer, 'client.path', 'path', expected, clip(`${method} ${path}`, 200));
}

/** Judges the place of the key in a request (section 5). The key itself is never shown. */
function keyBreaches({ answer }: SeenExchange, use: KeyUse, header: string): Violation[] {
  const breaches: Violation[] = [];
  if (use.isKnown && !use.inHeader) {
    const elsewhere = use.inOther === undefined ? '' : `; there is a header ${use.inOther}`;
    const actual = use.isEmpty ? 'an empty header' : `no such header${elsewhere}`;
    const expected = 'the key in this header (section 5)';
    breaches.push(violation(answer, 'client.key-header', `header ${header}`, expected, actual));
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
    const actual = `a key in the ${where}${shown === '' ? '' : `, as ${shown}`}`;
    breaches.push(violation(answer, requirement, pointer, 'the key in its header only (section 5)', actual));
  }
  return breaches;
}

const hasBody = ({ body }: SeenExchange): boolean => body !== undefined && body.kind !== 'empty';

/** Judges the content type of a body (section 1). */
function contentTypeBreaches(seen: SeenExchange): Violation[] {
  const { exchange, row, operation, answer } = seen;
  const { headers } = exchange.request;
  if (operation === undefined || headers === 'not recorded' || row.body === null || !hasBody(seen)) return [];
  const types = valuesOf(headers, 'content-type');
  if (types.length > 0 && types.every(type => /^application\/json\s*(;|$)/i.test(type.trim()))) return [];
  const actual = types.length === 0 ? 'no content type' : clip(types.join(', '), 120);
  return [violation(answer, 'client.content-type', 'header content-type', 'application/json (section 1)', actual)];
}

const pageParameters = ['limit', 'page'];

/** Judges the query of the lists whose query parameters are stated (sections 4.11 and 4.12). */
function queryBreaches({ query, row, operation, answer }: SeenExchange): Violation[] {
  if (operation === undefined || !row.list || row.query === null) return [];
  return pageParameters.flatMap(name => {
    const wrong = query.getAll(name).find(value => !/^-?\d+$/.test(value));
    if (wrong === undefined) return [];
    const expected = `an integer (query.${name}, section ${row.section})`;
    return violation(answer, 'client.query-type', `query ${name}`, expected, JSON.stringify(clip(wrong, 80)));
  });
}

/** Notes the undocumented query parameters. */
function queryNotes({ query, row, operation }: SeenExchange): Note[] {
  const names = operation === undefined ? [] : [...new Set(query.keys())];
  return names
    .filter(name => !(row.list && pageParameters.includes(name)))
    .slice(0, 20)
    .map(name => ({ requirement: 'client.undocumented-query', subject: clip(name, 80), value: 'sent' }));
}

const followed: Note = { requirement: 'client.followed-link', subject: 'the path of a link', value: 'followed' };

/** Creates a judge of client requests, however a server answers them. `header`: the name of the key header. */
export function createClientJudge(header: string) {
  const pace = createPace();
  const links = createLinks();
  return {
    /** Returns the number of remembered waits and links. */
    size: (): number => pace.size() + links.size(),
    judge(seen: SeenExchange, use: KeyUse): ClientJudgement {
      const isUnknown = seen.operation === undefined;
      const isFollowed = isUnknown && links.wasOffered(seen);
      const body = judgeBody(isUnknown ? { ...seen, body: undefined } : seen);
      const waited = pace.judge(seen, use.key);
      const linked = links.note(seen);
      const isTyped = hasBody(seen) && seen.exchange.request.headers !== 'not recorded';
      return {
        check: clientCheck,
        body,
        isOpenPage: linked.length > 0,
        breaches: [
          ...(isUnknown && !isFollowed ? [routeBreach(seen)] : []),
          ...keyBreaches(seen, use, header),
          ...contentTypeBreaches(seen),
          ...queryBreaches(seen),
          ...body.breaches,
          ...waited.breaches,
        ],
        notes: [...(isFollowed ? [followed] : []), ...queryNotes(seen), ...body.notes, ...linked],
        covers: [
          'client.path',
          'client.method',
          'client.key-not-in-query',
          ...compact([
            use.isKnown && 'client.key-header',
            hasBody(seen) && 'client.key-not-in-body',
            seen.query.size > 0 && 'client.query-type',
            isTyped && 'client.content-type',
          ]),
          ...waited.covers,
          ...body.covers,
        ],
      };
    },
  };
}
