import { isOperation } from '../../../contracts/endpoint.ts';
import { endpointRow } from '../../../contracts/endpoints.ts';
import { type JsonObject, type Members, membersOf } from '../../../contracts/json.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { storedMismatches } from '../../judge/echo.ts';
import { isClientError } from '../../judge/outcome.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import { inWords, said, saidLost } from '../../judge/words.ts';
import { type Answer, dataObject } from '../../protocol/answer.ts';
import {
  type ActiveCheck,
  type CheckContext,
  type CheckResult,
  covering,
  isNothingToDo,
  minimalApiRequest,
  type Session,
  unproved,
  type Violation,
  violated,
  violation,
} from '../../protocol/check.ts';
import { untried } from '../../state/attribution.ts';
import type { Eventually } from '../../state/eventually.ts';
import { type Listing, lineageOf, readMetrics } from '../../state/reading.ts';
import { fixtureNames } from '../../sut/target.ts';
import { type Tried, triedNames } from '../../sut/tried-names.ts';
import { changeOfAll } from './changes.ts';
import { liveness, type NamedScenario, planOf, type Scenario } from './scenario.ts';

const refused = (answer: Answer) =>
  untried({ because: `the creation was refused (${refusalInWords(answer)})`, answer });

/** Without a direction a metric increases. */
function defaultShownBy(answer: Answer): CheckResult {
  const { directionality } = dataObject(answer);
  if (directionality === 'increase') return covering([], ['state.metric-default-directionality']);
  if (directionality === undefined) return unproved('the answer does not show the direction');
  const requirement = 'state.metric-default-directionality';
  return violated(answer, requirement, '/data/directionality', said('increase', ', the default'), said(directionality));
}

/** The fields of a created metric that the list shows otherwise than they were sent. */
const notAsSent = ({ sent, request }: Answer, item: Members, listing: Listing): readonly Violation[] =>
  storedMismatches(membersOf(sent) as JsonObject, item, endpointRow(request.endpoint), '/data/*').map(
    ({ pointer, sent: value, got }) =>
      violation(listing.answer, 'state.metric-as-created', pointer, saidLost(value, ', as created'), said(got)),
  );

/** The lists whose count was wrong once: others may create and delete while pages are read. */
const miscounts = new WeakMap<object, Map<string, number>>();

/** A list that counts otherwise than it shows, twice in a row. */
function miscounted(
  { items, complete, total, answer }: Listing,
  session: Session,
  event: string,
): readonly Violation[] {
  const run = session.run ?? session;
  const times = miscounts.get(run) ?? new Map<string, number>();
  miscounts.set(run, times);
  const isWrong = complete && total !== undefined && total !== items.length;
  times.set(event, isWrong ? (times.get(event) ?? 0) + 1 : 0);
  if ((times.get(event) ?? 0) < 2) return [];
  const expected = said(items.length, ', as many as the list has with what was created');
  return [violation(answer, 'state.metric-listed', '/pagination/totalItems', expected, said(total))];
}

/** A created metric stands under each event that its lineage names. */
async function listingOf(answer: Answer, session: Session, eventually: Eventually): Promise<CheckResult> {
  const metric = dataObject(answer);
  const { events } = lineageOf(metric);
  if (events.length === 0) return unproved('the answer names no event in its lineage');
  const isCreated = ({ id }: Members): boolean => id === metric.id;
  const wrong: Violation[] = [];
  let found = false;
  for (const event of events.slice(0, 3)) {
    const listing = await eventually(
      () => readMetrics(session, event),
      ({ items, complete, answer: last }) => items.some(isCreated) || !(complete || last.success),
    );
    const item = listing.items.find(isCreated);
    found ||= item !== undefined;
    if (item !== undefined) wrong.push(...notAsSent(answer, item, listing), ...miscounted(listing, session, event));
    if (item !== undefined || !listing.complete) continue;
    const words = `the created metric ${inWords(metric.id)} under the event ${event} of its lineage`;
    const actual = `${listing.items.length} metrics, and not this one`;
    wrong.push(
      violation(listing.answer, 'state.metric-listed', '/data', { words, kind: 'missing', value: metric.id }, actual),
    );
  }
  if (wrong.length === 0 && !found) return unproved('the lists of its events could not be walked to their end');
  return covering(wrong, ['state.metric-listed', ...(found ? (['state.metric-as-created'] as const) : [])]);
}

/** Every field that can be sent by itself, and all the events of the target file. */
const everything = (context: CheckContext): JsonObject => {
  const events = fixtureNames(context.target, 'events').slice(0, 3);
  const { type, metricEvents, ...more } = changeOfAll(context, {
    directionality: 'increase',
    isPermanent: false,
    ...context.minimal.body,
  });
  return { ...more, metricEvents: events.map(name => ({ name, type: 'count' })) };
};

/**
 * A created metric has its default and stands under its events. Both are looked at each time: a creation that is lost
 * now and then is one of several in a row.
 */
const created =
  (more: (context: CheckContext) => JsonObject): Scenario =>
  async (context, session, { eventually }) => {
    const rich = more(context);
    const first = await session.send(minimalApiRequest(context, { ...context.minimal.body, ...rich }));
    // What may not be accepted together is not what this is about.
    const answer =
      first.success || Object.keys(rich).length === 0 ? first : await session.send(minimalApiRequest(context));
    if (!answer.success) return refused(answer);
    const isDefault = membersOf(answer.sent).directionality === undefined;
    const shown = [...(isDefault ? [defaultShownBy(answer)] : []), await listingOf(answer, session, eventually)];
    const because = shown.find(one => !one.proved)?.because;
    return {
      violations: shown.flatMap(({ violations }) => violations),
      proved: shown.some(({ proved }) => proved),
      covers: shown.flatMap(({ covers = [] }) => [...covers]),
      ...(because === undefined ? {} : { because }),
    };
  };

