import { type Endpoint, hasDryRun } from '../../../contracts/endpoint.ts';
import type { EndpointId } from '../../../contracts/endpoints.ts';
import { isObject, membersOf } from '../../../contracts/json.ts';
import { operationAt } from '../../../contracts/operation-at.ts';
import { compact } from '../../../contracts/present.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { refusalRequirements, requirementOfFault } from '../../checks/active/refusal.ts';
import { checks } from '../../checks/index.ts';
import { message } from '../../checks/passive/message.ts';
import { pages } from '../../checks/passive/pages.ts';
import { coveredBy } from '../../checks/verified-by.ts';
import { isGatewayError } from '../../client/deferral.ts';
import { refusalViolations } from '../../judge/outcome.ts';
import { readPage } from '../../judge/page.ts';
import { askedNumber, judgeByQuery, type Queried } from '../../judge/queried-page.ts';
import { isDryRun, outcomeOf } from '../../protocol/answer.ts';
import { type PassiveCheck, violation } from '../../protocol/check.ts';
import { clipped } from '../../sut/clipped.ts';
import type { BodyJudgement } from '../client/client.ts';
import type { BodyProblem } from '../exchange/body-problems.ts';
import { type Breach, type Judged, type Judgement, nothing } from '../exchange/breach.ts';
import type { KeyUse } from '../exchange/key-use.ts';
import { forgivenSegments } from '../exchange/paths.ts';
import type { SeenExchange } from '../exchange/seen.ts';

/** The id of the check for requests that had to be refused and for server failures. */
export const refusedCheck = 'refused-requests';

/** Returns the requirements that the check can find broken at an operation. */
export const refusedRequirements = (row: Endpoint, endpoint: EndpointId): readonly RequirementId[] => [
  ...(row.body ? (['robust.malformed-json', ...refusalRequirements(row, endpoint)] as const) : []),
  'robust.never-5xx',
  'robust.no-drop',
  'auth.missing-key',
  'auth.empty-key',
  'auth.key-in-query',
  'auth.key-in-body',
  'auth.bearer',
  'auth.other-carrier',
  'auth.other-path',
  ...(row.list ? (['pagination.odd-values'] as const) : []),
];

/** Why a request had to be refused, and the requirement that accepting it breaks. */
interface Reason {
  readonly requirement: RequirementId;
  readonly because: string;
  readonly about?: Breach['about'];
}

/** Returns the requirement that accepting a request without a key in its header breaks, by the place of the key. */
function keyReason({ isKnown, inHeader, inQuery, inBody, inOther, isEmpty }: KeyUse): Reason | undefined {
  if (!isKnown || inHeader) return undefined;
  if (inQuery !== undefined) return { requirement: 'auth.key-in-query', because: 'a key in the query is none' };
  if (inBody !== undefined) return { requirement: 'auth.key-in-body', because: 'a key in the body is none' };
  if (inOther === 'authorization')
    return { requirement: 'auth.bearer', because: 'a key in the header Authorization is none' };
  if (inOther !== undefined)
    return { requirement: 'auth.other-carrier', because: `a key in the header ${inOther} is none` };
  return isEmpty
    ? { requirement: 'auth.empty-key', because: 'its key is empty' }
    : { requirement: 'auth.missing-key', because: 'it has no key' };
}

/** Returns why a request had to be refused, the most telling reason first. */
function reasonsOf(seen: SeenExchange, problems: readonly BodyProblem[], use: KeyUse): readonly Reason[] {
  const { body, row, isOpenBody } = seen;
  const key = keyReason(use);
  if (key) return [key];
  if (isOpenBody) return [];
  if (body?.kind === 'broken' && row.body)
    return [{ requirement: 'robust.malformed-json', because: `its body ${body.why}` }];
  // An empty body is open, even if the operation requires members.
  if (body?.kind !== 'json') return [];
  return problems.map(problem => ({
    requirement: requirementOfFault(problem, { row }),
    because: `${problem.pointer === '' ? 'the body' : problem.pointer} ${problem.message}`,
    about: problem,
  }));
}

/** True if a list was asked for a page or limit that cannot exist. */
const isOddPage = ({ row, query }: SeenExchange): boolean =>
  row.list &&
  ['page', 'limit'].some(name => {
    const value = query.get(name);
    return value !== null && !/^[1-9]\d{0,4}$/.test(value);
  });

/** Judges the answer to a request that had to be refused, and any 5xx. */
function judgeRefusal(seen: SeenExchange, problems: readonly BodyProblem[], use: KeyUse): Judged {
  const { answer } = seen;
  const { status } = answer;
  // That a gateway could not ask the server is no defect if it is rare.
  if (answer.reply.failure || isGatewayError(status) || status === 429) return nothing;
  const reasons = reasonsOf(seen, problems, use);
  if (status >= 500) {
    const [reason] = reasons;
    const about = reason?.about;
    const otherwise = isOddPage(seen) ? 'pagination.odd-values' : 'robust.never-5xx';
    const requirement = about ? 'reject.never-5xx' : otherwise;
    const expected = reason ? `a refusal (4xx): ${reason.because}` : 'any status below 500';
    const one = violation(answer, requirement, 'status', expected, `status ${status}`);
    return { ...nothing, breaches: [{ ...one, about }] };
  }
  return {
    breaches: reasons.flatMap(({ requirement, because, about }) =>
      refusalViolations(answer, requirement, because).map(one => ({ ...one, about })),
    ),
    covers: compact<RequirementId>([
      'robust.never-5xx',
      isOddPage(seen) && 'pagination.odd-values',
      ...reasons.map(({ requirement }) => requirement),
      reasons.some(({ about }) => about !== undefined) && 'reject.never-5xx',
    ]),
  };
}

