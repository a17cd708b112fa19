import { type EndpointId, endpointIds, endpoints } from '../../../contracts/endpoints.ts';
import { isObject, membersOf } from '../../../contracts/json.ts';
import { operationAt } from '../../../contracts/operation-at.ts';
import { compact } from '../../../contracts/present.ts';
import { clip } from '../../../contracts/redaction/clip.ts';
import { type RequirementId, requirementById } from '../../../contracts/requirements/index.ts';
import { linkQuery, pathOf } from '../../judge/page.ts';
import { bodyRequirement } from '../../judge/schema.ts';
import { inWords } from '../../judge/words.ts';
import { type Violation, violation } from '../../protocol/check.ts';
import { type BodyProblem, bodyProblems, undocumentedMembers } from '../exchange/body-problems.ts';
import { boundedMap } from '../exchange/bounded.ts';
import { clientCheck, type Judged, type Judgement, type Note, nothing } from '../exchange/breach.ts';
import { valuesOf } from '../exchange/exchange.ts';
import type { KeyUse } from '../exchange/key-use.ts';
import { twice } from '../exchange/open-body.ts';
import type { SeenExchange } from '../exchange/seen.ts';
import { createPace } from './pace.ts';

/** Maximum number of links remembered. */
const mostLinks = 2_000;

/** Maximum number of characters kept of a path or a page key. */
const longest = 500;

const pageKey = ({ path }: SeenExchange, page: unknown, limit: unknown) =>
  `${path} ${String(page ?? '')} ${String(limit ?? '')}`.slice(0, longest);

/** Creates a memory of the links that answers offered. */
function createLinks() {
  const paths = boundedMap<string, true>(mostLinks);
  const pages = boundedMap<string, true>(mostLinks);
  return {
    size: (): number => paths.size + pages.size,
    /** True if an earlier link had this path: the client followed the link as it stood. */
    wasOffered: ({ path }: SeenExchange): boolean => paths.get(path.slice(0, longest)) === true,
    /** Notes a page that no link offered, then remembers the links of the request's own answer. */
    note(seen: SeenExchange): readonly Note[] {
      const { row, query, operation, answer, path } = seen;
      if (!operation || !row.list) return [];
      const [page, limit] = [query.get('page'), query.get('limit')];
      const isAsked = !row.query && (page !== null || limit !== null);
      const isOffered = pages.get(pageKey(seen, page, limit)) === true;
      for (const link of Object.values(membersOf(membersOf(answer.value).pagination))) {
        if (typeof link !== 'string' || link === '' || link.length > 2_000) continue;
        const linked = pathOf(link);
        if (linked !== path) paths.set(linked.slice(0, longest), true);
        const asked = linkQuery(link);
        pages.set(pageKey(seen, asked.page, asked.limit), true);
      }
      if (!isAsked || isOffered) return [];
      const value = [...query].map(([name, one]) => clip(`${name}=${one}`, 40)).join('&');
      return [{ requirement: 'client.unoffered-page', subject: 'a page that no link offered', value: clip(value, 80) }];
    },
  };
}

/** The judgement of a request body, with notes and the problems found. */
export interface BodyJudgement extends Judged {
  readonly notes: readonly Note[];
  readonly problems: readonly BodyProblem[];
}

const silent: BodyJudgement = { ...nothing, notes: [], problems: [] };

/** Returns the requirement of the client that a body problem breaks. */
const clientRequirement = ({ level, keyword }: BodyProblem): RequirementId =>
  level === 'MUST' ? 'client.body-constraint' : keyword === 'type' ? 'client.body-type' : 'client.body-member';

/** Returns the stated rule and its place: `must have at least 3 characters (gate.name, section 2.3)`. */
function clauseOf({ message, pointer }: BodyProblem, { row }: SeenExchange): string {
  if (pointer === '') return `${message} (section ${row.section})`;
  const id = bodyRequirement(row, pointer);
  return `${message} (${id}, section ${requirementById(id).section})`;
}

