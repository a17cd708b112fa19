import { hasDryRun } from '../../../contracts/endpoint.ts';
import { membersOf } from '../../../contracts/json.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import { dataObject } from '../../protocol/answer.ts';
import { type ActiveCheck, judged, minimalApiRequest, unproved, violation } from '../../protocol/check.ts';
import { type NamedScenario, planOf, type Scenario } from './scenario.ts';

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
  if (first !== undefined && answers.every(({ success }) => !success))
    return unproved(`every creation was refused (${refusalInWords(first)})`);
  return judged(
    answers.flatMap(answer => {
      const sent = membersOf(answer.sent).name;
      const got = dataObject(answer).name;
      if (!answer.success || sent === got || got === undefined) return [];
      return [violation(answer, 'state.concurrent-answers', '/data/name', JSON.stringify(sent), JSON.stringify(got))];
    }),
  );
};

/** Sections 4.9 and 4.13: of several creations at once each gets its own answer. */
export const atOnce: ActiveCheck<NamedScenario> = {
  kind: 'active',
  id: 'at-once',
  level: 'MUST',
  title: 'Of several creations at once each gets its own answer',
  detects: 'A request context shared between requests: two clients, one answer.',
  requirements: () => ['state.concurrent-answers'],
  appliesTo: row => row.effect === 'additive',
  plan: planOf([{ title: 'creations at once', run: createAtOnce }]),
};