/**
 * Judges a keyless request to another spelling of a documented path: the server must not answer as the operation does
 * (section 5). With a key, routers may be lenient.
 */
function judgeOtherPath({ exchange, path, answer, endpoint, row }: SeenExchange, use: KeyUse): Judged {
  const meant = operationAt(exchange.request.method, `/${forgivenSegments(path).join('/')}`.toLowerCase());
  if (!use.isKnown || use.inHeader || meant?.endpoint !== endpoint || answer.reply.failure) return nothing;
  const { message, data } = membersOf(answer.value);
  const isAnswered = typeof message === 'string' && (row.list ? Array.isArray(data) : isObject(data));
  return {
    breaches: answer.success && isAnswered ? refusalViolations(answer, 'auth.other-path', 'it has no key') : [],
    covers: ['auth.other-path'],
  };
}

const seenOnce = 'seen once at this operation: a server that is started anew, or a gateway, looks the same';

/** Judges dropped connections (section 7): the first at an operation is a warning, the second a breach. */
function createDropsJudge(): (seen: SeenExchange) => readonly Breach[] {
  const dropped = new Set<EndpointId>();
  return ({ exchange: { response }, operation, answer }) => {
    if (!('failure' in response) || !response.isDropped || !operation) return [];
    const isFirst = !dropped.has(operation.endpoint);
    dropped.add(operation.endpoint);
    const one = violation(answer, 'robust.no-drop', 'connection', 'an HTTP answer', outcomeOf(answer));
    return [isFirst ? { ...one, doubt: seenOnce } : one];
  };
}

const beforeTheServer = 'what stands before a server (a filter, a gateway) refuses in HTML as well';

/** True if a refusal may come from a filter or gateway before the server: it is an HTML page. */
const isPageOfFilter = ({ answer: { status, reply } }: SeenExchange): boolean =>
  (status === 403 || status === 429) && /^text\/html\b/i.test(String(reply.headers['content-type'] ?? ''));

/** The passive checks: they judge any answer of a documented operation. */
export const passiveChecks: readonly PassiveCheck[] = checks.filter(check => check.kind === 'passive');

/** Judges an answer by the passive checks, but for pages, of which some are open. */
function judgePassively(seen: SeenExchange): Judgement[] {
  const { endpoint, row, answer, exchange } = seen;
  // A gateway's status is not the server's answer, and a redirection is not the API's.
  if (isGatewayError(answer.status) || (answer.status >= 300 && answer.status < 400)) return [];
  const judged = clipped(answer);
  const areHeadersKnown = !('failure' in exchange.response) && exchange.response.headers !== 'not recorded';
  // The message of a dry run is open. Without the request body it is unknown whether this was one.
  const isMessageOpen = isDryRun(answer) || (answer.sent === undefined && hasDryRun(row));
  const apart: readonly string[] = compact([isMessageOpen && message.id, pages.id]);
  const doubt = isPageOfFilter(seen) ? { doubt: beforeTheServer } : {};
  return passiveChecks.flatMap(check => {
    if (!check.appliesTo(row) || apart.includes(check.id)) return [];
    const result = check.observe(judged, row);
    if (!result.proved) return [];
    const known = result.violations.filter(({ pointer }) => areHeadersKnown || !pointer.startsWith('header '));
    return {
      check: check.id,
      breaches: known.map(violation => ({ ...violation, ...doubt })),
      covers: [...coveredBy(check, endpoint, result)].filter(id => areHeadersKnown || id !== 'envelope.content-type'),
    };
  });
}

/**
 * Judges a page of a list, however long. `isOpen`: only links define the pages of this list, and none offered this one,
 * so any answer is allowed.
 */
function judgePage(seen: SeenExchange, isOpen: boolean): Judged {
  const { row, answer, operation } = seen;
  const asked = askedIn(seen);
  const page = operation && row.list && !isOpen ? readPage(answer) : null;
  if (!page || !asked) return nothing;
  const { violations, covers } = judgeByQuery(page, asked, row);
  return { breaches: violations, covers: [...covers] };
}

/** Creates a judge of the answers of servers. */
export function createServerJudge() {
  const judgeDrops = createDropsJudge();
  /**
   * Judges an answer by its request. Refusing a valid request is no breach, because the reason may lie outside the
   * traffic. `isOpenPage`: the request asks for a page that no link offered.
   */
  return (seen: SeenExchange, { problems }: BodyJudgement, use: KeyUse, isOpenPage: boolean): readonly Judgement[] => {
    if (!seen.operation) return [{ check: refusedCheck, ...judgeOtherPath(seen, use) }];
    const { breaches, covers } = judgeRefusal(seen, problems, use);
    const refused = { check: refusedCheck, breaches: [...breaches, ...judgeDrops(seen)], covers };
    if (seen.unreadable) return [refused];
    return [refused, ...judgePassively(seen), { check: pages.id, ...judgePage(seen, isOpenPage) }];
  };
}

/** Returns the page and the limit that a request asks for; undefined if no list has them, as any answer is then open. */
export function askedIn({ query }: SeenExchange): Queried | undefined {
  const once = (name: string) => {
    const [value, ...more] = query.getAll(name);
    return more.length > 0 ? null : askedNumber(value);
  };
  const [page, limit] = [once('page'), once('limit')];
  return page === null || limit === null ? undefined : { page, limit };
}

/** Returns the undocumented query parameters of a list, which may filter or sort its items. */
export const otherParameters = ({ query }: SeenExchange): string =>
  [...query]
    .filter(([name]) => name !== 'page' && name !== 'limit')
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
    .slice(0, 300);
