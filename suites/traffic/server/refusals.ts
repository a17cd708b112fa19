import type { Endpoint } from '../../../contracts/endpoint.ts';
import type { EndpointId } from '../../../contracts/endpoints.ts';
import { isObject, membersOf } from '../../../contracts/json.ts';
import { operationAt } from '../../../contracts/operation-at.ts';
import { present } from '../../../contracts/present.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { refusalRequirements, requirementOfFault } from '../../checks/active/refusal.ts';
import { refusalViolations } from '../../judge/outcome.ts';
import { outcomeOf } from '../../protocol/answer.ts';
import { type Violation, violation } from '../../protocol/check.ts';
import type { BodyProblem } from '../exchange/body-problems.ts';
import type { Breach } from '../exchange/breach.ts';
import type { KeyUse } from '../exchange/key-use.ts';
import { forgivenSegments } from '../exchange/paths.ts';
import type { SeenExchange } from '../exchange/seen.ts';

/** The id of the check that judges what an answer does with a request that had to be refused, or that failed. */
export const refusedCheck = 'refused-requests';

/** The requirements that it can show to be broken at an operation. */
export const refusedRequirements = (row: Endpoint, endpoint: EndpointId): readonly RequirementId[] => [
  ...(row.body === null ? [] : (['robust.malformed-json', ...refusalRequirements(row, endpoint)] as const)),
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

/** Why a request had to be refused: the requirement that its acceptance breaks. */
interface Reason {
  readonly requirement: RequirementId;
  readonly because: string;
  readonly about?: Breach['about'];
}

/** The requirement that an acceptance without a key in its header breaks, by where a key stood. */
function keyReason(use: KeyUse): Reason | undefined {
  if (!use.isKnown || use.inHeader) return undefined;
  if (use.inQuery !== undefined) return { requirement: 'auth.key-in-query', because: 'a key in the query is none' };
  if (use.inBody !== undefined) return { requirement: 'auth.key-in-body', because: 'a key in the body is none' };
  if (use.inOther === 'authorization')
    return { requirement: 'auth.bearer', because: 'a key in the header Authorization is none' };
  if (use.inOther !== undefined)
    return { requirement: 'auth.other-carrier', because: `a key in the header ${use.inOther} is none` };
  return use.isEmpty
    ? { requirement: 'auth.empty-key', because: 'its key is empty' }
    : { requirement: 'auth.missing-key', because: 'it has no key' };
}

/** Why a request had to be refused, the most telling first. */
function reasonsOf(seen: SeenExchange, problems: readonly BodyProblem[], use: KeyUse): readonly Reason[] {
  const { body, row, isOpenBody } = seen;
  const key = keyReason(use);
  if (key !== undefined) return [key];
  if (isOpenBody) return [];
  if (body?.kind === 'broken' && row.body !== null)
    return [{ requirement: 'robust.malformed-json', because: `its body ${body.why}` }];
  // An empty body is open, whatever is required in one.
  if (body?.kind !== 'json') return [];
  return problems.map(problem => ({
    requirement: requirementOfFault(problem, { row }),
    because: `${problem.pointer === '' ? 'the body' : problem.pointer} ${problem.message}`,
    about: present({ pointer: problem.pointer, sent: problem.sent }),
  }));
}

/** A gateway's statuses say that it could not ask the server: seen now and then they are no defect. */
export const isGatewayStatus = (status: number): boolean => status === 502 || status === 503 || status === 504;

/** True of a list that was asked for a page that no list has. */
const isOddPage = ({ row, query }: SeenExchange): boolean =>
  row.list &&
  ['page', 'limit'].some(name => {
    const value = query.get(name);
    return value !== null && !/^[1-9]\d{0,4}$/.test(value);
  });

/** What a server did with a request that had to be refused, and whether it stood. */
export function judgeRefusal(
  seen: SeenExchange,
  problems: readonly BodyProblem[],
  use: KeyUse,
): { readonly breaches: readonly Breach[]; readonly covers: readonly RequirementId[] } {
  const { answer } = seen;
  if (answer.reply.failure !== null || isGatewayStatus(answer.status) || answer.status === 429)
    return { breaches: [], covers: [] };
  const reasons = reasonsOf(seen, problems, use);
  const breachOf = (violation: Violation, about?: Breach['about']): Breach =>
    present({ side: 'server' as const, check: refusedCheck, violation, about });
  if (answer.status >= 500) {
    const [reason] = reasons;
    const requirement =
      reason !== undefined && reason.about !== undefined
        ? 'reject.never-5xx'
        : isOddPage(seen)
          ? 'pagination.odd-values'
          : 'robust.never-5xx';
    const expected = reason === undefined ? 'any status below 500' : `a refusal (4xx): ${reason.because}`;
    const one = violation(answer, requirement, 'status', expected, `status ${answer.status}`);
    return { breaches: [breachOf(one, reason?.about)], covers: [] };
  }
  const covers: RequirementId[] = [
    'robust.never-5xx',
    ...(isOddPage(seen) ? (['pagination.odd-values'] as const) : []),
    ...reasons.map(({ requirement }) => requirement),
    ...(reasons.some(({ about }) => about !== undefined) ? (['reject.never-5xx'] as const) : []),
  ];
  const breaches = reasons.flatMap(({ requirement, because, about }) =>
    refusalViolations(answer, requirement, because).map(one => breachOf(one, about)),
  );
  return { breaches, covers };
}

/**
 * What a server did with a request without a key at another spelling of a documented path: it must not answer as the
 * operation does (section 5). With a key routers may forgive.
 */
export function judgeOtherPath(
  seen: SeenExchange,
  use: KeyUse,
): { readonly breaches: readonly Breach[]; readonly covers: readonly RequirementId[] } {
  const { exchange, path, answer, endpoint, row } = seen;
  const meant = operationAt(exchange.request.method, `/${forgivenSegments(path).join('/')}`.toLowerCase());
  if (!use.isKnown || use.inHeader || meant?.endpoint !== endpoint || answer.reply.failure !== null)
    return { breaches: [], covers: [] };
  const covers: readonly RequirementId[] = ['auth.other-path'];
  const { message, data } = membersOf(answer.value);
  const isAnswered = answer.success && typeof message === 'string' && (row.list ? Array.isArray(data) : isObject(data));
  if (!isAnswered) return { breaches: [], covers };
  const expected = 'a refusal (4xx): it has no key';
  const one = violation(answer, 'auth.other-path', 'status', expected, `status ${answer.status}, accepted`);
  return { breaches: [{ side: 'server', check: refusedCheck, violation: one }], covers };
}

const seenOnce = 'seen once at this operation: a server that is started anew, or a gateway, looks the same';

/** Judges connections that a server drops (section 7): one of an operation is a warning, a second one is sure. */
export interface Drops {
  judge(seen: SeenExchange): readonly Breach[];
}

/** Begins to count. */
export function createDrops(): Drops {
  const dropped = new Set<EndpointId>();
  return {
    judge({ exchange: { response }, operation, answer }) {
      if (!('failure' in response) || response.isDropped !== true || operation === undefined) return [];
      const isFirst = !dropped.has(operation.endpoint);
      dropped.add(operation.endpoint);
      const one = violation(answer, 'robust.no-drop', 'connection', 'an HTTP answer', outcomeOf(answer));
      return [{ side: 'server', check: refusedCheck, violation: isFirst ? { ...one, doubt: seenOnce } : one }];
    },
  };
}
