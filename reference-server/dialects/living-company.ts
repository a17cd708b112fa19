import type { EndpointId } from '../../contracts/endpoints.ts';
import { othersAct, othersChange } from '../decorators/living.ts';
import { type CollectionName, type Collections, keyOf, type Metric } from '../entities.ts';
import type { Dialect } from './dialect.ts';

/** Services in which others write to the same entities: other fields, the same fields, and changes undone again. */

const gates: readonly EndpointId[] = ['patch-gate', 'disable-gate'];
const sources: readonly EndpointId[] = ['update-qualifying-event', 'list-qualifying-events'];
const metrics: readonly EndpointId[] = ['create-metric', 'list-event-metrics'];

const described = (_entity: object, turn: number) => ({ description: `Edited by Brice, ${turn} times.` });
const tagged = (_entity: object, turn: number) => ({ tags: ['Core', `by_brice_${turn}`] });

/** Others create an entity, and remove the one that they created three turns ago. */
const comeAndGo = <C extends CollectionName>(
  every: number,
  collection: C,
  make: (model: Collections[C], name: string) => Collections[C],
) =>
  othersAct(every, async (transaction, turn) => {
    // Copy the last entity rather than a fixture, because a copy of a fixture would repeat what a run has just written.
    const model = (await transaction.list(collection)).findLast(one => !keyOf(one).startsWith('by_others'));
    if (model === undefined) return;
    const made = make(model, `by_others_${turn}`);
    await transaction.put(collection, keyOf(made), made);
    await transaction.remove(collection, keyOf(make(model, `by_others_${turn - 3}`)));
  });
const metricsComeAndGo = comeAndGo(9, 'metrics', (model: Metric, name) => ({
  ...model,
  name,
  type: 'event_count',
  id: `${name}::event_count`,
}));
const environmentsAdded = othersAct(2, async (transaction, turn) => {
  const [model] = await transaction.list('environments');
  const id = `by_others_${turn}`;
  if (model !== undefined && turn < 6)
    await transaction.put('environments', id, { ...model, id, name: id, isProduction: false });
});

// biome-ignore format: a table
export const companyDialects: readonly Dialect[] = [
  { id: 'others-write-the-same-field',  section: '4.6',  title: 'has people who describe the gates that are written to',                  endpoints: gates, changes: ['gates/*/description'], decorator: othersChange(45, 'gates', described) },
  { id: 'others-write-another-field',   section: '4.6',  title: 'has people who tag the gates that are written to',                       endpoints: gates, changes: ['gates/*/tags'], decorator: othersChange(23, 'gates', tagged) },
  { id: 'others-tag-experiments',       section: '4.9',  title: 'has people who tag the experiments that are written to',                 endpoints: ['update-experiment', 'enable-groups'], changes: ['experiments/*/tags'], decorator: othersChange(3, 'experiments', tagged) },
  { id: 'others-switch-gates',          section: '4.6',  title: 'has people who switch a gate on and off',                                endpoints: gates, changes: ['gates/dark_mode/isEnabled'], decorator: othersChange(37, 'gates', ({ isEnabled }) => ({ isEnabled: !isEnabled }), ['dark_mode']) },
  { id: 'others-write-a-gate-all-the-time', section: '4.6', title: 'has a job that describes one gate before every request',              endpoints: gates, mayBeUntested: { checks: ['patch-gate/*', 'disable-gate/*'] }, changes: ['gates/dark_mode/description'], decorator: othersChange(1, 'gates', described, ['dark_mode']) },
  { id: 'others-describe-sources',      section: '4.3',  title: 'has people who describe the sources that are written to',                endpoints: sources, changes: ['qualifyingEvents/*/description'], decorator: othersChange(45, 'qualifyingEvents', described) },
  { id: 'others-make-and-drop-metrics', section: '4.14', title: 'has people who make metrics over the fixture event, and drop them',       endpoints: metrics, mayBeUntested: { checks: ['list-event-metrics/pagination*'] }, changes: ['metrics'], decorator: metricsComeAndGo },
  { id: 'others-add-environments',      section: '4.1',  title: 'gains environments',                                                     endpoints: ['update-environments'], changes: ['environments'], decorator: environmentsAdded },
];
