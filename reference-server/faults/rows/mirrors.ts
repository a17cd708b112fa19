import { type HandlerResponse, internalError, refusal } from '../../api/response.ts';
import { gateFrozen, listFrozen } from '../../decorators/frozen.ts';
import {
  besides,
  counting,
  everyNthStores,
  flips,
  halfDry,
  laterMade,
  oneMissing,
  overlaps,
  skips,
  turns,
} from '../../decorators/now-and-then.ts';
import { instead, insteadOfWork, sentBy } from '../../decorators/operations.ts';
import { onList } from '../../decorators/paging.ts';
import { is, takesAs } from '../../decorators/validation.ts';
import type { FaultTable } from '../fault.ts';

const refusedWhere = (status: number, message: string, when: (body: Readonly<Record<string, unknown>>) => boolean) =>
  insteadOfWork(request => (when(sentBy(request)) ? refusal(status, message) : undefined));
const upper = (value: string): string => value.toUpperCase();
const busy = 'Somebody else is saving this. Please try again.';
const planned = 'Your plan allows 60 metrics.';
const locked = 'This setting is locked.';
const isEmoji = (value: unknown): boolean => /\p{Extended_Pictographic}/u.test(String(value ?? ''));
const isLong = (value: unknown, count: number): boolean => String(value ?? '').length === count;

const emptyPatch = (answer: HandlerResponse) =>
  insteadOfWork(request => (Object.keys(sentBy(request)).length === 0 ? answer : undefined));
const unavailable = refusal(503, 'The gate cannot be read.');
const offset = ({ page, limit }: { readonly page: number; readonly limit: number }): number => (page - 1) * limit;

