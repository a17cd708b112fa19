import { isOperation } from '../../../contracts/endpoint.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import type { ActiveCheck } from '../../protocol/check.ts';
import type { Untried } from '../../state/attribution.ts';
import { type Listing, readMetrics } from '../../state/reading.ts';
import { type NamedScenario, planOf } from '../scenarios/scenario.ts';
import { type Scene, type Step, stimulus } from './stimulus.ts';

const about: readonly RequirementId[] = ['state.lineage-truth'];

/** Inspects a list; returns why nothing can be concluded, if so. */
type Look = (listing: Listing, scene: Scene) => Untried | undefined;

/** True of a whole list that states another number of items. */
export const isMiscounted = ({ items, complete, total }: Listing): boolean =>
  complete && total !== undefined && total !== items.length;

/** Lists the metrics of an event; while the list may merely be late, again until the settling time is over. */
export const listed =
  (event: string, look: Look = () => undefined): Step =>
  async scene => {
    const { session, eventually } = scene;
    const listing = await eventually(
      () => readMetrics(session, event),
      listing => session.mayBeBehind?.() !== true && !isMiscounted(listing),
    );
    return look(listing, scene);
  };

const showsLineage: Look = ({ items }) =>
  items.some(({ lineage: shown }) => shown !== undefined) ? undefined : { because: 'no listed metric shows a lineage' };

/** Section 4.14: every metric listed under an event has the event in its lineage. */
export const lineage: ActiveCheck<NamedScenario> = {
  kind: 'active',
  id: 'lineage',
  level: 'MUST',
  title: 'Every metric listed under an event has the event in its lineage',
  detects: 'A listing that ignores the event and shows every metric, a lineage that is never filled.',
  requirements: () => about,
  appliesTo: row => isOperation(row, 'metric', 'list'),
  plan(context) {
    const cases = (context.target.fixtures.events ?? []).map(event => ({
      title: `the metrics of the event ${event}`,
      run: stimulus(about, listed(event, showsLineage)),
    }));
    // The run creates metrics over the first event, which may have had none.
    return { ...planOf(context, ...cases), retried: cases[0] };
  },
};
