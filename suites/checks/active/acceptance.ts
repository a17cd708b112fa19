import { hasDryRun, isOperation } from '../../../contracts/endpoint.ts';
import { steps } from '../../../contracts/pointer.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import type { AcceptCase } from '../../generators/index.ts';
import { acceptanceViolations, isCircumstantial, isClientError } from '../../judge/outcome.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import { type Answer, isAccepted, isKeyRefusal } from '../../protocol/answer.ts';
import {
  type CaseDescription,
  type CheckContext,
  type CheckPlan,
  type CheckResult,
  covering,
  judged,
  minimalApiRequest,
  type Session,
  unproved,
  violation,
} from '../../protocol/check.ts';
import { unlessWithheld } from '../../protocol/stop.ts';
import { createAttempts } from './attempts.ts';
import { templateOf } from './body.ts';
import { noteControl, sendPersistently, wasAccepted } from './controls.ts';
import { asDryRun, createsForGood, dryRuns, refusedDryRun, withoutLoss } from './dry-run.ts';
import { packedRequests } from './packed.ts';
import { archivedAfterDisabling, isSought, judgeBase, openPremise } from './premise.ts';
import { createTurns } from './turns.ts';
import { judgeUnserved } from './unserved.ts';

/** Maximum number of refused creations that a check examines: each examination leaves two more for good, or three. */
const mostExamined = 6;
/** If dry runs have already shown each field, only one pack in this many is really created. */
const dryShare = 3;

/** Minimum number of packs that every profile sends where no dry run is possible: a pack is one creation. */
const leastPacks = 3;

const beyond = unproved('sent in a larger profile only, as it would leave something that the API cannot take away');

/** Returns a case in words: what is sent, and where. */
export const describeAcceptCase = ({
  title,
  pointer,
  value,
  isOneOfMany,
  keyword,
  level,
}: AcceptCase): CaseDescription => ({
  title,
  pointer,
  sent: value,
  isOneOfMany,
  rule: { keyword, level },
});

/** True of the minimal request itself, without a field on top of it. */
export const isMinimalCase = ({ pointer, keyword }: AcceptCase): boolean => pointer === '' && keyword !== 'combination';

/** Returns the requirement that the refusal of a case of one field breaks. */
export function requirementOfAcceptCase(input: AcceptCase): RequirementId {
  if (input.requirement !== undefined) return input.requirement;
  if (isMinimalCase(input)) return 'accept.smallest';
  if (input.keyword === 'null') return 'accept.documented-null';
  if (input.level === 'SHOULD') return 'accept.combination';
  return input.keyword === 'example' ? 'accept.plain-value' : 'accept.stated-boundary';
}

/** The requirements that the fields of a body can show. */
export const requirementsOfFields = [
  'accept.plain-value',
  'accept.stated-boundary',
  'accept.documented-null',
  'accept.combination',
] as const;

/** True if no list shows the query of this source: its made-up columns need not exist (section 2.6). */
export const isInvented = ({ row, discovered, minimal }: CheckContext): boolean =>
  isOperation(row, 'qualifying-event', 'update') && !discovered.qualifyingEvents.has(minimal.param ?? '');

/** The answer to the minimal request, and what the search after a refusal found. */
interface Opened {
  readonly answer: Answer;
  /** The result of the minimal case, if it says more than accepted or refused. */
  readonly sought?: CheckResult | undefined;
  /** The reason why other cases prove nothing after a refusal. */
  readonly because?: string | undefined;
}

/** Returns why the refusal of a minimal request says nothing about the service (see `isCircumstantial`), else null. */
function premiseLost(answer: Answer, context: CheckContext): string | null {
  const { minimal } = context;
  const words = refusalInWords(answer);
  if (isKeyRefusal(answer)) return `the key was refused (${words})`;
  if (isInvented(context) && isClientError(answer))
    return `the minimal request was refused (${words}); no list shows ${minimal.param}, so its query is made up`;
  // The service understands the request but cannot carry it out now: a config in use, a gate under review (RFC 4918).
  const isLater = (isCircumstantial(answer) && answer.status !== 404) || answer.status === 422;
  return isLater ? `the minimal request was refused (${words})` : null;
}