/** Returns the problem of an absent body if the operation requires members in it. */
function absentBody({ row }: SeenExchange): BodyProblem[] {
  const required = row.body?.required ?? [];
  const message = `must be an object with ${required.map(name => `\`${name}\``).join(', ')}`;
  return required.length === 0 ? [] : [{ pointer: '', keyword: 'required', level: 'MUST', message, sent: undefined }];
}

/** Judges a request body by the rules of section 2, however the server answered it. */
function judgeBody(seen: SeenExchange): BodyJudgement {
  const { body, row, answer } = seen;
  const { sent } = answer;
  if (!body) return silent;
  if (!row.body)
    return body.kind === 'empty'
      ? silent
      : { ...silent, notes: [{ requirement: 'client.unasked-body', subject: 'a body', value: 'sent' }] };
  const covers: readonly RequirementId[] = ['client.body-json', 'client.body-constraint', 'client.body-type'];
  if (body.kind === 'broken') {
    const doubt = body.why === twice ? { doubt: 'a name twice is bad practice' } : {};
    const expected = 'a body of JSON (section 1)';
    const one = violation(answer, 'client.body-json', 'body', expected, `a body that ${body.why}`);
    return { ...silent, breaches: [{ ...one, ...doubt }], covers };
  }
  const problems = body.kind === 'empty' ? absentBody(seen) : sent === undefined ? [] : bodyProblems(sent, row);
  const breaches = problems.map(problem => {
    const actual = problem.sent === undefined ? 'nothing' : inWords(problem.sent);
    const place = problem.pointer || 'body';
    const one = violation(answer, clientRequirement(problem), place, clauseOf(problem, seen), actual);
    return { ...one, about: problem };
  });
  const undocumented = isObject(sent) ? undocumentedMembers(sent, row) : [];
  return {
    breaches,
    notes: undocumented.map(pointer => ({ requirement: 'client.undocumented-field', subject: pointer, value: 'sent' })),
    problems,
    covers: body.kind === 'empty' && problems.length === 0 ? [] : [...covers, 'client.body-member'],
  };
}

/** The judgement of a request. */
interface ClientJudgement extends Judgement {
  readonly notes: readonly Note[];
  readonly body: BodyJudgement;
  /** True if the request asks for a page that no link offered, and only links define the pages of this list. */
  readonly isOpenPage: boolean;
}

/** Returns the documented operations of a path. */
const operationsOf = (path: string): readonly EndpointId[] =>
  endpointIds.filter(id => operationAt(endpoints[id].method, path)?.endpoint === id);

const written = (id: EndpointId): string => `${endpoints[id].method} ${endpoints[id].path}`;

/** True if a request asks for the headers of a list, as it may of whatever GET answers (RFC 9110 section 9.3.2). */
const isHeadOfList = ({ path, exchange }: SeenExchange): boolean =>
  exchange.request.method === 'HEAD' && operationsOf(path).some(id => endpoints[id].method === 'GET');

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
    [use.inHeader ? use.inOther : undefined, 'client.key-in-one-header', 'header'],
  ];
  for (const [name, requirement, where] of misplaced) {
    if (name === undefined) continue;
    const shown = clip(name, 80);
    const pointer = shown === '' ? where : where === 'body' ? shown : `${where} ${shown}`;
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
  if (!operation || headers === 'not recorded' || !row.body || !hasBody(seen)) return [];
  const types = valuesOf(headers, 'content-type');
  if (types.length > 0 && types.every(type => /^application\/json\s*(;|$)/i.test(type.trim()))) return [];
  const actual = types.length === 0 ? 'no content type' : clip(types.join(', '), 120);
  return [violation(answer, 'client.content-type', 'header content-type', 'application/json (section 1)', actual)];
}

const pageParameters = ['limit', 'page'];

/** Judges the query of the lists whose query parameters are stated (sections 4.11 and 4.12). */
function queryBreaches({ query, row, operation, answer }: SeenExchange): Violation[] {
  if (!operation || !row.list || !row.query) return [];
  return pageParameters.flatMap(name => {
    const wrong = query.getAll(name).find(value => !/^-?\d+$/.test(value));
    if (wrong === undefined) return [];
    const expected = `an integer (query.${name}, section ${row.section})`;
    return violation(answer, 'client.query-type', `query ${name}`, expected, JSON.stringify(clip(wrong, 80)));
  });
}

/** Notes the undocumented query parameters. */
function queryNotes({ query, row, operation }: SeenExchange): Note[] {
  const names = operation ? [...new Set(query.keys())] : [];
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
      const isUnknown = !seen.operation;
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
          ...(isUnknown && !isFollowed && !isHeadOfList(seen) ? [routeBreach(seen)] : []),
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
            use.inHeader && 'client.key-in-one-header',
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
