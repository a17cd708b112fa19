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
  { id: 'gate-wipes-those-that-begin-alike',       requirement: 'state.neighbours', endpoints: ['patch-gate'],              title: 'A patch wipes the tags of the gate whose id begins with its own.',        decorator: changesOthers(startsAlike, () => ({ tags: [] })) },
  { id: 'gate-describes-those-that-begin-alike',   requirement: 'state.neighbours', endpoints: ['patch-gate'],              title: 'A patch describes the gate whose id begins with its own.',                decorator: changesOthers(startsAlike, (_other, { description }) => ({ description })), alsoAs: ['state.concurrent-answers'] },
  { id: 'gate-switches-the-fourth',                requirement: 'state.neighbours', endpoints: ['patch-gate'],              title: 'A patch switches the fourth gate off, whichever is written.',             decorator: changesOthers(fourth, () => ({ isEnabled: false })), alsoAs: ['state.concurrent-answers'] },
  { id: 'source-wipes-those-that-begin-alike',     requirement: 'state.neighbours', endpoints: ['update-qualifying-event'], title: 'An update wipes the tags of the source whose name begins with its own.', decorator: changesOthers(startsAlike, () => ({ tags: [] })) },
  { id: 'source-clears-fields-of-the-fourth',      requirement: 'state.neighbours', endpoints: ['update-qualifying-event'], title: 'An update clears the custom fields of the fourth source.',                decorator: changesOthers(fourth, () => ({ customFieldMapping: [] })) },
  { id: 'experiment-wipes-those-that-begin-alike', requirement: 'state.neighbours', endpoints: ['update-experiment', 'enable-groups'], title: 'A write wipes the tags of the experiment whose id begins with its own.', decorator: changesOthers(startsAlike, () => ({ tags: [] })) },
  { id: 'experiment-describes-others',             requirement: 'state.neighbours', endpoints: ['update-experiment'],       title: 'An update describes every experiment.',                                   decorator: changesOthers(() => true, (_other, { description }) => ({ description })) },
  { id: 'experiment-stops-the-second',             requirement: 'state.neighbours', endpoints: ['update-experiment'],       title: 'An update takes the allocation of the second experiment away.',           decorator: changesOthers((_other, _written, index) => index === 1, () => ({ allocation: 0 })) },
  { id: 'enabling-resets-sizes-beside',            requirement: 'state.neighbours', endpoints: ['enable-groups'],           title: 'Enabling groups resets the hypothesis of the experiment whose id begins alike.', decorator: changesOthers((other, written) => other.slice(0, 4) === written.slice(0, 4) || other === 'search_ranking', () => ({ hypothesis: '' })) },
];
