import { isOperation } from '../../../contracts/endpoint.ts';
import { inWords } from '../../judge/words.ts';
import { dataObject } from '../../protocol/answer.ts';
import { type ActiveCheck, type CheckResult, minimalApiRequest, unproved } from '../../protocol/check.ts';
import type { Session } from '../../protocol/session.ts';
import type { Violation } from '../../protocol/violation.ts';
import { readList } from '../../state/reading.ts';
import { type NamedScenario, planOf, type Scenario } from './scenario.ts';

type Entity = Readonly<Record<string, unknown>>;

const refused = (status: number): CheckResult => unproved(`the creation was refused (status ${status})`);

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter(item => typeof item === 'string') : [];
const lineageOf = (metric: Entity): Entity =>
  typeof metric.lineage === 'object' && metric.lineage !== null ? (metric.lineage as Entity) : {};
const listUnder = (session: Session, event: string, enough?: (item: Entity) => boolean) =>
  readList(session, { endpoint: 'list-event-metrics', param: event }, enough);

/** Without a direction a metric increases. */
const defaults: Scenario = async (context, session) => {
  const answer = await session.send(minimalApiRequest(context));
  if (!answer.success) return refused(answer.status);
  const { directionality } = dataObject(answer);
  if (directionality === 'increase') return { violations: [], proved: true };
  if (directionality === undefined) return unproved('the answer does not show the direction');
  return {
    violations: [
      {
        requirement: 'state.metric-default-directionality',
        pointer: '/data/directionality',
        expected: '"increase", the default',
        actual: inWords(directionality),
        answer,
      },
    ],
    proved: true,
  };
};

/** A created metric stands under each event that its lineage names. */
const listed: Scenario = async (context, session, eventually) => {
  const answer = await session.send(minimalApiRequest(context));
  if (!answer.success) return refused(answer.status);
  const metric = dataObject(answer);
  const events = texts(lineageOf(metric).events);
  if (events.length === 0) return unproved('the answer names no event in its lineage');
  const violations: Violation[] = [];
  for (const event of events.slice(0, 3)) {
    const mine = (item: Entity): boolean => item.id === metric.id;
    const listing = await eventually(
      () => listUnder(session, event, mine),
      ({ items, complete, answer: last }) => items.some(mine) || !(complete || last.success),
    );
    if (listing.items.some(mine) || !listing.complete) continue;
    violations.push({
      requirement: 'state.metric-listed',
      pointer: '/data',
      expected: `the created metric ${inWords(metric.id)} under the event ${event} of its lineage`,
      actual: `${listing.items.length} metrics, and not this one`,
      answer: listing.answer,
    });
  }
  return { violations, proved: true };
};

/** A dry run creates nothing: the name is looked for at once and again after everything else. */
const dryRun: Scenario = async (context, session, eventually) => {
  const answer = await session.send(minimalApiRequest(context, { ...context.minimal.body, dryRun: true }));
  if (!answer.success) return refused(answer.status);
  const name = typeof answer.sent === 'object' && answer.sent !== null ? (answer.sent as Entity).name : undefined;
  const event = context.target.fixtures.events?.[0] ?? '';
  // Something created afterwards and already seen shows that the list is up to date.
  const later = await session.send(minimalApiRequest(context));
  const laterId = dataObject(later).id;
  const listing = await eventually(
    () => listUnder(session, event),
    ({ items }) => !later.success || items.some(item => item.id === laterId),
  );
  if (!listing.items.some(item => item.name === name)) return { violations: [], proved: true };
  return {
    violations: [
      {
        requirement: 'state.dry-run-metric',
        pointer: '/data',
        expected: `no metric called ${inWords(name)}, for it was a dry run`,
        actual: 'it stands in the list',
        answer: listing.answer,
      },
    ],
    proved: true,
  };
};

// biome-ignore format: a table
const scenarios: readonly NamedScenario[] = [
  { title: 'a creation without directionality',               run: defaults },
  { title: 'a creation, then the metrics of its events',      run: listed },
  { title: 'a dry run, then the metrics of the event',        run: dryRun },
];

/** Sections 2.7, 4.9 and 4.14: a created metric has its default, stands under its events, and a dry run creates none. */
export const metricState: ActiveCheck<NamedScenario> = {
  kind: 'active',
  id: 'metric-stored',
  level: 'MUST',
  title: 'A created metric has its defaults and stands under its events; a dry run creates none',
  detects:
    'A creation that is answered but not stored, a dry run that stores, a default that is missing or turned round.',
  requirements: () => ['state.metric-default-directionality', 'state.metric-listed', 'state.dry-run-metric'],
  appliesTo: row => isOperation(row, 'metric', 'create'),
  plan: planOf(scenarios),
};

/** True if a metric has the event in its lineage, itself or through the metrics that its lineage names; undefined when one of those cannot be looked up. */
function hasEvent(metric: Entity, event: string, known: ReadonlyMap<unknown, Entity>, depth = 0): boolean | undefined {
  const lineage = lineageOf(metric);
  if (texts(lineage.events).includes(event)) return true;
  if (depth > 8) return undefined;
  const through = texts(lineage.metrics).map(id => {
    const named = known.get(id);
    return named === undefined ? undefined : hasEvent(named, event, known, depth + 1);
  });
  if (through.includes(true)) return true;
  return through.includes(undefined) ? undefined : false;
}

/** Section 4.14: what stands under an event has the event in its lineage. */
export const lineageTruth: ActiveCheck<string> = {
  kind: 'active',
  id: 'lineage',
  level: 'MUST',
  title: 'Every metric listed under an event has the event in its lineage',
  detects: 'A listing that ignores the event and shows every metric, a lineage that is never filled.',
  requirements: () => ['state.lineage-truth'],
  appliesTo: row => isOperation(row, 'metric', 'list'),
  plan(context) {
    return {
      cases: context.target.fixtures.events ?? [],
      parallel: false,
      describe: event => ({ title: `the metrics of the event ${event}`, pointer: '' }),
      async run(event, session) {
        const listing = await listUnder(session, event);
        const withLineage = listing.items.filter(item => item.lineage !== undefined);
        if (withLineage.length === 0) return unproved('no listed metric shows a lineage');
        const known = new Map<unknown, Entity>(listing.items.map(item => [item.id, item]));
        const violations = withLineage
          .filter(item => hasEvent(item, event, known) === false)
          .map(
            (item): Violation => ({
              requirement: 'state.lineage-truth',
              pointer: '/data/*/lineage',
              expected: `the event ${inWords(event)} in the lineage of ${inWords(item.id)}`,
              actual: inWords(item.lineage),
              answer: listing.answer,
            }),
          );
        return { violations, proved: true };
      },
    };
  },
};