/** Faults that look like a service that others use, that lags, or that has had enough (sections 2 to 4). */
// biome-ignore format: a table
export const mirrorFaults: FaultTable = [
  { id: 'sources-reversed-on-even-pages',  requirement: 'pagination.complete',       endpoints: ['list-qualifying-events'],  title: 'Even pages come from a list in the opposite order.',                         decorator: onList(list => { if (list.page % 2 === 0) list.data = [...list.all].reverse().slice(offset(list), offset(list) + list.limit); }) },
  { id: 'event-metrics-last-flickers',     requirement: 'pagination.page-size',      endpoints: ['list-event-metrics'],      title: 'Every second page lacks its last item, while the total stays.',              decorator: counting(next => onList(list => { if (next() % 2 === 0) list.data = list.data.slice(0, -1); })), alsoAs: ['pagination.total', 'pagination.complete'] },
  { id: 'source-edits-beside',             requirement: 'state.neighbours',          endpoints: ['update-qualifying-event'], title: 'An update edits the description of the next source.',                        decorator: besides(({ description }) => ({ description: `${String(description)}.` })) },
  { id: 'source-edits-far-off',            requirement: 'state.neighbours',          endpoints: ['update-qualifying-event'], title: 'An update edits a source that is no fixture.',                               decorator: besides(({ tags }) => ({ tags: [...(tags as string[]), 'edited'] }), { step: -3 }) },
  { id: 'source-copies-text-far-off',      requirement: 'state.neighbours',          endpoints: ['update-qualifying-event'], title: 'An update gives its description to a source that is no fixture.',            decorator: besides((_other, { description }) => ({ description }), { step: -3 }) },
  { id: 'source-copies-tags-far-off',      requirement: 'state.neighbours',          endpoints: ['update-qualifying-event'], title: 'An update gives its tags to a source that is no fixture.',                   decorator: besides((_other, { tags }) => ({ tags }), { step: -3 }) },
  { id: 'gate-permanent-refused-422',      requirement: 'accept.stated-boundary',    endpoints: ['patch-gate'],              title: 'The type PERMANENT is refused with 422.',                                    decorator: refusedWhere(422, locked, ({ type }) => type === 'PERMANENT') },
  { id: 'gate-permanent-refused-403',      requirement: 'accept.stated-boundary',    endpoints: ['patch-gate'],              title: 'The type PERMANENT is refused with 403.',                                    decorator: refusedWhere(403, locked, ({ type }) => type === 'PERMANENT') },
  { id: 'gate-temporary-needs-plan',       requirement: 'accept.stated-boundary',    endpoints: ['patch-gate'],              title: 'The type TEMPORARY is refused with 402, as if a plan lacked it.',            decorator: refusedWhere(402, 'Temporary gates are part of the Pro plan.', ({ type }) => type === 'TEMPORARY') },
  { id: 'gate-lifts-on-refused-423',       requirement: 'accept.stated-boundary',    endpoints: ['patch-gate'],              title: '`measureMetricLifts` can be false and not true (423).',                      decorator: refusedWhere(423, locked, ({ measureMetricLifts }) => measureMetricLifts === true), alsoAs: ['accept.plain-value'] },
  { id: 'gate-tags-refused-422',           requirement: 'accept.plain-value',        endpoints: ['patch-gate'],              title: 'Tags of gates are refused with 422, whatever they are.',                     decorator: refusedWhere(422, locked, ({ tags }) => tags !== undefined) },
  { id: 'gate-lifts-refused-400',          requirement: 'accept.stated-boundary',    endpoints: ['patch-gate'],              title: '`measureMetricLifts` is refused with 400, whatever it is.',                  decorator: refusedWhere(400, locked, ({ measureMetricLifts }) => measureMetricLifts !== undefined), alsoAs: ['accept.plain-value'] },
  { id: 'gate-thousand-refused-409',       requirement: 'accept.stated-boundary',    endpoints: ['patch-gate'],              title: 'A description of 1000 characters is always somebody else\'s save (409).',    decorator: refusedWhere(409, busy, ({ description }) => isLong(description, 1000)) },
  { id: 'gate-emoji-refused-409',          requirement: 'accept.plain-value',        endpoints: ['patch-gate'],              title: 'A description with an emoji is always somebody else\'s save (409).',         decorator: refusedWhere(409, busy, ({ description }) => isEmoji(description)), alsoAs: ['echo.unicode', 'accept.stated-boundary', 'accept.combination'] },
  { id: 'gate-name-100-needs-plan',        requirement: 'accept.stated-boundary',    endpoints: ['patch-gate'],              title: 'The plan is used up for names of exactly 100 characters (402).',             decorator: refusedWhere(402, 'Your plan allows 60 gates.', ({ name }) => isLong(name, 100)) },
  { id: 'prompt-name-100-needs-plan',      requirement: 'accept.stated-boundary',    endpoints: ['create-prompt-version'],   title: 'The plan is used up for names of exactly 100 characters (402).',             decorator: refusedWhere(402, 'Your plan allows 20 versions.', ({ name }) => isLong(name, 100)), profile: 'standard' },
  { id: 'metric-name-200-needs-plan',      requirement: 'accept.stated-boundary',    endpoints: ['create-metric'],           title: 'The plan is used up for names of exactly 200 characters (402).',             decorator: refusedWhere(402, planned, ({ name }) => isLong(name, 200)) },
  { id: 'metric-decrease-refused-409',     requirement: 'accept.stated-boundary',    endpoints: ['create-metric'],           title: 'A metric that decreases exists already, whatever its name (409).',           decorator: refusedWhere(409, 'A metric with this name exists already.', ({ directionality }) => directionality === 'decrease') },
  { id: 'metric-users-need-plan',          requirement: 'accept.metric-count-types', endpoints: ['create-metric'],           title: 'Metrics of users are refused as if the quota were used up (402).',           decorator: refusedWhere(402, planned, ({ type }) => type === 'event_user'), alsoAs: ['accept.plain-value', 'accept.stated-boundary'] },
  { id: 'experiment-whole-refused-409',    requirement: 'accept.stated-boundary',    endpoints: ['update-experiment'],       title: 'An allocation of 100 is refused as if the experiment ran (409).',            decorator: refusedWhere(409, 'The experiment is running.', ({ allocation }) => allocation === 100) },
  { id: 'source-day-refused-423',          requirement: 'accept.stated-boundary',    endpoints: ['update-qualifying-event'], title: '`timestampAsDay` can be false and not true (423).',                          decorator: refusedWhere(423, locked, ({ timestampAsDay }) => timestampAsDay === true), alsoAs: ['accept.plain-value'] },
  { id: 'gate-write-lost-in-three',        requirement: 'state.patch-every-sent',    endpoints: ['patch-gate'],              title: 'One patch in three is answered and not stored.',                             decorator: everyNthStores(3, () => undefined), alsoAs: ['state.concurrent-answers', 'state.disable-gate-false'] },
  { id: 'gate-patch-moves-lifts-half',     requirement: 'state.patch-only-sent',     endpoints: ['patch-gate'],              title: 'One patch in two turns `measureMetricLifts` round.',                         decorator: everyNthStores(2, ({ value }) => ({ ...value, measureMetricLifts: value.measureMetricLifts !== true })), alsoAs: ['state.patch-every-sent'] },
  { id: 'gate-patch-moves-holdouts-half',  requirement: 'state.patch-only-sent',     endpoints: ['patch-gate'],              title: 'One patch in two puts the gate under another holdout.',                      decorator: everyNthStores(2, ({ value }) => ({ ...value, holdoutIDs: [`holdout_${(value.holdoutIDs as unknown[]).length}`] })) },
  { id: 'gate-replica-frozen',             requirement: 'state.patch-every-sent',    endpoints: ['patch-gate'],              title: 'The empty patch is answered by a replica that never catches up.',            decorator: gateFrozen(1), alsoAs: ['state.concurrent-answers', 'state.disable-gate-false'] },
  { id: 'source-list-frozen',              requirement: 'state.qualifying-event-visible', endpoints: ['update-qualifying-event', 'list-qualifying-events'], title: 'Metric sources are listed by a replica that never catches up.',          decorator: listFrozen('qualifyingEvents') },
  { id: 'event-metrics-frozen',            requirement: 'state.metric-listed',       endpoints: ['create-metric', 'list-event-metrics'], title: 'Metrics are listed by a replica that never catches up.',                     decorator: listFrozen('metrics') },
  { id: 'gate-tags-one-missing',           requirement: 'echo.sent-field',           endpoints: ['patch-gate'],              title: 'Tags come back in another order, one of them missing.',                      decorator: oneMissing('tags'), alsoAs: ['state.patch-every-sent', 'state.patch-only-sent', 'state.neighbours', 'echo.unicode'] },
  { id: 'metric-tags-one-missing',         requirement: 'echo.sent-field',           endpoints: ['create-metric'],           title: 'Tags come back in another order, one of them missing.',                      decorator: oneMissing('tags'), alsoAs: ['echo.unicode'] },
  { id: 'metric-units-one-missing',        requirement: 'echo.sent-field',           endpoints: ['create-metric'],           title: 'Unit types come back in another order, one of them missing.',                decorator: oneMissing('unitTypes') },
  { id: 'experiment-groups-turn',          requirement: 'echo.ordered-lists',        endpoints: ['update-experiment'],       title: 'Groups come back as if they were a set, the second one first.',              decorator: turns('groups') },
  { id: 'prompt-messages-turn',            requirement: 'echo.ordered-lists',        endpoints: ['create-prompt-version'],   title: 'Messages come back as if they were a set, the second one first.',            decorator: turns('prompts'), profile: 'standard' },
  { id: 'gate-empty-patch-500',            requirement: 'robust.never-5xx',          endpoints: ['patch-gate'],              title: 'A patch that carries nothing is a 500.',                                     decorator: emptyPatch(internalError), alsoAs: ['state.patch-empty-reads', 'reject.never-5xx'] },
  { id: 'gate-empty-patch-503',            requirement: 'robust.never-5xx',          endpoints: ['patch-gate'],              title: 'A patch that carries nothing is a 503.',                                     decorator: emptyPatch(unavailable), alsoAs: ['state.patch-empty-reads', 'reject.never-5xx'] },
  { id: 'metric-dry-run-creates-half',     requirement: 'state.dry-run-metric',      endpoints: ['create-metric'],           title: 'One dry run in two creates the metric.',                                     decorator: halfDry },
  { id: 'prompt-refused-on-long-409',      requirement: 'accept.stated-boundary',    endpoints: ['create-prompt-version'],   title: 'A description of 1000 characters is always somebody else\'s save (409).',    decorator: refusedWhere(409, busy, ({ description }) => isLong(description, 1000)), profile: 'standard' },
  { id: 'prompts-502-on-emoji',            requirement: 'robust.never-5xx',          endpoints: ['create-prompt-version'],   title: 'An emoji is a 502, as if a gateway failed.',                                 decorator: instead(request => (isEmoji(sentBy(request).description) ? refusal(502, 'Bad gateway.') : undefined)), alsoAs: ['accept.plain-value', 'accept.combination', 'echo.unicode', 'reject.never-5xx'], profile: 'standard' },
  { id: 'segments-repeat-while-total-flips', requirement: 'pagination.complete',     endpoints: ['list-segments'],           title: 'Pages overlap by one item, and the total flips as if the list were alive.',  decorator: flips(overlaps), alsoAs: ['pagination.total', 'pagination.page-size', 'pagination.next-null'] },
  { id: 'sources-skip-while-total-flips',  requirement: 'pagination.complete',       endpoints: ['list-qualifying-events'],  title: 'Pages leave out one item, and the total flips as if the list were alive.',   decorator: flips(skips), alsoAs: ['pagination.total', 'pagination.page-size', 'pagination.next-null'] },
  { id: 'gate-wipes-tags-beside',          requirement: 'state.neighbours',          endpoints: ['patch-gate'],              title: 'A write to a gate wipes the tags of the next one.',                          decorator: besides(() => ({ tags: [] })) },
  { id: 'gate-wipes-beside-now-and-then',  requirement: 'state.neighbours',          endpoints: ['patch-gate'],              title: 'One write in two wipes the description of the next gate.',                   decorator: besides(() => ({ description: '' }), { every: 2 }), alsoAs: ['state.concurrent-answers'] },
  { id: 'disable-gate-moves-beside',       requirement: 'state.neighbours',          endpoints: ['disable-gate'],            title: 'Disabling a gate gives the one before it another id type.',                       decorator: besides(() => ({ idType: 'userID' }), { step: -1 }) },
  { id: 'source-edits-beside-half',        requirement: 'state.neighbours',          endpoints: ['update-qualifying-event'], title: 'One update in two edits the query of the next source.',                      decorator: besides(({ sql }) => ({ sql: `${String(sql)} LIMIT 1` }), { every: 2 }) },
  { id: 'source-write-lost-in-three',      requirement: 'state.qualifying-event-visible', endpoints: ['update-qualifying-event'], title: 'One update in three is answered and not stored.',                       decorator: everyNthStores(3, () => undefined), alsoAs: ['state.concurrent-answers'] },
  { id: 'metric-lost-in-three',            requirement: 'state.metric-listed',       endpoints: ['create-metric'],           title: 'One metric in three is answered and not stored.',                            decorator: everyNthStores(3, () => undefined), alsoAs: ['state.concurrent-answers'] },
  { id: 'disable-lost-in-two',             requirement: 'state.disable-gate-false',  endpoints: ['disable-gate'],            title: 'One disabling in two is answered and not stored.',                           decorator: everyNthStores(2, () => undefined), alsoAs: ['state.disable-gate-idempotent', 'state.concurrent-answers'] },
  { id: 'gate-second-replica-frozen',      requirement: 'state.patch-every-sent',    endpoints: ['patch-gate'],              title: 'One of two replicas that answer the empty patch never catches up.',          decorator: gateFrozen(2), alsoAs: ['state.concurrent-answers', 'state.disable-gate-false', 'state.patch-only-sent', 'state.neighbours'] },
  { id: 'gate-permanent-in-small-letters', requirement: 'gate.type',                 endpoints: ['patch-gate'],              title: 'permanent is taken for PERMANENT.',                                          decorator: takesAs('type', is('permanent'), upper), profile: 'standard' },
  { id: 'metric-decrease-in-capitals',     requirement: 'metric.directionality',     endpoints: ['create-metric'],           title: 'DECREASE is taken for decrease.',                                            decorator: takesAs('directionality', is('DECREASE'), (value: string) => value.toLowerCase()), profile: 'standard' },
  { id: 'metric-dry-run-creates-later',    requirement: 'state.dry-run-metric',      endpoints: ['create-metric'],           title: 'What dry runs asked about is created later.',                                decorator: laterMade, alsoAs: ['accept.combination', 'accept.plain-value', 'accept.stated-boundary'] },
  { id: 'source-dry-run-stores-half',      requirement: 'state.dry-run-qualifying-event', endpoints: ['update-qualifying-event'], title: 'One dry run in two is stored.',                                         decorator: halfDry },
  { id: 'source-wipes-tags-beside', requirement: 'state.neighbours', endpoints: ['update-qualifying-event'], title: 'An update wipes the tags of the next source.', decorator: besides(() => ({ tags: [] })) },
];
