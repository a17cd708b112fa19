import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { acceptanceViolations, refusalViolations } from '../../judge/outcome.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import { type Answer, type ApiRequest, isAccepted, type KeyUse } from '../../protocol/answer.ts';
import {
  type ActiveCheck,
  type CheckContext,
  type CheckPlan,
  covering,
  judged,
  minimalApiRequest,
  type Session,
  unproved,
  violated,
} from '../../protocol/check.ts';
import { traceOf, withMark } from '../../state/trace.ts';
import { otherCase, sameShape } from '../../sut/near-miss-keys.ts';
import { createsForGood } from './dry-run.ts';
import { prepare, sendPrepared } from './prepare.ts';
import { createRecheck } from './recheck.ts';

/** One way to present something that is no key, or the key under another spelling of the header. */
interface KeyCase {
  readonly title: string;
  readonly requirement: RequirementId;
  readonly accepted: boolean;
  /** Shows once more what another case shows, so it is not sent where each acceptance leaves something. */
  readonly again?: true;
  /** Changes the minimal request; null where the way does not exist for this key or this operation. */
  readonly present: (
    key: string,
    header: string,
    minimal: ApiRequest,
    context: CheckContext,
  ) => Partial<ApiRequest> | null;
}

const wrong = (value: string): { key: KeyUse } => ({ key: { kind: 'value', value } });

// biome-ignore format: a table
const keyCases: readonly KeyCase[] = [
  { title: 'without the header',                         requirement: 'auth.missing-key',   accepted: false, present: () => ({ key: { kind: 'none' } }) },
  { title: 'with an empty key',                          requirement: 'auth.empty-key',     accepted: false, present: () => wrong('') },
  { title: 'with another key',                           requirement: 'auth.wrong-key',     accepted: false, present: () => wrong('conform-wrong-key') },
  { title: 'with another key of the same shape',         requirement: 'auth.wrong-key',     accepted: false, present: key => (sameShape(key) === key ? null : wrong(sameShape(key))) },
  { title: 'with the key but for its last character',    requirement: 'auth.near-miss-key', accepted: false, present: key => (key.length < 2 ? null : wrong(key.slice(0, -1))) },
  { title: 'with the first half of the key',             requirement: 'auth.near-miss-key', accepted: false, present: key => (key.length < 4 ? null : wrong(key.slice(0, Math.floor(key.length / 2)))) },
  { title: 'with the key and one character more',        requirement: 'auth.near-miss-key', accepted: false, present: key => wrong(`${key}x`) },
  { title: 'with the key in another letter case',        requirement: 'auth.near-miss-key', accepted: false, present: key => (otherCase(key) === key ? null : wrong(otherCase(key))) },
  { title: 'with the key in the query only',             requirement: 'auth.key-in-query',  accepted: false, present: (key, header) => ({ key: { kind: 'none' }, query: { [header]: key } }) },
  { title: 'with the key in the body only',              requirement: 'auth.key-in-body',   accepted: false, present: (key, header, minimal, { row }) => (row.method === 'GET' ? null : { key: { kind: 'none' }, body: { ...(minimal.body as object | undefined), [header]: key } }) },
  { title: 'with the key as a bearer token only',        requirement: 'auth.bearer',        accepted: false, present: (key, header, _minimal, { target }) => (carriesOther('authorization', header, target) ? null : { key: { kind: 'none' }, headers: { authorization: `Bearer ${key}` } }) },
  { title: 'with the header name in lower case',         requirement: 'auth.header-case',   accepted: true,  present: (_key, header) => ({ key: { kind: 'spelled', header: header.toLowerCase() } }) },
  { title: 'with the header name in upper and lower case', requirement: 'auth.header-case', accepted: true, again: true,  present: (_key, header) => ({ key: { kind: 'spelled', header: mixed(header) } }) },
];

/** True of a header that is the key's own, or that the target file adds: what stands there is no second carrier. */
const carriesOther = (name: string, header: string, { access }: CheckContext['target']): boolean =>
  header.toLowerCase() === name || name in access.headers;

function mixed(header: string): string {
  return header
    .toLowerCase()
    .replace(/(^|-)([a-z])/g, (_all, dash: string, letter: string) => `${dash}${letter.toUpperCase()}`);
}

