import { hasDryRun, isOperation } from '../../../contracts/endpoint.ts';
import { type JsonObject, type Members, membersOf } from '../../../contracts/json.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import { inWords, said } from '../../judge/words.ts';
import { type Answer, dataObject, isAccepted, isDryRun, isSilence } from '../../protocol/answer.ts';
import {
  type ActiveCheck,
  type CheckContext,
  type CheckResult,
  covering,
  minimalApiRequest,
  type Session,
  unproved,
  type Violation,
  violation,
} from '../../protocol/check.ts';
import { untried } from '../../state/attribution.ts';
import { mostTogether, sendTogether } from '../../state/crowd.ts';
import { lineageOf, readMetrics } from '../../state/reading.ts';
import { type Care, liveness, type NamedScenario, planOf, type Scenario } from './scenario.ts';

/** So many things are created together at most that only a creation can show. */
const mostThatStay = 5;

/** Why nothing can be told of creations, or undefined. */
function hindered(answers: readonly Answer[]): CheckResult | undefined {
  const [first] = answers;
  const silent = answers.find(answer => isSilence(answer) || answer.status >= 500);
  if (first === undefined || (silent === undefined && answers.some(({ success }) => success))) return undefined;
  return untried({ because: `every creation was refused (${refusalInWords(first)})`, answer: silent ?? first });
}

/** Each answer shows the name that was sent with its own request. */
const namesViolations = (answers: readonly Answer[]): Violation[] =>
  answers.flatMap(answer => {
    const sent = membersOf(answer.sent).name;
    const got = dataObject(answer).name;
    if (!answer.success || sent === got || got === undefined) return [];
    return [violation(answer, 'state.concurrent-answers', '/data/name', said(sent), said(got))];
  });

/** The ids of created things, as far as the answers show them. */
const idsOf = (answers: readonly Answer[]): readonly string[] =>
  answers.flatMap(answer => {
    const { id } = dataObject(answer);
    return answer.success && !isDryRun(answer) && typeof id === 'string' ? [id] : [];
  });

/** Of things with names of their own no two have one id, unless it is that of what they all belong to. */
async function idViolations(answers: readonly Answer[], context: CheckContext, session: Session): Promise<Violation[]> {
  const ids = idsOf(answers);
  const twice = answers.find(answer => idsOf([answer]).some(id => ids.indexOf(id) !== ids.lastIndexOf(id)));
  if (twice === undefined) return [];
  const controls: Answer[] = [];
  for (let number = 0; number < 2; number += 1)
    controls.push(await session.send({ ...minimalApiRequest(context), spare: true }));
  const alone = idsOf(controls);
  if (alone.length < 2 || new Set(alone).size < 2) return [];
  const expected = 'an id of its own, as things that are created one after another have';
  return [violation(twice, 'state.concurrent-creations', '/data/id', expected, ids.map(inWords).join(', '))];
}

/** Each metric that was created stands under its event. */
async function listedViolations(
  answers: readonly Answer[],
  { target }: CheckContext,
  session: Session,
  { eventually }: Care,
): Promise<{ violations: readonly Violation[]; covers: readonly RequirementId[] }> {
  const event = target.fixtures.events?.[0] ?? '';
  const created = answers.filter(
    answer => isAccepted(answer) && !isDryRun(answer) && lineageOf(dataObject(answer)).events.includes(event),
  );
  if (created.length === 0) return { violations: [], covers: [] };
  const missingIn = (items: readonly Members[]) =>
    created.filter(answer => !items.some(({ id }) => id === dataObject(answer).id));
  const listing = await eventually(
    () => readMetrics(session, event),
    ({ items, complete }) => !complete || missingIn(items).length === 0,
  );
  if (!listing.complete) return { violations: [], covers: [] };
  const expected = `each of ${created.length} metrics that were created at once`;
  const violations = missingIn(listing.items).map(answer =>
    violation(listing.answer, 'state.metric-listed', '/data', expected, `not ${inWords(dataObject(answer).id)}`),
  );
  return { violations, covers: ['state.metric-listed'] };
}

/**
 * As many creations at once as the profile may leave; the others are dry runs, where there are any, whose answers show
 * a name as well.
 */
