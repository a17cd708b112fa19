import type { Mutable } from '../../decorators/members.ts';
import { changesOthers } from '../../decorators/stores.ts';
import type { FaultTable } from '../fault.ts';

const describes = (_other: Mutable, { description }: Mutable) => ({ description });
const startsAlike = (other: string, written: string): boolean => other.startsWith(written) || written.startsWith(other);
const fourth = (_other: string, _written: string, index: number): boolean => index === 3;

/** Writes that reach other entities. */
// biome-ignore format: a table
export const neighbourFaults: FaultTable = [
  ['gate-wipes-those-that-begin-alike',       'patch-gate',                           'state.neighbours', 'A patch wipes the tags of the gate whose id begins with its own.',               changesOthers(() => ({ tags: [] }), startsAlike)],
  ['gate-describes-those-that-begin-alike',   'patch-gate',                           'state.neighbours', 'A patch describes the gate whose id begins with its own.',                       changesOthers(describes, startsAlike), 'state.concurrent-answers'],
  ['gate-switches-the-fourth',                'patch-gate',                           'state.neighbours', 'A patch switches the fourth gate off, whichever is written.',                    changesOthers(() => ({ isEnabled: false }), fourth), 'state.concurrent-answers'],
  ['gate-gives-creator-to-others',            'patch-gate',                           'state.neighbours', 'A patch of the creator of a gate makes that the creator of every gate.',         changesOthers((_other, { creatorID }) => ({ creatorID }))],
  ['source-wipes-those-that-begin-alike',     'update-qualifying-event',              'state.neighbours', 'An update wipes the tags of the source whose name begins with its own.',         changesOthers(() => ({ tags: [] }), startsAlike)],
  ['source-clears-fields-of-the-fourth',      'update-qualifying-event',              'state.neighbours', 'An update clears the custom fields of the fourth source.',                       changesOthers(() => ({ customFieldMapping: [] }), fourth)],
  ['experiment-wipes-those-that-begin-alike', ['update-experiment', 'enable-groups'], 'state.neighbours', 'A write wipes the tags of the experiment whose id begins with its own.',         changesOthers(() => ({ tags: [] }), startsAlike)],
  ['experiment-describes-others',             'update-experiment',                    'state.neighbours', 'An update describes every experiment.',                                          changesOthers(describes)],
  ['experiment-stops-the-second',             'update-experiment',                    'state.neighbours', 'An update takes the allocation of the second experiment away.',                  changesOthers(() => ({ allocation: 0 }), (_other, _written, index) => index === 1)],
  ['enabling-resets-sizes-beside',            'enable-groups',                        'state.neighbours', 'Enabling groups resets the hypothesis of the experiment whose id begins alike.', changesOthers(() => ({ hypothesis: '' }), (other, written) => other.slice(0, 4) === written.slice(0, 4) || other === 'search_ranking')],
];
