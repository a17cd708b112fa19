import type { Mutable } from '../../decorators/members.ts';
import { stores } from '../../decorators/stores.ts';
import { type CollectionName, keyOf } from '../../entities.ts';
import type { FaultTable } from '../fault.ts';

/** Changes each other entity whose key is picked, by the key of the one that is written. */
const changesOthers = (
  picks: (other: string, written: string, index: number) => boolean,
  change: (other: Mutable, value: Mutable) => Mutable,
) =>
  stores(async ({ transaction, collection, id, value }) => {
    for (const [index, other] of (await transaction.list(collection)).entries()) {
      const key = keyOf(other);
      if (key !== id && picks(key, id, index))
        await transaction.put(collection as CollectionName, key, { ...other, ...change({ ...other }, value) } as never);
    }
    return value;
  });

const startsAlike = (other: string, written: string): boolean => other.startsWith(written) || written.startsWith(other);
const fourth = (_other: string, _written: string, index: number): boolean => index === 3;

/** Writes that reach other entities. */
// biome-ignore format: a table
export const neighbourFaults: FaultTable = [
  ['gate-wipes-those-that-begin-alike',       'patch-gate',                           'state.neighbours', 'A patch wipes the tags of the gate whose id begins with its own.',               changesOthers(startsAlike, () => ({ tags: [] }))],
  ['gate-describes-those-that-begin-alike',   'patch-gate',                           'state.neighbours', 'A patch describes the gate whose id begins with its own.',                       changesOthers(startsAlike, (_other, { description }) => ({ description })), 'state.concurrent-answers'],
  ['gate-switches-the-fourth',                'patch-gate',                           'state.neighbours', 'A patch switches the fourth gate off, whichever is written.',                    changesOthers(fourth, () => ({ isEnabled: false })), 'state.concurrent-answers'],
  ['source-wipes-those-that-begin-alike',     'update-qualifying-event',              'state.neighbours', 'An update wipes the tags of the source whose name begins with its own.',         changesOthers(startsAlike, () => ({ tags: [] }))],
  ['source-clears-fields-of-the-fourth',      'update-qualifying-event',              'state.neighbours', 'An update clears the custom fields of the fourth source.',                       changesOthers(fourth, () => ({ customFieldMapping: [] }))],
  ['experiment-wipes-those-that-begin-alike', ['update-experiment', 'enable-groups'], 'state.neighbours', 'A write wipes the tags of the experiment whose id begins with its own.',         changesOthers(startsAlike, () => ({ tags: [] }))],
  ['experiment-describes-others',             'update-experiment',                    'state.neighbours', 'An update describes every experiment.',                                          changesOthers(() => true, (_other, { description }) => ({ description }))],
  ['experiment-stops-the-second',             'update-experiment',                    'state.neighbours', 'An update takes the allocation of the second experiment away.',                  changesOthers((_other, _written, index) => index === 1, () => ({ allocation: 0 }))],
  ['enabling-resets-sizes-beside',            'enable-groups',                        'state.neighbours', 'Enabling groups resets the hypothesis of the experiment whose id begins alike.', changesOthers((other, written) => other.slice(0, 4) === written.slice(0, 4) || other === 'search_ranking', () => ({ hypothesis: '' }))],
];
