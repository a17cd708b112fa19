import { hasDryRun } from '../../../contracts/endpoint.ts';
import { membersOf } from '../../../contracts/json.ts';
import { type Answer, dataObject, isSilence } from '../../protocol/answer.ts';
import {
  type ActiveCheck,
  type CheckContext,
  judged,
  minimalApiRequest,
  unproved,
  type Violation,
  violation,
} from '../../protocol/check.ts';
import { untried } from '../../state/attribution.ts';
import { liveness, type NamedScenario, planOf, type Scenario } from './scenario.ts';

/** So many creations are in flight at once. */
const creations = 8;

/** The creation that is sent several times at once: as a dry run, where there is one, for nothing is to be left. */
const creation = (context: CheckContext) =>
  minimalApiRequest(context, hasDryRun(context.row) ? { ...context.minimal.body, dryRun: true } : context.minimal.body);

const createAtOnce: Scenario = async (context, session) => {
  const answers = await Promise.all(Array.from({ length: creations }, () => session.send(creation(context))));
  const silent = answers.find(isSilence);
  if (silent !== undefined || answers.every(({ success }) => !success))
    return untried({ because: 'every creation was refused', answer: silent ?? answers[0] });
  const named = answers.filter(answer => answer.success && dataObject(answer).name !== undefined);
  if (named.length < 2) return unproved('the answers do not show the names of what was created');
  return judged(named.flatMap(mixedUp));
};

/** An answer that shows another name than the one that was sent. */
function mixedUp(answer: Answer): readonly Violation[] {
  const sent = membersOf(answer.sent).name;
  const got = dataObject(answer).name;
  if (sent === got) return [];
  return [violation(answer, 'state.concurrent-answers', '/data/name', JSON.stringify(sent), JSON.stringify(got))];
}

/** Sections 4.9 and 4.13: of several creations at once each gets its own answer. */
export const atOnce: ActiveCheck<NamedScenario> = {
  kind: 'active',
  id: 'at-once',
  level: 'MUST',
  title: 'Of several creations at once each gets its own answer',
  detects: 'A request context shared between requests: two clients, one answer.',
  requirements: () => ['state.concurrent-answers', ...liveness],
  appliesTo: row => row.effect === 'additive',
  plan: planOf([{ title: `${creations} creations at once`, run: createAtOnce }]),
};