/** The stated defaults of a list (sections 4.11 and 4.12). */
const byDefault = { limit: 10, page: 1 } as const;

/**
 * Judges a list that is refused without a query and shown with a page or a limit: no list may demand a parameter.
 * Returns null for any other.
 */
async function judgeDemandedPage(
  context: CheckContext,
  session: Session,
  refused: Answer,
): Promise<CheckResult | null> {
  if (!context.row.list || !isClientError(refused) || isKeyRefusal(refused)) return null;
  const isShown = async (query?: Record<string, number>): Promise<boolean> =>
    isAccepted(await session.send({ ...minimalApiRequest(context), ...(query && { query }) }));
  if (!(await isShown(byDefault)) || (await isShown())) return null;
  const { limit, page } = byDefault;
  const demanded = (await isShown({ limit })) ? 'a limit' : (await isShown({ page })) ? 'a page' : 'a page and a limit';
  const stated = context.row.query === null ? '' : '; the page is 1 and the limit 10 by default';
  const expected = `a success without a query, as with ${demanded}${stated}`;
  const found = violation(refused, 'accept.smallest', 'status', expected, refusalInWords(refused));
  return judged([{ ...found, seen: { times: 2, of: 2 } }]);
}

/** The cases that should really create something, in addition to their dry runs. */
export interface Creations {
  /** Cases that may share a request. */
  readonly packable?: readonly AcceptCase[];
  /** Cases that need a request of their own. */
  readonly real?: readonly AcceptCase[];
  /** True if the minimal case judges dry runs that are refused: what was accepted before tells that one has enough. */
  readonly judgesDryRuns?: boolean;
}

/**
 * Opens an endpoint for requests that must be accepted; a refusal breaks the `requirementOf` its case.
 *
 * Sends the minimal request first: if it is refused, a further field proves nothing. `createAttempts` examines a refused
 * case. Creations are tried as dry runs where the target takes those. Cases that need a real creation share a request.
 */