/** Looks in the metrics of the event for what was only tried. */
const createdByDryRun = ({ items, answer }: Listing, names: ReadonlySet<unknown>): CheckResult => {
  const created = items.find(({ name }) => names.has(name));
  if (created === undefined) return covering([], ['state.dry-run-metric']);
  const expected = `no metric called ${inWords(created.name)}, for it was a dry run`;
  return violated(answer, 'state.dry-run-metric', '/data', expected, 'it stands in the list');
};

/** What a name that only such requests have had proves, and why nothing may be called so. */
const tellings: Readonly<Record<Tried, readonly [RequirementId, string]>> = {
  'dry-run': ['state.dry-run-metric', 'it was a dry run'],
  refused: ['reject.no-trace', 'the creation was refused'],
  keyless: ['auth.no-effect', 'the creation had not the right key'],
};

/** Looks in the metrics of the event for whatever this run has tried, in any check, and must not have created. */
function createdByTrying({ items, answer }: Listing, names: ReadonlyMap<string, Tried>): CheckResult {
  const violations: Violation[] = [];
  for (const [tried, [requirement, why]] of Object.entries(tellings)) {
    const found = items.find(({ name }) => typeof name === 'string' && names.get(name) === tried);
    if (found === undefined) continue;
    const expected = `no metric called ${inWords(found.name)}, for ${why}`;
    violations.push(violation(answer, requirement, '/data', expected, 'it stands in the list'));
  }
  return covering(
    violations,
    [...new Set(names.values())].map(tried => tellings[tried][0]),
  );
}

const eventOf = ({ target }: CheckContext): string => target.fixtures.events?.[0] ?? '';

/** So many dry runs are sent in a row: what creates one of them now and then is met. */
const dryRunsInARow = 3;

/** Flags that nobody should set for good: each both ways where nothing is persisted, never both alike. */
const flagsOf = (number: number): JsonObject =>
  number < dryRunsInARow - 1 ? { isVerified: number % 2 === 0, isReadOnly: number % 2 === 1 } : {};

/** Dry runs create nothing. Looks for its name once a later creation is listed, for then the list is up to date. */
const dryRun =
  (tried: Set<unknown>): Scenario =>
  async (context, session, { eventually }) => {
    const tryOut = (flags: JsonObject): Promise<Answer> =>
      session.send(minimalApiRequest(context, { ...context.minimal.body, ...flags, dryRun: true }));
    let isFlagged = true;
    for (let number = 0; number < dryRunsInARow; number += 1) {
      const first = await tryOut(isFlagged ? flagsOf(number) : {});
      // Not every key may set the flags.
      const answer: Answer = isFlagged && isClientError(first) ? await tryOut({}) : first;
      isFlagged &&= answer === first;
      if (!answer.success) return refused(answer);
      tried.add(membersOf(answer.sent).name);
    }
    const [reserved] = [...tried].slice(-1);
    tried.delete(reserved);
    const later = await session.send(
      minimalApiRequest(context, {
        ...context.minimal.body,
        ...(typeof reserved === 'string' ? { name: reserved } : {}),
      }),
    );
    if (isClientError(later) && (await session.send(minimalApiRequest(context))).success) {
      const expected = `a success: ${inWords(reserved)} was only tried, and other names are taken`;
      return violated(later, 'state.dry-run-metric', 'status', expected, refusalInWords(later));
    }
    const laterId = dataObject(later).id;
    const listing = await eventually(
      () => readMetrics(session, eventOf(context)),
      ({ items }) => !later.success || items.some(({ id }) => id === laterId),
    );
    const result = createdByDryRun(listing, tried);
    const isLive = listing.items.some(({ id }) => id !== undefined && id === laterId);
    if (result.violations.length > 0 || isLive) return result;
    const shown = later.success ? await listingOf(later, session, eventually) : result;
    return shown.violations.length > 0 ? shown : unproved('the list shows no creation, dry or not');
  };

/** Sections 2.7, 4.9 and 4.14: a created metric has its default and stands under its events; a dry run creates none. */
export const metricStored: ActiveCheck<NamedScenario> = {
  kind: 'active',
  id: 'metric-stored',
  level: 'MUST',
  title: 'A created metric has its defaults and stands under its events; a dry run creates none',
  detects:
    'A creation that is answered but not stored, a dry run that stores, a default that is missing or turned round.',
  requirements: () => [
    'state.metric-default-directionality',
    'state.metric-listed',
    'state.metric-as-created',
    'state.dry-run-metric',
    'reject.no-trace',
    'auth.no-effect',
    ...liveness,
  ],
  appliesTo: row => isOperation(row, 'metric', 'create'),
  plan(context) {
    const tried = new Set<unknown>();
    const dryRunning: NamedScenario = { title: 'dry runs, then the metrics of the event', run: dryRun(tried) };
    const plan = planOf([
      { title: 'a creation without directionality, then the metrics of its events', run: created(() => ({})) },
      { title: 'a creation with every field, then the metrics of its events', run: created(everything) },
      dryRunning,
    ])(context);
    if (isNothingToDo(plan)) return plan;
    const lookAgain = async (session: Session): Promise<CheckResult> => {
      const names = new Map<string, Tried>(triedNames(session.run ?? session, context.endpoint));
      for (const name of tried) if (typeof name === 'string') names.set(name, 'dry-run');
      return names.size === 0 ? covering([], []) : createdByTrying(await readMetrics(session, eventOf(context)), names);
    };
    return { ...plan, afterwards: { of: dryRunning, run: lookAgain } };
  },
};