/** So many requests with the right key are sent again at most where each creates something that stays. */
const mostCreated = 2;

/** The request with the right key once more, where it may be sent. */
async function sendAgain(context: CheckContext, session: Session): Promise<Answer> {
  await prepare(context, session);
  return session.send({ ...minimalApiRequest(context), spare: true });
}

/** Sends each case with a mark in a field that can be read back; and once, before, the request with the right key. */
function presented(context: CheckContext): CheckPlan<KeyCase>['run'] {
  const { target, oneShot, row, minimal, token } = context;
  const trace = traceOf(row);
  const recheck = createRecheck(createsForGood(context) ? mostCreated : undefined);
  let premise: Promise<Answer> | undefined;
  return async (input, session) => {
    if (!oneShot) premise ??= sendPrepared(context, session);
    const opened = await premise;
    const mark = `conform_${token}_key_${keyCases.indexOf(input)}`;
    const request = minimalApiRequest(context, trace && withMark(minimal.body, trace, mark));
    await prepare(context, session);
    const shown = input.present(target.apiKey, target.naming.apiKeyHeader, request, context);
    const answer = await session.send({ ...request, ...shown });
    // Sent again because an answer got lost, a creation meets the one that was carried out.
    if (input.accepted && !answer.success && (answer.reply.attempts ?? 1) > 1)
      return unproved(
        `an answer got lost, and the request that was sent again was refused (${refusalInWords(answer)})`,
      );
    const mayHaveEffect = answer.success || input.accepted;
    const effect = mayHaveEffect ? null : ((await trace?.find(context, session, mark)) ?? null);
    if (effect !== null) {
      const expected = `no effect, for the request ${input.title} was refused (status ${answer.status})`;
      const actual = `its effect, ${JSON.stringify(mark)}, can be read`;
      return violated(effect, 'auth.no-effect', trace?.pointer ?? '', expected, actual);
    }
    const judge = input.accepted ? acceptanceViolations : refusalViolations;
    const violations = judge(answer, input.requirement, input.title);
    const covers: RequirementId[] = trace === undefined || input.accepted ? [] : ['auth.no-effect'];
    if (opened !== undefined && !isAccepted(opened)) {
      if (!input.accepted && violations.length > 0) return judged(violations);
      return unproved(
        `the same request with the right key was not accepted (${refusalInWords(opened)}), so a refusal proves nothing`,
      );
    }
    // A plan, a lock or a quota refuses the right key as well; then neither a refusal nor an acceptance can be judged.
    const lost = oneShot || answer.success ? null : await recheck(answer, () => sendAgain(context, session));
    if (lost !== null && (input.accepted || violations.length === 0)) return unproved(lost);
    return { ...covering(violations, [input.requirement, ...covers]), onlyIfAccepted: oneShot };
  };
}

/**
 * Section 5: every operation needs the key, in the header, and nothing else is a key. The refused request is otherwise
 * valid and would have a visible effect; it proves something only where the same request with the key was accepted.
 */
export const authentication: ActiveCheck<KeyCase> = {
  kind: 'active',
  id: 'authentication',
  level: 'MUST',
  title: 'Only the right key, in the header, opens the operation',
  detects:
    'A forgotten guard on one route, a comparison by prefix or without letter case, a key taken from the query, the body or a bearer token.',
  requirements: row => [
    ...new Set(keyCases.map(({ requirement }) => requirement)),
    ...(traceOf(row) === undefined ? [] : (['auth.no-effect'] as const)),
  ],
  appliesTo: () => true,
  plan(context) {
    const { target, oneShot, row } = context;
    const minimal = minimalApiRequest(context);
    const header = target.naming.apiKeyHeader;
    return {
      // Where the operation works only once, a case that must be accepted would use it up.
      cases: keyCases.filter(
        ({ accepted, present, again }) =>
          !(oneShot && accepted) &&
          !(again === true && createsForGood(context)) &&
          present(target.apiKey, header, minimal, context) !== null,
      ),
      // Where nothing is written, or each request makes something with its own name, cases do not meet.
      parallel: row.effect === 'read' || row.effect === 'additive',
      describe: ({ title }) => ({ title, pointer: '' }),
      run: presented(context),
    };
  },
};
