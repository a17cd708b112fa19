import { membersOf, objectsIn } from '../../../contracts/json.ts';
import { isSuccess } from '../../api/response.ts';
import {
  aroundWork,
  beside,
  changesOthers,
  does,
  type Mutable,
  type Operator,
  type PicksOther,
} from '../../decorators/index.ts';
import type { FaultTable } from '../fault.ts';

const describes = (_other: Mutable, { description }: Mutable) => ({ description });
const startsAlike = (other: string, written: string): boolean => other.startsWith(written) || written.startsWith(other);
const fourth: PicksOther = (_other, _written, index) => index === 3;

/** Stores a change of one field also in the entity after the written one. */
const reachesNext = (field: string): Operator =>
  does(
    `What a write changes of \`${field}\` is stored of the next entity too.`,
    changesOthers((_other, written, before) => {
      const isSame = JSON.stringify(written[field]) === JSON.stringify(before[field]);
      return isSame ? {} : { [field]: written[field] };
    }, beside(1)),
  );

/** Adds a version to the config that stands `step` places after one that is ended, each time that it is. */
const addsVersion = (step: number) =>
  aroundWork(async (work, { param }, store) => {
    const answer = await work();
    if (!isSuccess(answer)) return answer;
    await store.transaction(async transaction => {
      const all = await transaction.list('configs');
      const other = all[(all.findIndex(({ id }) => id === param) + step + all.length) % all.length];
      const [newest] = other?.versions ?? [];
      if (other === undefined || newest === undefined) return;
      const versions = [{ ...newest, version: newest.version + 1 }, ...other.versions];
      await transaction.put('configs', other.id, { ...other, versions });
    });
    return answer;
  });

/** Enables the groups that have the name of one that is enabled in the written experiment. */
function enablesNamesakes(other: Mutable, written: Mutable): Mutable {
  const enabled = objectsIn(written.groups).filter(({ disabled }) => disabled !== true);
  const names = new Set(enabled.map(({ name }) => name));
  return { groups: objectsIn(other.groups).map(one => (names.has(one.name) ? { ...one, disabled: false } : one)) };
}

/** Stores a field of a metric that is created also in the first metric. */
const reachesFirst = (field: string): Operator =>
  does(
    `The \`${field}\` of a metric that is created is stored of the first of all metrics too.`,
    aroundWork(async (work, { body }, store) => {
      const answer = await work();
      const { [field]: value, dryRun } = membersOf(body);
      if (!isSuccess(answer) || dryRun === true || value === undefined) return answer;
      await store.transaction(async transaction => {
        const [first] = await transaction.list('metrics');
        if (first) await transaction.put('metrics', first.id, { ...first, [field]: value });
      });
      return answer;
    }),
  );

/** Writes that change other entities. */
// biome-ignore format: a table
export const neighbourFaults: FaultTable = [
  ['patch-gate', 'state.neighbours', [
    ['gate-wipes-those-that-begin-alike',     'A patch wipes the tags of the gate whose id begins with its own.',       changesOthers(() => ({ tags: [] }), startsAlike)],
    ['gate-describes-those-that-begin-alike', 'A patch describes the gate whose id begins with its own.',               changesOthers(describes, startsAlike), 'state.concurrent-answers'],
    ['gate-switches-the-fourth',              'A patch switches the fourth gate off, whichever is written.',            changesOthers(() => ({ isEnabled: false }), fourth), 'state.concurrent-answers'],
    ['gate-gives-creator-to-others',          'A patch of the creator of a gate makes that the creator of every gate.', changesOthers((_other, { creatorID }) => ({ creatorID }))],
    ['gate-creator-reaches-next',             reachesNext('creatorID')],
    ['gate-id-type-reaches-next',             reachesNext('idType')],
    ['gate-team-reaches-next',                reachesNext('team')],
    ['gate-lifts-reach-next',                 reachesNext('measureMetricLifts')],
    ['gate-apps-reach-next',                  reachesNext('targetApps')],
    ['gate-type-reaches-next',                reachesNext('type')],
    ['gate-review-reaches-next',              reachesNext('reviewSettings')],
    ['gate-monitoring-reaches-next',          reachesNext('monitoringMetrics')],
  ]],
  ['disable-reaches-those-that-begin-alike',  'disable-gate',                         'state.neighbours', 'Disabling disables the gate whose id begins with its own.',                      changesOthers(() => ({ isEnabled: false }), startsAlike), 'standard'],
  ['disabling-adds-version-to-next',          'disable-config',                       'state.neighbours', 'Disabling a config adds a version to the next one.',                             addsVersion(1), 'standard'],
  ['source-wipes-those-that-begin-alike',     'update-qualifying-event',              'state.neighbours', 'An update wipes the tags of the source whose name begins with its own.',         changesOthers(() => ({ tags: [] }), startsAlike)],
  ['source-clears-fields-of-the-fourth',      'update-qualifying-event',              'state.neighbours', 'An update clears the custom fields of the fourth source.',                       changesOthers(() => ({ customFieldMapping: [] }), fourth)],
  ['source-verified-reaches-next',            'update-qualifying-event',              'state.neighbours', reachesNext('isVerified')],
  ['experiment-wipes-those-that-begin-alike', ['update-experiment', 'enable-groups'], 'state.neighbours', 'A write wipes the tags of the experiment whose id begins with its own.',         changesOthers(() => ({ tags: [] }), startsAlike)],
  ['update-experiment', 'state.neighbours', [
    ['experiment-describes-others',       'An update describes every experiment.',                                          changesOthers(describes)],
    ['experiment-stops-the-second',       'An update takes the allocation of the second experiment away.',                  changesOthers(() => ({ allocation: 0 }), (_other, _written, index) => index === 1)],
    ['experiment-testing-reaches-next',   reachesNext('sequentialTesting')],
    ['experiment-links-reach-next',       reachesNext('links')],
    ['experiment-metric-tags-reach-next', reachesNext('primaryMetricTags')],
  ]],
  ['metric-describes-the-first',              'create-metric',                        'state.neighbours', reachesFirst('description'), 'standard'],
  ['metric-tags-the-first',                   'create-metric',                        'state.neighbours', reachesFirst('tags'), 'standard'],
  ['enabling-reaches-namesakes',              'enable-groups',                        'state.neighbours', 'Enabling a group enables those of its name in every experiment.',                changesOthers(enablesNamesakes), 'standard'],
  ['enabling-empties-text-beside',            'enable-groups',                        'state.neighbours', 'Enabling groups resets the hypothesis of the experiment whose id begins alike.', changesOthers(() => ({ hypothesis: '' }), (other, written) => other.slice(0, 4) === written.slice(0, 4) || other === 'search_ranking')],
];
