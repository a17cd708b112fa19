import { hasDryRun, isOperation } from '../../../contracts/endpoint.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { type Answer, dataObject, isDryRun } from '../../protocol/answer.ts';
import { type ActiveCheck, type CheckContext, minimalApiRequest } from '../../protocol/check.ts';
import { answerOrNull } from '../../protocol/stop.ts';
import { mostTogether } from '../../state/crowd.ts';
import { templateOf } from '../active/body.ts';
import { asDryRun } from '../active/dry-run.ts';
import { nextMark } from '../scenarios/changes.ts';
import { liveness, type NamedScenario, planOf } from '../scenarios/scenario.ts';
import { listed } from './lineage.ts';
import { type Scene, type Step, stimulus, together } from './stimulus.ts';

/** Maximum number of concurrent creations where no dry run is possible: each stays. */
const mostThatStay = 5;

const isMetric = ({ row }: Pick<CheckContext, 'row'>): boolean => isOperation(row, 'metric', 'create');

/**
 * If concurrent creations got the same id, creates two one by one, to see whether their ids differ. Without them the
 * creations at once still prove what they prove, so a spent budget ends only this control.
 */
async function oneByOne(answers: readonly Answer[], { context, session }: Scene): Promise<void> {
  const ids = answers.flatMap(answer => {
    const { id } = dataObject(answer);
    return answer.success && !isDryRun(answer) && id !== undefined ? [id] : [];
  });
  if (new Set(ids).size === ids.length) return;
  for (let number = 0; number < 2; number += 1)
    await answerOrNull(session, { ...minimalApiRequest(context), spare: true });
}

/**
 * Sends as many concurrent creations as the profile may leave. The others are dry runs, if possible: their answers show
 * a name too.
 */
const creating: Step = together(
  ({ context }) => {
    const { amounts, minimal, row } = context;
    // Without dry runs fewer are sent together, because each stays.
    const most = Math.max(Math.min(amounts.creations, hasDryRun(row) ? mostTogether : mostThatStay), 2);
    return Array.from({ length: hasDryRun(row) ? mostTogether : most }, (_, index) =>
      minimalApiRequest(context, index < most ? minimal.body : asDryRun(templateOf(context))),
    );
  },
  'one is created at a time',
  oneByOne,
);

/** Two concurrent creations with the same name and type. */
const twins: Step = together(scene => {
  const { context, session } = scene;
  const twin = minimalApiRequest(context, { ...context.minimal.body, name: nextMark(context, session) });
  return [twin, twin];
}, 'one is created at a time');

/** Lists what was created, if a list shows it. */
const shown: Step = scene =>
  isMetric(scene.context) ? listed(scene.context.target.fixtures.events?.[0] ?? '')(scene) : Promise.resolve(undefined);

const requirements = (row: CheckContext['row']): readonly RequirementId[] => [
  'state.concurrent-answers',
  'state.concurrent-creations',
  ...(isMetric({ row }) ? ['state.metric-listed' as const] : []),
];

/** Sections 4.9 and 4.13: each of several concurrent creations gets its own answer, and exists afterwards. */
export const atOnce: ActiveCheck<NamedScenario> = {
  kind: 'active',
  id: 'at-once',
  level: 'MUST',
  title: 'Of several creations at once each gets its own answer, and none is lost',
  detects:
    'A request context shared between requests: two clients, one answer. A number that is taken twice, a list that is written back whole.',
  requirements: row => [...requirements(row), ...liveness],
  appliesTo: row => row.effect === 'additive',
  tries: 50,
  plan(context) {
    const about = [...requirements(context.row), 'robust.never-5xx'] as const;
    const all: NamedScenario = { title: 'creations at once', run: stimulus(about, creating, shown) };
    const two: NamedScenario = { title: 'two creations of one name at once', run: stimulus(about, twins, shown) };
    // Keep a small budget for other checks.
    return isMetric(context) && context.amounts.creations > 1 ? planOf(context, all, two) : planOf(context, all);
  },
};
