import { hasDryRun } from '../../../contracts/endpoint.ts';
import type { EndpointId } from '../../../contracts/endpoints.ts';
import { isObject } from '../../../contracts/json.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import type { Answer } from '../../protocol/answer.ts';
import {
  type CheckContext,
  type CheckResult,
  covering,
  type Session,
  unproved,
  violation,
} from '../../protocol/check.ts';
import { answerOrNull, unlessGivenUp } from '../../protocol/stop.ts';
import { createEventually } from '../../state/eventually.ts';
import { readQualifyingEvent } from '../../state/reading.ts';
import { isBlockedRequest, minimalRequest } from '../../sut/minimal-request.ts';
import { fixtureNames } from '../../sut/target.ts';
import { asDryRun } from './dry-run.ts';

/** For each operation, another one whose success shows that the entity exists. */
const shownBy: Partial<Record<EndpointId, EndpointId>> = {
  'disable-gate': 'patch-gate',
  'disable-config': 'list-config-versions',
  'archive-config': 'list-config-versions',
  'update-qualifying-event': 'list-qualifying-events',
  'update-experiment': 'enable-groups',
  'enable-groups': 'update-experiment',
};

/** True of an id that every router takes as a single path segment. */
const isPlain = (id: string): boolean => /^[A-Za-z0-9_-]+$/.test(id);

/** Read operations that look up the entity in their path. */
const seeking = ['list-config-versions', 'list-event-metrics', 'patch-gate'] as const;

/** True if another operation shows the entity now. */
async function isShown({ endpoint, target, discovered }: CheckContext, session: Session, id: string): Promise<boolean> {
  const by = shownBy[endpoint];
  if (by === undefined) return false;
  if (by === 'list-qualifying-events')
    return (await unlessGivenUp(readQualifyingEvent(session, id), null))?.entity != null;
  const request = by === 'patch-gate' ? { param: id, body: {} } : minimalRequest(target, discovered, by, id);
  if (isBlockedRequest(request)) return false;
  return (await answerOrNull(session, { endpoint: by, ...request }))?.success === true;
}

/** Returns an id that names nothing. */
export const absentName = ({ token }: Pick<CheckContext, 'token'>): string => `conform-${token}-none`;

/** Returns the answer's text without what it repeats of the path. */
function toldOf({ reply }: Answer): string {
  const steps = reply.request.path.split(/[/?]/).filter(step => step.length > 1);
  const text = reply.body.kind === 'empty' ? '' : reply.body.text.slice(0, 4_000);
  return steps.reduce((rest, step) => rest.replaceAll(step, '~'), text).replace(/(~\/?)+/g, '~');
}

/** Returns the status, and the same without what varies from one time to the next: ids, numbers, times. */
function said(answer: Answer): string {
  const varying = /\b[0-9a-f]{4,}(-[0-9a-f]{4,})+|[0-9a-f]{8,}|(?<![\p{L}\p{N}])[\p{L}\p{N}]*\d[\p{L}\p{N}]*/giu;
  return `${answer.status} ${toldOf(answer).replace(varying, '#')}`;
}

/** True if an answer has the same words as several others, but for those in which these differ from one another. */
function hasWordsOf(answer: Answer, others: readonly Answer[]): boolean {
  const [own = [], ...rest] = [answer, ...others].map(each => toldOf(each).split(/[^\p{L}\p{N}~_-]+/u));
  if (rest.some(each => each.length !== own.length)) return false;
  return own.every((word, index) => {
    const theirs = new Set(rest.map(each => each[index]));
    return theirs.has(word) || theirs.size > 1;
  });
}

const ask = (session: Session, request: Parameters<Session['send']>[0]) =>
  answerOrNull(session, { ...request, unobserved: true });

/** Sends a request to an unknown path with as many steps. */
const askNowhere = (context: CheckContext, session: Session, { request }: Answer): Promise<Answer | null> => {
  const steps = context.row.path.split('/').map((step, index) => (index < 3 ? step : absentName(context)));
  const harmless = context.endpoint === 'patch-gate' ? { body: {} } : {};
  return ask(session, { ...request, ...harmless, rawPath: steps.join('/') });
};

/** True if a 404 is the target's answer to any unknown path, and differs from its answer to an unknown id elsewhere. */
export async function isLikeUnknownPath(context: CheckContext, session: Session, answer: Answer): Promise<boolean> {
  const path = await askNowhere(context, session, answer);
  if (path === null || said(path) !== said(answer)) return false;
  const none = absentName(context);
  for (const endpoint of seeking) {
    if (endpoint === context.endpoint || (context.readOnly && endpoint === 'patch-gate')) continue;
    const id = await ask(session, { endpoint, param: none, ...(endpoint === 'patch-gate' && { body: {} }) });
    if (id?.status === 404 && said(id) !== said(path)) return true;
  }
  return false;
}

/** True if a 404 is the operation's answer to an unknown id: the same request with one gets the same answer. */
async function isLikeUnknownId(context: CheckContext, session: Session, answer: Answer): Promise<boolean> {
  const request = { ...answer.request, param: absentName(context), unobserved: true as const };
  const other = await answerOrNull(session, request);
  return other !== null && said(other) === said(answer);
}

