import { othersAct, othersChange } from '../decorators/index.ts';
import { type CollectionName, type Collections, keyOf, type Metric } from '../entities.ts';
import { type DialectTable, experiments, gates, metrics, pagesMove, sources, unproven } from './dialect.ts';

/** Services in which others write to the same entities: other fields, the same fields, and changes undone again. */

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
/** Others make metrics, and drop them. */
export const metricsComeAndGo = comeAndGo(9, 'metrics', (model: Metric, name) => ({
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
export const companyDialects: DialectTable = [
  ['others-write-the-same-field',      '4.6',  gates,                                  'has people who describe the gates that are written to',             othersChange(45, 'gates', described), { changes: ['gates/*/description'] }],
  ['others-write-another-field',       '4.6',  gates,                                  'has people who tag the gates that are written to',                  othersChange(23, 'gates', tagged), { changes: ['gates/*/tags'] }],
  ['others-tag-experiments',           '4.9',  experiments, 'has people who tag the experiments that are written to',            othersChange(3, 'experiments', tagged), { changes: ['experiments/*/tags'] }],
  ['others-switch-gates',              '4.6',  gates,                                  'has people who switch a gate on and off',                           othersChange(37, 'gates', ({ isEnabled }) => ({ isEnabled: !isEnabled }), ['dark_mode']), { changes: ['gates/dark_mode/isEnabled'] }],
  ['others-write-a-gate-all-the-time', '4.6',  gates,                                  'has a job that describes one gate before every request',            othersChange(1, 'gates', described, ['dark_mode']), { ...unproven, changes: ['gates/dark_mode/description'] }],
  ['others-describe-sources',          '4.3',  sources,                                'has people who describe the sources that are written to',           othersChange(45, 'qualifyingEvents', described), { changes: ['qualifyingEvents/*/description'] }],
  ['others-make-and-drop-metrics',     '4.14', metrics,                                'has people who make metrics over the fixture event, and drop them', metricsComeAndGo, { ...pagesMove('list-event-metrics'), changes: ['metrics'] }],
  ['others-add-environments',          '4.1',  'update-environments',                'gains environments',                                                environmentsAdded, { changes: ['environments'] }],
];
