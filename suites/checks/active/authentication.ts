import { writesApart } from '../../../contracts/endpoint.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { acceptanceViolations, refusalViolations } from '../../judge/outcome.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import { type Answer, type ApiRequest, isAccepted } from '../../protocol/answer.ts';
import {
  type ActiveCheck,
  type CheckContext,
  type CheckPlan,
  type CheckResult,
  covering,
  judged,
  minimalApiRequest,
  type Session,
  unproved,
} from '../../protocol/check.ts';
import { unlessWithheld } from '../../protocol/stop.ts';
import { createCare } from '../scenarios/scenario.ts';
import { shownBefore, shownBy } from '../stimuli/shown.ts';
import { stimulus } from '../stimuli/stimulus.ts';
import { addedVersion } from './added-version.ts';
import { createRecheck, prepare, sendControl, sendPersistently, sendPrepared } from './controls.ts';
import { createsForGood } from './dry-run.ts';
import { type KeyCase, keyCases, together, type Way, withoutKey } from './key-cases.ts';
import { effectiveRequest, elsewhere, keyViolations, otherFixtures, sendElsewhere } from './other-fixtures.ts';

/** A variant spelling of the key's header, which must be accepted. */
interface SpelledCase {
  readonly title: string;
  readonly spelled: (header: string) => string;
  /** True if another case shows the same: skipped where each acceptance leaves something. */
  readonly again?: true;
}

// biome-ignore format: a table
const spelledCases: readonly SpelledCase[] = [
  { title: 'with the header name in lower case',           spelled: header => header.toLowerCase() },
  { title: 'with the header name in upper and lower case', spelled: mixed, again: true },
];

/** Shows that all refused requests together had no effect. */
const afterAll = { title: 'the entity after all requests without the right key' };

type Input = KeyCase | SpelledCase | typeof afterAll | typeof otherFixtures;

function mixed(header: string): string {
  return header
    .toLowerCase()
    .replace(/(^|-)([a-z])/g, (_all, dash: string, letter: string) => `${dash}${letter.toUpperCase()}`);
}

/** Maximum number of repeated requests with the right key where each creates something that stays. */
const mostCreated = 2;

/** True if acceptances leave something and few may be sent: the control comes from other checks. */
const isSparing = (context: CheckContext): boolean => createsForGood(context) && context.amounts.creations === 1;

/** Returns the result of a case without a control: the right key was not accepted either. */
const unopened = (opened: Answer): CheckResult =>
  unproved(
    `the same request with the right key was not accepted (${refusalInWords(opened)}), so a refusal proves nothing`,
  );

/** True of a success. A generic page at another path does not count: only the operation's own data does. */
const opens = (answer: Answer): boolean => (answer.own ? answer.success : isAccepted(answer));