/**
 * Judges a 404 of an operation whose path names an entity. The operation is not served if it finds neither of two
 * entities that another operation shows before and after. If it finds the second, the problem is the first entity. If
 * no operation shows them, the answer is compared with that to an impossible path.
 */
async function judgeNotFound(context: CheckContext, session: Session, answer: Answer): Promise<CheckResult> {
  const { endpoint, row, target, discovered, minimal, oneShot, settleMs } = context;
  const words = refusalInWords(answer);
  const named = row.fixture === null ? [] : fixtureNames(target, row.fixture);
  // Another run may have archived the last fixture.
  const whole = row.resource === 'config' ? named.slice(0, -1) : named;
  const ids = whole
    .filter(isPlain)
    .sort((one, other) => Number(other === minimal.param) - Number(one === minimal.param));
  const eventually = createEventually(settleMs);

  async function isMissing(id: string): Promise<Answer | null> {
    const request = minimalRequest(target, discovered, endpoint, id);
    if (isBlockedRequest(request)) return null;
    const send = () => answerOrNull(session, { endpoint, ...request });
    return eventually(send, answer => answer?.status !== 404);
  }

  const missing: Answer[] = [];
  const notFound = new Set([minimal.param ?? '']);
  for (const id of oneShot ? [] : ids.slice(0, 2)) {
    const isThere = await isShown(context, session, id);
    const last = await isMissing(id);
    if (last?.success === true && id !== minimal.param)
      return unproved(
        `${minimal.param} was not found (${words}), and ${id} was: is it named rightly in the target file?`,
      );
    if (last?.status === 404) notFound.add(id);
    if (isThere && last?.status === 404 && (await isShown(context, session, id))) missing.push(last);
  }
  const [first, second] = missing;
  if (first !== undefined && second !== undefined && row.collection !== 'events') {
    const expected = `an answer of the operation: ${shownBy[endpoint]} shows ${first.request.param} and ${second.request.param} before and after`;
    const found = violation(first, 'service.route', 'status', expected, refusalInWords(first));
    return covering([{ ...found, seen: { times: 2, of: 2 } }], []);
  }
  const isUnknownPath = await isLikeUnknownPath(context, session, answer);
  // An operation that can be sent to one entity only has no second witness but the answer to unknown paths.
  const own = minimal.param ?? '';
  if (isUnknownPath && oneShot && (await isShown(context, session, own))) {
    const expected = `an answer of the operation: ${shownBy[endpoint]} shows ${own}, and this is the answer to unknown paths, where a key that may not use it gets 403`;
    return covering([violation(answer, 'service.route', 'status', expected, words)], []);
  }
  const asked = isUnknownPath
    ? 'it answers as it answers unknown paths: the operation is probably not served'
    : (await isLikeUnknownId(context, session, answer))
      ? `it answers as it answers unknown ids: is it named rightly in the target file${notFound.size > 1 ? `, as ${[...notFound].slice(1).join(', ')}, which it does not find either` : ''}?`
      : 'is it named rightly in the target file?';
  return unproved(`${minimal.param ?? 'the endpoint'} was not found (${words}): ${asked}`);
}

/**
 * True if the service knows no such path or method. Without an id in the path nothing else can be missing, but a service
 * may hide by 404 what a key may not use, and say so by a word or a number.
 */
export async function isUnrouted(context: CheckContext, session: Session, answer: Answer): Promise<boolean> {
  const { status, request } = answer;
  if (status === 405 || status === 501) return true;
  if (status !== 404 || context.row.param !== null) return false;
  const nowhere = () => askNowhere(context, session, answer);
  // Two before it and one after it show what varies: ids, the time, replicas that answer in turn.
  const before = [await nowhere(), await nowhere()];
  const isDry = hasDryRun(context.row) && isObject(request.body);
  const again = await ask(session, isDry ? { ...request, body: asDryRun(request.body) } : request);
  const unknown = [...before, await nowhere()].filter(each => each !== null);
  return (
    again?.status === 404 &&
    unknown.length > 0 &&
    unknown.every(each => each.status === 404) &&
    hasWordsOf(again, unknown)
  );
}

/**
 * Judges an answer to the smallest request that says the operation or its entity does not exist; null for any other.
 * Nothing more is sent to an operation that is not found.
 */
export async function judgeUnserved(
  context: CheckContext,
  session: Session,
  answer: Answer,
): Promise<CheckResult | null> {
  const unrouted = await isUnrouted(context, session, answer);
  if (!unrouted && answer.status !== 404) return null;
  const words = refusalInWords(answer);
  const expected = `an answer of the operation ${context.row.method} ${context.row.path}`;
  const result = unrouted
    ? covering([violation(answer, 'service.route', 'status', expected, words)], [])
    : context.row.param === null
      ? unproved(`it was not found (${words}), and unknown paths are answered otherwise: may this key use it?`)
      : await judgeNotFound(context, session, answer);
  const lost = result.because ?? `the operation is not served (${words})`;
  session.bases?.set(context.endpoint, { changes: [], ...session.bases.get(context.endpoint), lost });
  return result;
}