const createAtOnce: Scenario = async (context, session, care) => {
  const { amounts, minimal, row } = context;
  // Where no dry run can be among them, fewer are together, for each of them stays.
  const most = Math.max(Math.min(amounts.creations, hasDryRun(row) ? mostTogether : mostThatStay), 2);
  const dry = { ...minimal.body, dryRun: true };
  const bodies = Array.from({ length: mostTogether }, (_, index) => (index < most ? minimal.body : dry));
  const sent = hasDryRun(row) ? bodies : bodies.slice(0, most);
  const answers = await sendTogether(
    session,
    sent.map(body => minimalApiRequest(context, body)),
  );
  const failed = hindered(answers);
  if (failed !== undefined) return failed;
  const named = answers.filter(answer => isAccepted(answer) && dataObject(answer).name !== undefined);
  if (named.length < 2) return unproved('no two answers show the name of what was created');
  const ids = await idViolations(answers, context, session);
  const listed = isOperation(row, 'metric', 'create')
    ? await listedViolations(answers, context, session, care)
    : { violations: [], covers: [] };
  const violations = [...namesViolations(answers), ...ids, ...listed.violations];
  // What was only tried shows nothing of what is created.
  const [refused] = answers.filter(answer => !isDryRun(answer));
  if (violations.length === 0 && refused !== undefined && answers.every(one => isDryRun(one) || !one.success))
    return untried({ because: `every creation was refused (${refusalInWords(refused)})`, answer: refused });
  return covering(violations, [
    'state.concurrent-answers',
    ...(idsOf(answers).length > 1 ? (['state.concurrent-creations'] as const) : []),
    ...listed.covers,
  ]);
};

/** How many pairs of one name a check has made. */
const twinsMade = new WeakMap<Care, number>();

/** Two creations of one name and type: one is refused, or both answers tell of the same metric, which is listed once. */
const createTwins: Scenario = async (context, session, care) => {
  const { minimal, token, target } = context;
  const number = (twinsMade.get(care) ?? 0) + 1;
  twinsMade.set(care, number);
  const name = `conform_${token}_twin_${number}`;
  const body: JsonObject = { ...minimal.body, name };
  const answers = await sendTogether(session, [minimalApiRequest(context, body), minimalApiRequest(context, body)]);
  const failed = hindered(answers);
  if (failed !== undefined) return failed;
  const ids = idsOf(answers);
  const [first, second] = ids;
  const last = answers.findLast(({ success }) => success) as Answer;
  const requirement = 'state.concurrent-creations';
  if (second !== undefined && first !== second) {
    const expected = 'one of two creations of the same name and type, or the same id in both answers';
    return covering([violation(last, requirement, '/data/id', expected, ids.map(inWords).join(', '))], [requirement]);
  }
  const event = target.fixtures.events?.[0] ?? '';
  if (first === undefined || !lineageOf(dataObject(last)).events.includes(event))
    return unproved('the answers do not show where the metric is listed');
  const { items, answer } = await readMetrics(session, event);
  const times = items.filter(({ id }) => id === first).length;
  if (times < 2) return covering([], [requirement]);
  const expected = `${inWords(first)} once, for its name and type are what it is known by`;
  return covering([violation(answer, requirement, '/data', expected, `${times} times`)], [requirement]);
};

const creations: NamedScenario = { title: 'creations at once', run: createAtOnce };
const twins: NamedScenario = { title: 'two creations of one name at once', run: createTwins };

/** Where little may be created, it is kept for others. */
const hasTwins = ({ row, amounts: { creations: most } }: CheckContext): boolean =>
  isOperation(row, 'metric', 'create') && most > 1;

/** Sections 4.9 and 4.13: of several creations at once each gets its own answer, and is there afterwards. */
export const atOnce: ActiveCheck<NamedScenario> = {
  kind: 'active',
  id: 'at-once',
  level: 'MUST',
  title: 'Of several creations at once each gets its own answer, and none is lost',
  detects:
    'A request context shared between requests: two clients, one answer. A number that is taken twice, a list that is written back whole.',
  requirements: row => [
    'state.concurrent-answers',
    'state.concurrent-creations',
    ...(isOperation(row, 'metric', 'create') ? (['state.metric-listed'] as const) : []),
    ...liveness,
  ],
  appliesTo: row => row.effect === 'additive',
  tries: 50,
  plan: context => planOf(hasTwins(context) ? [creations, twins] : [creations])(context),
};