export function acceptance(
  context: CheckContext,
  requirementOf: (input: AcceptCase) => RequirementId,
  { packable = [], real: alone = [], judgesDryRuns = false }: Creations = {},
): Pick<CheckPlan<AcceptCase>, 'run' | 'chosen'> {
  const { endpoint, minimal, amounts } = context;
  const turns = createTurns();
  const creates = createsForGood(context);
  const common = { context, turns, requirementOf };
  const real = createAttempts({
    ...common,
    mostExamined: creates ? mostExamined : Infinity,
    asSent: body => withoutLoss(body, context),
  });
  const dry = createAttempts({ ...common, mostExamined: Infinity, asSent: asDryRun });
  const askDryRun = dryRuns(context);
  const template = templateOf(context);
  const { packed, isPacked, restrict } = packedRequests({ ...real, turns, template, cases: creates ? packable : [] });
  let premise: Promise<Opened> | undefined;

  /** Sends the minimal request; if its content is refused, looks for a nearby request that is accepted. */
  async function openMinimal(session: Session): Promise<Opened> {
    const answer = await sendPersistently(() => real.send(session, minimal.body));
    if (answer.success) return { answer, sought: await judgeBase(context, session) };
    // The dry run shows that the route exists.
    const was = `the minimal request was refused (${refusalInWords(answer)})`;
    if (answer.status === 404 && (await askDryRun(session)) !== undefined)
      return { answer, sought: unproved(`${was}, though not as a dry run`) };
    const sought =
      (await judgeDemandedPage(context, session, answer)) ?? (await judgeUnserved(context, session, answer));
    if (sought !== null) return { answer, sought };
    const ended = await archivedAfterDisabling(context, session, answer);
    if (ended !== null) return { answer: ended };
    if (!isSought(answer, context, session) || isInvented(context)) return { answer };
    const { result, isFound } = await openPremise(context, session, answer);
    const because = result.because;
    // A 422 may be about the entity's state (RFC 4918). Any other refusal rejects a request that must be accepted.
    if (!isFound) return { answer, because, sought: answer.status === 422 ? result : undefined };
    const again = await unlessWithheld(real.send(session, minimal.body));
    const changes = session.bases?.get(endpoint)?.changes ?? [];
    const fields = changes.map(({ pointer }) => steps(pointer).join('.')).join(', ');
    const lost = `it takes requests with ${fields} alone, which could not be put back`;
    if (again === null) session.bases?.set(endpoint, { changes, lost });
    return { answer: again ?? answer, sought: result, because };
  }

  /** Opens the operation once, so that parallel cases do not each send the minimal request. */
  function open(session: Session, isAnew = false): Promise<Opened> {
    const opening = premise !== undefined && !isAnew ? premise : openMinimal(session);
    premise ??= opening;
    // The case of the minimal request reports a failure. The next case tries again.
    premise.catch(() => {
      premise = undefined;
    });
    return opening;
  }

  async function judgeMinimal(input: AcceptCase, session: Session): Promise<CheckResult> {
    const { answer, sought } = await open(session, true);
    const asked = minimalApiRequest(context);
    if (creates && isClientError(answer) && wasAccepted(session, asked))
      return unproved(`the minimal request, accepted before, is refused now (${refusalInWords(answer)})`);
    noteControl(session, answer, asked);
    if (sought !== undefined) return sought;
    // No answer at all is a finding; a missing entity is a gap in the target file.
    const lost = answer.success || answer.reply.failure !== null ? null : premiseLost(answer, context);
    if (lost !== null) return unproved(lost);
    const judged = real.judge(answer, input);
    const isDryRunJudged = judgesDryRuns && answer.success && creates && hasDryRun(context.row);
    if (!isDryRunJudged || (await askDryRun(session)) !== undefined) return judged;
    const dryRun = await session.send(minimalApiRequest(context, asDryRun(template)));
    const refused = await refusedDryRun(session, dryRun, async () => true);
    return refused === null ? judged : covering([...judged.violations, refused], judged.covers ?? []);
  }

  /** Sends a case for real: within its packs, if it has any among the first `most`, else alone. */
  async function sendReal(input: AcceptCase, session: Session, most: number): Promise<CheckResult> {
    // An accepted creation needs no minimal request before it.
    const opening = await (creates ? premise : open(session));
    const opened = opening?.answer;
    if (opened !== undefined && !isAccepted(opened))
      return unproved(
        opening?.because ??
          opening?.sought?.because ??
          `the minimal request of this endpoint was not accepted (${refusalInWords(opened)}), so a single field proves nothing`,
      );
    const shown = real.enough() === null ? await packed(input, session, most) : null;
    if (shown === 'accepted') return covering([], [requirementOf(input)]);
    if (shown === 'beyond') return beyond;
    if (shown === null || shown === 'refused') return real.attempt(input, session, opened);
    const together = 'fields that are accepted one by one, together';
    const about = { title: together, pointer: '' };
    const answer = { ...shown, request: { ...shown.request, about } };
    return covering(acceptanceViolations(answer, 'accept.combination', together), []);
  }

  async function run(input: AcceptCase, session: Session): Promise<CheckResult> {
    if (isMinimalCase(input)) return judgeMinimal(input, session);
    let opened = await askDryRun(session);
    // The minimal case may have found out meanwhile what the target demands.
    if (opened === undefined && premise !== undefined) {
      await premise;
      opened = await askDryRun(session);
    }
    if (opened !== undefined) {
      const tried = await dry.attempt(input, session, opened);
      if (!tried.proved || tried.violations.length > 0) return tried;
      const most = Math.ceil(amounts.creations / dryShare);
      if (!isPacked(input) && !alone.includes(input)) return tried;
      // The dry run's result stands if the real creation proves nothing.
      const created = await sendReal(input, session, most);
      return created.violations.length > 0 ? created : tried;
    }
    if (input.body === minimal.body) return judgeMinimal(input, session);
    if (context.extended === true && hasDryRun(context.row) && creates) return beyond;
    return sendReal(input, session, Math.max(amounts.creations, leastPacks));
  }

  return { run, chosen: restrict };
}
