import { hasDryRun } from '../../../contracts/endpoint.ts';
import { membersOf } from '../../../contracts/json.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import { dataObject, isAccepted, isSilence } from '../../protocol/answer.ts';
import { type ActiveCheck, covering, minimalApiRequest, unproved, violation } from '../../protocol/check.ts';
import { untried } from '../../state/attribution.ts';
import { liveness, type NamedScenario, planOf, type Scenario } from './scenario.ts';

/** So many requests are in flight at once. */
const atOnceMost = 8;

/**
 * As many creations at once as the profile may leave; the others are dry runs, where there are any, whose answers show
 * a name as well.
 */
const createAtOnce: Scenario = async (context, session) => {
  const { amounts, minimal, row } = context;
  const most = Math.max(amounts.creations, 2);
  const dry = { ...minimal.body, dryRun: true };
  const bodies = Array.from({ length: atOnceMost }, (_, index) => (index < most ? minimal.body : dry));
  const sent = hasDryRun(row) ? bodies : bodies.slice(0, most);
  const answers = await Promise.all(sent.map(body => session.send(minimalApiRequest(context, body))));
  const [first] = answers;
  const silent = answers.find(isSilence);
  if (first !== undefined && (silent !== undefined || answers.every(({ success }) => !success)))
    return untried({ because: `every creation was refused (${refusalInWords(first)})`, answer: silent ?? first });
  const named = answers.filter(answer => isAccepted(answer) && dataObject(answer).name !== undefined);
  if (named.length < 2) return unproved('no two answers show the name of what was created');
  return covering(
    answers.flatMap(answer => {
      const sent = membersOf(answer.sent).name;
      const got = dataObject(answer).name;
      if (!answer.success || sent === got || got === undefined) return [];
      return [violation(answer, 'state.concurrent-answers', '/data/name', JSON.stringify(sent), JSON.stringify(got))];
    }),
    ['state.concurrent-answers'],
  );
};

/** Sections 4.9 and 4.13: of several creations at once each gets its own answer. */
export const atOnce: ActiveCheck<NamedScenario> = {
  kind: 'active',
  id: 'at-once',
  level: 'MUST',
  title: 'Of several creations at once each gets its own answer',
  detects: 'A request context shared between requests: two clients, one answer.',
  requirements: () => ['state.concurrent-answers', ...liveness],
  appliesTo: row => row.effect === 'additive',
  plan: planOf([{ title: 'creations at once', run: createAtOnce }]),
};
