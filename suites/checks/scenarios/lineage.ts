import { isOperation } from '../../../contracts/endpoint.ts';
import type { Members } from '../../../contracts/json.ts';
import { inWords } from '../../judge/words.ts';
import { type ActiveCheck, judged, unproved, violation } from '../../protocol/check.ts';
import { type Listing, lineageOf, readMetrics } from '../../state/reading.ts';
import { type NamedScenario, planOf, type Scenario } from './scenario.ts';

/** So many steps from metric to metric are followed. */
const deepest = 8;

/** True if a metric names the event, itself or through metrics; undefined where one of those cannot be looked up. */
function hasEvent(
  metric: Members,
  event: string,
  known: ReadonlyMap<unknown, Members>,
  depth = 0,
): boolean | undefined {
  const { events, metrics } = lineageOf(metric);
  if (events.includes(event)) return true;
  if (depth > deepest) return undefined;
  const through = metrics.map(id => {
    const named = known.get(id);
    return named === undefined ? undefined : hasEvent(named, event, known, depth + 1);
  });
  if (through.includes(true)) return true;
  return through.includes(undefined) ? undefined : false;
}

const listingOf =
  (event: string): Scenario =>
  async (_context, session, { eventually }) => {
    /** The metrics whose lineage lacks the event. One that is filled later than its metric is listed is waited for. */
    const lacking = ({ items }: Listing): readonly Members[] => {
      const known = new Map<unknown, Members>(items.map(item => [item.id, item]));
      return items.filter(item => item.lineage !== undefined && hasEvent(item, event, known) === false);
    };
    const listing = await eventually(
      () => readMetrics(session, event),
      reading => lacking(reading).length === 0,
    );
    if (listing.items.every(({ lineage: shown }) => shown === undefined))
      return unproved('no listed metric shows a lineage');
    const known = new Map<unknown, Members>(listing.items.map(item => [item.id, item]));
    if (listing.items.every(item => item.lineage === undefined || hasEvent(item, event, known) === undefined))
      return unproved('no listed metric names metrics that can be looked up');
    return judged(
      lacking(listing).map(item => {
        const expected = `the event ${inWords(event)} in the lineage of ${inWords(item.id)}`;
        return violation(listing.answer, 'state.lineage-truth', '/data/*/lineage', expected, inWords(item.lineage));
      }),
    );
  };

/** Section 4.14: what stands under an event has the event in its lineage. */
export const lineage: ActiveCheck<NamedScenario> = {
  kind: 'active',
  id: 'lineage',
  level: 'MUST',
  title: 'Every metric listed under an event has the event in its lineage',
  detects: 'A listing that ignores the event and shows every metric, a lineage that is never filled.',
  requirements: () => ['state.lineage-truth'],
  appliesTo: row => isOperation(row, 'metric', 'list'),
  plan: context =>
    planOf(
      (context.target.fixtures.events ?? []).map(event => ({
        title: `the metrics of the event ${event}`,
        run: listingOf(event),
      })),
    )(context),
};