/** Runs the cases, and once before them the request with the right key. */
function presented(context: CheckContext): CheckPlan<Input>['run'] {
  const { target, oneShot, minimal, row } = context;
  const { apiKeyHeader: header } = target.naming;
  const care = createCare(context.settleMs);
  const shown = shownBy(row);
  const show = stimulus(['auth.no-effect'], ...(shown === undefined ? [] : [shown]));
  const recheck = createRecheck(createsForGood(context) ? mostCreated : undefined);
  let premise: Promise<Answer> | undefined;
  /** The answer to the right key under another spelling of its header, if that was the premise. */
  let spelledFirst: Answer | undefined;
  let enough: string | null = null;
  const showFirst = stimulus([], ...shownBefore(row));
  let first: Promise<unknown> | undefined;

  /** Sends the request with the right key. If each creation stays, it respells the header, which shows both at once. */
  async function open(session: Session): Promise<Answer> {
    if (row.effect === 'read' || isSparing(context)) return sendControl(session, minimalApiRequest(context));
    if (!createsForGood(context)) return sendPrepared(context, session);
    const key = { kind: 'spelled', header: header.toLowerCase() } as const;
    spelledFirst = await session.send({ ...minimalApiRequest(context), key });
    return spelledFirst.success ? spelledFirst : sendPrepared(context, session);
  }

  /** Sends the request with the right key again, where it may be sent. */
  async function sendAgain(session: Session): Promise<Answer> {
    await prepare(context, session);
    const answer = await session.send({ ...minimalApiRequest(context), spare: true });
    await prepare(context, session);
    return answer;
  }

  async function present({ ways }: KeyCase, session: Session) {
    const request = effectiveRequest(context, session, care.seen.get(minimal.param ?? '') ?? {});
    const chosen = ways({ key: target.apiKey, header, request, context });
    const answer = await session.send({ ...request, ...together(chosen) });
    return { answer, request, chosen };
  }

  /** Finds the way that opens the operation; null if a request without any key does. */
  async function wayIn(request: ApiRequest, chosen: readonly Way[], first: Answer, session: Session) {
    const isKeyless = chosen.some(({ change }) => change.key?.kind === 'none' && Object.keys(change).length > 1);
    // Report a creation as it was found if it may not be repeated.
    const send = (change: Partial<ApiRequest>) => unlessWithheld(session.send({ ...request, ...change }));
    if (isKeyless && (await send({ key: { kind: 'none' } }))?.success === true) return null;
    if (chosen.length < 2) return { answer: first, where: '', breaks: undefined };
    for (const { where, change, breaks } of chosen) {
      const answer = await send(change);
      if (answer !== null && opens(answer)) return { answer, where: `: ${where}`, breaks };
    }
    return { answer: first, where: '', breaks: undefined };
  }

  async function refusedCase(input: KeyCase, session: Session, opened: Answer | undefined): Promise<CheckResult> {
    first ??= showFirst(context, session, care);
    await first;
    const { answer, request, chosen } = await present(input, session);
    const isProved = opened === undefined || isAccepted(opened);
    if (opens(answer)) {
      const found = await wayIn(request, chosen, answer, session);
      if (found === null) return unproved('accepted without any key as well, which another case reports');
      const broken = found.breaks ?? input.requirement;
      const violations = refusalViolations(found.answer, broken, `${input.title}${found.where}`);
      return isProved ? { ...covering(violations, []), onlyIfAccepted: oneShot } : judged(violations);
    }
    const violations = answer.success ? [] : keyViolations(context, answer, input.requirement, input.title);
    if (!isProved) return violations.length > 0 ? judged(violations) : unopened(opened);
    // A plan, a lock or a quota refuses the right key as well; then a refusal proves nothing.
    const lost = oneShot || answer.success ? null : await recheck(answer, () => sendAgain(session));
    enough ??= lost;
    if (lost !== null && violations.length === 0) return unproved(lost);
    return { ...covering(violations, [input.requirement]), onlyIfAccepted: oneShot };
  }

  async function spelledCase({ title, spelled }: SpelledCase, session: Session, opened: Answer | undefined) {
    const key = { kind: 'spelled', header: spelled(header) } as const;
    const known = spelledFirst;
    spelledFirst = undefined;
    if (known === undefined) await prepare(context, session);
    const send = () => session.send({ ...minimalApiRequest(context), key });
    const answer = known ?? (await sendPersistently(send));
    // A creation that was sent again after a lost answer may collide with itself.
    if (!answer.success && (answer.reply.attempts ?? 1) > 1)
      return unproved(
        `an answer got lost, and the request that was sent again was refused (${refusalInWords(answer)})`,
      );
    if (opened !== undefined && !isAccepted(opened)) return unopened(opened);
    const lost = answer.success ? null : await recheck(answer, () => sendAgain(session));
    if (lost !== null) return unproved(lost);
    return covering(acceptanceViolations(answer, 'auth.header-case', title), ['auth.header-case']);
  }

  return async (input, session) => {
    if (input === otherFixtures) return sendElsewhere(context, session);
    if (!oneShot) premise ??= open(session);
    const opened = await premise;
    if ('spelled' in input) return spelledCase(input, session, opened);
    if ('ways' in input) return refusedCase(input, session, opened);
    const before = care.seen.get(minimal.param ?? '');
    const shownAfter = await show(context, session, care);
    const added = await addedVersion(context, session, care, before);
    const result = added.violations.length > 0 ? added : shownAfter;
    // If the right key is refused too, the requests without it could have had no effect anyway.
    return { ...(enough !== null ? unproved(enough) : result), onlyIfAccepted: oneShot };
  };
}

/**
 * Section 5: every operation needs the key, in the header, and nothing else is a key. The refused request is otherwise
 * valid and would have visible effects. It proves something only if the same request with the key was accepted.
 */
export const authentication: ActiveCheck<Input> = {
  kind: 'active',
  id: 'authentication',
  level: 'MUST',
  title: 'Only the right key, in the header, opens the operation',
  detects:
    'A forgotten guard on one route or one spelling of it, a comparison by prefix or without letter case, a key taken from the query, the body, a cookie or another header, a guard after the work.',
  requirements: row => [
    ...new Set<RequirementId>(keyCases.map(({ requirement }) => requirement)),
    'auth.header-case',
    ...(shownBy(row) !== undefined ? ['auth.no-effect' as const] : []),
  ],
  appliesTo: () => true,
  plan(context) {
    const { target, oneShot, row } = context;
    const known = {
      key: target.apiKey,
      header: target.naming.apiKeyHeader,
      request: minimalApiRequest(context),
      context,
    };
    const refused = keyCases.filter(({ ways }) => ways(known).length > 0);
    // If the operation works only once, an accepted case would use it up.
    const spelled =
      oneShot || isSparing(context)
        ? []
        : spelledCases.filter(({ again }) => again !== true || !createsForGood(context));
    const isShown = shownBy(row) !== undefined;
    return {
      // Read back the effect of the refused requests before the accepted ones write, and before others are refused.
      cases: [
        ...refused,
        ...(isShown ? [afterAll] : []),
        ...(elsewhere(context).length > 0 ? [otherFixtures] : []),
        ...spelled,
      ],
      // Cases do not interfere if nothing is written, or if nothing that they create is read.
      parallel: !isShown && writesApart(row),
      describe: input => ({
        title: input.title,
        pointer: '',
        isBasic: input.title === withoutKey || input === afterAll,
        // Lower the priority: it repeats at other fixtures what the first one shows.
        ...(input === otherFixtures && { rule: { keyword: 'fixtures', level: 'MUST' } }),
      }),
      run: presented(context),
    };
  },
};
