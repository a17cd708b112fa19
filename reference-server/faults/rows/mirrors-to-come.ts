import { gateFrozen } from '../../decorators/frozen.ts';
import { besides, everyNthStores, flips, halfDry, laterMade, overlaps, skips } from '../../decorators/now-and-then.ts';
import { is, takesAs } from '../../decorators/validation.ts';
import type { FaultTable } from '../fault.ts';

const upper = (value: string): string => value.toUpperCase();

/** Faults like those of `mirrors.ts` that the suite does not find as things stand. */
// biome-ignore format: a table
export const mirrorFaultsToCome: FaultTable = [
  { id: 'segments-repeat-while-total-flips', requirement: 'pagination.complete',     endpoints: ['list-segments'],           title: 'Pages overlap by one item, and the total flips as if the list were alive.',  decorator: flips(overlaps), alsoAs: ['pagination.total', 'pagination.page-size', 'pagination.next-null'] },
  { id: 'sources-skip-while-total-flips',  requirement: 'pagination.complete',       endpoints: ['list-qualifying-events'],  title: 'Pages leave out one item, and the total flips as if the list were alive.',   decorator: flips(skips), alsoAs: ['pagination.total', 'pagination.page-size', 'pagination.next-null'] },
  { id: 'gate-wipes-tags-beside',          requirement: 'state.neighbours',          endpoints: ['patch-gate'],              title: 'A write to a gate wipes the tags of the next one.',                          decorator: besides(() => ({ tags: [] })) },
  { id: 'gate-counts-beside',              requirement: 'state.neighbours',          endpoints: ['patch-gate'],              title: 'A write to a gate sets the checks of the next one to 0.',                    decorator: besides(() => ({ checksPerHour: 0 })) },
  { id: 'gate-wipes-beside-now-and-then',  requirement: 'state.neighbours',          endpoints: ['patch-gate'],              title: 'One write in two wipes the description of the next gate.',                   decorator: besides(() => ({ description: '' }), { every: 2 }), alsoAs: ['state.concurrent-answers'] },
  { id: 'disable-gate-moves-beside',       requirement: 'state.neighbours',          endpoints: ['disable-gate'],            title: 'Disabling a gate gives the next one another id type.',                       decorator: besides(() => ({ idType: 'deviceID' })) },
  { id: 'source-edits-beside-half',        requirement: 'state.neighbours',          endpoints: ['update-qualifying-event'], title: 'One update in two edits the query of the next source.',                      decorator: besides(({ sql }) => ({ sql: `${String(sql)} LIMIT 1` }), { every: 2 }) },
  { id: 'source-write-lost-in-three',      requirement: 'state.qualifying-event-visible', endpoints: ['update-qualifying-event'], title: 'One update in three is answered and not stored.',                       decorator: everyNthStores(3, () => undefined), alsoAs: ['state.concurrent-answers'] },
  { id: 'metric-lost-in-three',            requirement: 'state.metric-listed',       endpoints: ['create-metric'],           title: 'One metric in three is answered and not stored.',                            decorator: everyNthStores(3, () => undefined), alsoAs: ['state.concurrent-answers'] },
  { id: 'disable-lost-in-two',             requirement: 'state.disable-gate-false',  endpoints: ['disable-gate'],            title: 'One disabling in two is answered and not stored.',                           decorator: everyNthStores(2, () => undefined), alsoAs: ['state.disable-gate-idempotent', 'state.concurrent-answers'] },
  { id: 'gate-second-replica-frozen',      requirement: 'state.patch-every-sent',    endpoints: ['patch-gate'],              title: 'One of two replicas that answer the empty patch never catches up.',          decorator: gateFrozen(2), alsoAs: ['state.concurrent-answers', 'state.disable-gate-false', 'state.patch-only-sent', 'state.neighbours'] },
  { id: 'gate-permanent-in-small-letters', requirement: 'gate.type',                 endpoints: ['patch-gate'],              title: 'permanent is taken for PERMANENT.',                                          decorator: takesAs('type', is('permanent'), upper), profile: 'standard' },
  { id: 'metric-decrease-in-capitals',     requirement: 'metric.directionality',     endpoints: ['create-metric'],           title: 'DECREASE is taken for decrease.',                                            decorator: takesAs('directionality', is('DECREASE'), (value: string) => value.toLowerCase()), profile: 'standard' },
  { id: 'metric-dry-run-creates-later',    requirement: 'state.dry-run-metric',      endpoints: ['create-metric'],           title: 'What dry runs asked about is created later.',                                decorator: laterMade, alsoAs: ['accept.combination', 'accept.plain-value', 'accept.stated-boundary'] },
  { id: 'source-dry-run-stores-half',      requirement: 'state.dry-run-qualifying-event', endpoints: ['update-qualifying-event'], title: 'One dry run in two is stored.',                                         decorator: halfDry },
];
