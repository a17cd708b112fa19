import { isOperation } from '../../../contracts/endpoint.ts';
import { type JsonObject, membersOf } from '../../../contracts/json.ts';
import { memoized } from '../../../contracts/memoized.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { urlText } from '../../../contracts/url-text.ts';
import { isClientError } from '../../judge/outcome.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import { inWords, said } from '../../judge/words.ts';
import { type Answer, dataObject } from '../../protocol/answer.ts';
import {
  type ActiveCheck,
  type CheckContext,
  minimalApiRequest,
  type Session,
  violation,
} from '../../protocol/check.ts';
import type { Untried } from '../../state/attribution.ts';
import { type Listing, lineageOf } from '../../state/reading.ts';
import { fixtureNames } from '../../sut/target.ts';
import { sendPersistently } from '../active/controls.ts';
import { changeOfAll } from '../scenarios/changes.ts';
import { createCare, liveness, type NamedScenario, planOf, type Scenario } from '../scenarios/scenario.ts';
import { isMiscounted, listed } from './lineage.ts';
import { type Scene, type Step, stimulus } from './stimulus.ts';

const about: readonly RequirementId[] = [
  'state.metric-default-directionality',
  'state.metric-listed',
  'state.metric-as-created',
  'state.metric-as-answered',
  'state.dry-run-metric',
  'reject.no-trace',
  'auth.no-effect',
];

/** The number of wrong counts in a row per event. One proves nothing: others may create and delete meanwhile. */
const miscounts = memoized((_run: object) => new Map<string, number>());

/** Reports a list whose stated total is wrong twice in a row. */
function count(listing: Listing, { session, violations }: Scene): undefined {
  const { items, total, answer } = listing;
  const times = miscounts(session.run ?? session);
  const event = answer.request.param ?? '';
  const inARow = isMiscounted(listing) ? (times.get(event) ?? 0) + 1 : 0;
  times.set(event, inARow);
  const expected = said(items.length, ', as many as the list has with what was created');
  if (inARow > 1)
    violations.push(violation(answer, 'state.metric-listed', '/pagination/totalItems', expected, said(total)));
}

const refused = (answer: Answer): Untried => ({
  because: `the creation was refused (${refusalInWords(answer)})`,
  answer,
});

/** Creates a metric, bare if more is refused, and lists the metrics of the events in its lineage. */
const created = (more: (context: CheckContext) => JsonObject): Scenario =>
  stimulus(about, async scene => {
    const { context, session } = scene;
    const rich = more(context);
    const first = await session.send(minimalApiRequest(context, { ...context.minimal.body, ...rich }));
    const isBare = Object.keys(rich).length === 0;
    const answer = first.success || isBare ? first : await session.send(minimalApiRequest(context));
    if (!answer.success) return refused(answer);
    const { events } = lineageOf(dataObject(answer));
    for (const event of events.slice(0, 3)) await listed(event, count)(scene);
    return events.length > 0 ? undefined : { because: 'the answer names no event in its lineage' };
  });

/**
 * Returns every field that can be sent by itself, with up to three events of the target file, and no dry run. One of
 * them is an event whose name must be encoded in a path, if there is any.
 */
const everything = (context: CheckContext): JsonObject => {
  const all = fixtureNames(context.target, 'events');
  const encoded = all.filter(name => urlText(name) !== name).slice(0, 1);
  const events = [...new Set([...all.slice(0, 1), ...encoded, ...all])].slice(0, 3);
  const { type, metricEvents, ...more } = changeOfAll(context, {
    directionality: 'increase',
    isPermanent: false,
    ...context.minimal.body,
  });
  return { ...more, metricEvents: events.map(name => ({ name, type: 'count' })), dryRun: false };
};

/** Number of dry runs in a row, so that a service that creates some of them is caught. */
const dryRunsInARow = 3;

/**
 * Flags that nobody should set for good. Dry runs set each to both values, never both to the same, and each once to
 * another value than `isPermanent`.
 */
const flagsOf = (number: number): JsonObject =>
  number < dryRunsInARow - 1 ? { isPermanent: true, isVerified: number % 2 === 0, isReadOnly: number % 2 === 1 } : {};

/** Sends dry runs, which must create nothing and take no name, then creates a metric under the last name. */
const dryRuns: Step = async ({ context, session, violations }) => {
  const create = (more: JsonObject) => session.send(minimalApiRequest(context, { ...context.minimal.body, ...more }));
  const tryOut = (flags: JsonObject): Promise<Answer> => create({ ...flags, dryRun: true });
  let name: unknown;
  let isFlagged = true;
  for (let number = 0; number < dryRunsInARow; number += 1) {
    const first = await tryOut(isFlagged ? flagsOf(number) : {});
    // Not every key may set the flags.
    const answer: Answer = isFlagged && isClientError(first) ? await tryOut({}) : first;
    isFlagged &&= answer === first;
    if (!answer.success) return refused(answer);
    ({ name } = membersOf(answer.sent));
  }
  const named = typeof name === 'string' ? { name } : {};
  const first = await sendPersistently(() => create({ ...named, ...(isFlagged ? { isVerified: true } : {}) }));
  const later = isFlagged && isClientError(first) ? await sendPersistently(() => create(named)) : first;
  if (isClientError(later) && (await create({})).success) {
    const expected = `a success: ${inWords(name)} was only tried, and other names are taken`;
    violations.push(violation(later, 'state.dry-run-metric', 'status', expected, refusalInWords(later)));
  }
  return undefined;
};

/**
 * Sections 2.7, 4.9 and 4.14: a created metric has its default and is listed under its events; a dry run makes none.
 */
export const metricStored: ActiveCheck<NamedScenario> = {
  kind: 'active',
  id: 'metric-stored',
  level: 'MUST',
  title: 'A created metric has its defaults and stands under its events; a dry run creates none',
  detects:
    'A creation that is answered but not stored, a dry run that stores, a default that is missing or turned round.',
  requirements: () => [...about, ...liveness],
  appliesTo: row => isOperation(row, 'metric', 'create'),
  plan(context) {
    const [event = ''] = fixtureNames(context.target, 'events');
    const dryRunning: NamedScenario = {
      title: 'dry runs, then the metrics of the event',
      run: stimulus(about, dryRuns, listed(event)),
    };
    const plan = planOf(
      context,
      { title: 'a creation without directionality, then the metrics of its events', run: created(() => ({})) },
      { title: 'a creation with every field, then the metrics of its events', run: created(everything) },
      dryRunning,
    );
    // Look for everything that any check of this run only tried, and that must not exist.
    const again = stimulus(about, listed(event));
    const run = (session: Session) => again(context, session, createCare(context.settleMs));
    return { ...plan, afterwards: { of: dryRunning, run } };
  },
};
