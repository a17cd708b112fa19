import { membersOf } from '../../../contracts/json.ts';
import { type HandlerResponse, internalError, isSuccess, refusal } from '../../api/response.ts';
import {
  any,
  around,
  besides,
  counting,
  does,
  evenBackwards,
  everyNthStores,
  flips,
  gateFrozen,
  halfDry,
  instead,
  insteadOfWork,
  is,
  isEmpty,
  laterMade,
  length,
  listFrozen,
  losesEveryNth,
  lower,
  oneMissing,
  onList,
  overlaps,
  perServer,
  refusing,
  sentBy,
  shown,
  showsData,
  skips,
  takesAs,
  turned,
  upper,
  valuesAt,
  type When,
  where,
} from '../../decorators/index.ts';
import type { FaultTable } from '../fault.ts';

const refusedWhere = (status: number, message: string, field: string, when: When) =>
  does(
    `\`${field}\` is refused with ${status} ${where(when)}.`,
    refusing(status, message, body => valuesAt(body, field).some(when)),
  );
const busy = 'Somebody else is saving this. Please try again.';
const planned = 'Your plan allows 60 metrics.';
const locked = 'This setting is locked.';
const isEmoji = (value: unknown): boolean => /\p{Extended_Pictographic}/u.test(String(value ?? ''));

const emptyPatch = (answer: HandlerResponse) =>
  insteadOfWork(request => (isEmpty(sentBy(request)) ? answer : undefined));

/** Keeps only the metric that was created last. */
const givesWay = perServer(() => {
  let last: string | undefined;
  return around(async (work, request, store) => {
    const answer = await work();
    const { id } = membersOf(membersOf(answer.body).data);
    if (!isSuccess(answer) || sentBy(request).dryRun === true || typeof id !== 'string') return answer;
    if (last !== undefined) await store.remove('metrics', last);
    last = id;
    return answer;
  });
});

/** Faults that look like a service that has other users, lags, or has reached a limit (sections 2 to 4). */
// biome-ignore format: a table
export const mirrorFaults: FaultTable = [
  ['sources-reversed-on-even-pages',    'list-qualifying-events',                     'pagination.complete',            'Even pages come from a list in the opposite order.',                        showsData(evenBackwards)],
  ['event-metrics-last-flickers',       'list-event-metrics',                         'pagination.page-size',           'Every second page lacks its last item, while the total stays.',             counting(next => onList(list => { if (next() % 2 === 0) list.data = list.data.slice(0, -1); })), 'pagination.total', 'pagination.complete'],
  ['update-qualifying-event', 'state.neighbours', [
    ['source-edits-beside',        'An update edits the description of the next source.',                       besides(({ description }) => ({ description: `${String(description)}.` }))],
    ['source-edits-far-off',       'An update edits a source that is no fixture.',                              besides(({ tags }) => ({ tags: [...(tags as string[]), 'edited'] }), { step: -3 })],
    ['source-copies-text-far-off', 'An update gives its description to a source that is no fixture.',           besides((_other, { description }) => ({ description }), { step: -3 })],
    ['source-copies-tags-far-off', 'An update gives its tags to a source that is no fixture.',                  besides((_other, { tags }) => ({ tags }), { step: -3 }), 'standard'],
  ]],
  ['patch-gate', 'accept.stated-boundary', [
    ['gate-permanent-refused-422', refusedWhere(422, locked, 'type', is('PERMANENT'))],
    ['gate-permanent-refused-403', refusedWhere(403, locked, 'type', is('PERMANENT'))],
    ['gate-temporary-needs-plan',  refusedWhere(402, 'Temporary gates are part of the Pro plan.', 'type', is('TEMPORARY'))],
    ['gate-lifts-on-refused-423',  refusedWhere(423, locked, 'measureMetricLifts', is(true)), 'accept.plain-value'],
  ]],
  ['gate-tags-refused-422',             'patch-gate',                                 'accept.plain-value', refusedWhere(422, locked, 'tags', any)],
  ['gate-lifts-refused-400',            'patch-gate',                                 'accept.stated-boundary', refusedWhere(400, locked, 'measureMetricLifts', any), 'accept.plain-value'],
  ['gate-thousand-refused-409',         'patch-gate',                                 'accept.stated-boundary', refusedWhere(409, busy, 'description', length(1000))],
  ['gate-emoji-refused-409',            'patch-gate',                                 'accept.plain-value',             'A description with an emoji is always somebody else\'s save (409).',        refusedWhere(409, busy, 'description', isEmoji), 'echo.unicode', 'accept.stated-boundary', 'accept.combination'],
  ['gate-name-100-needs-plan',          'patch-gate',                                 'accept.stated-boundary', refusedWhere(402, 'Your plan allows 60 gates.', 'name', length(100))],
  ['prompt-name-100-needs-plan',        'create-prompt-version',                      'accept.stated-boundary', refusedWhere(402, 'Your plan allows 20 versions.', 'name', length(100)), 'standard'],
  ['metric-name-200-needs-plan',        'create-metric',                              'accept.stated-boundary', refusedWhere(402, planned, 'name', length(200))],
  ['metric-decrease-refused-409',       'create-metric',                              'accept.stated-boundary', refusedWhere(409, 'A metric with this name exists already.', 'directionality', is('decrease'))],
  ['metric-users-need-plan',            'create-metric',                              'accept.metric-count-types', refusedWhere(402, planned, 'type', is('event_user')), 'accept.plain-value', 'accept.stated-boundary'],
  ['experiment-whole-refused-409',      'update-experiment',                          'accept.stated-boundary', refusedWhere(409, 'The experiment is running.', 'allocation', is(100))],
  ['source-day-refused-423',            'update-qualifying-event',                    'accept.stated-boundary', refusedWhere(423, locked, 'timestampAsDay', is(true)), 'accept.plain-value'],
  ['gate-write-lost-in-three',          'patch-gate',                                 'state.patch-every-sent', losesEveryNth(3), 'state.concurrent-answers', 'state.disable-gate-false', 'state.concurrent-fields'],
  ['gate-patch-moves-lifts-half',       'patch-gate',                                 'state.patch-only-sent',          'One patch in two turns `measureMetricLifts` round.',                        everyNthStores(2, ({ value }) => ({ ...value, measureMetricLifts: value.measureMetricLifts !== true })), 'state.patch-every-sent', 'state.concurrent-fields'],
  ['gate-patch-moves-holdouts-half',    'patch-gate',                                 'state.patch-only-sent',          'One patch in two puts the gate under another holdout.',                     everyNthStores(2, ({ value }) => ({ ...value, holdoutIDs: [`holdout_${(value.holdoutIDs as unknown[]).length}`] }))],
  ['gate-replica-frozen',               'patch-gate',                                 'state.patch-every-sent',         'The empty patch is answered by a replica that never catches up.',           gateFrozen(1), 'state.concurrent-answers', 'state.patch-only-sent', 'state.disable-gate-false', 'state.concurrent-fields', 'state.concurrent-values'],
  ['source-list-frozen',                ['update-qualifying-event', 'list-qualifying-events'], 'state.qualifying-event-visible', 'Metric sources are listed by a replica that never catches up.',             listFrozen('qualifyingEvents'), 'state.concurrent-answers', 'state.concurrent-values'],
  ['segments-one-twice-half',           'list-segments',                              'pagination.no-repeat',           'Every second page shows its second item twice, and its third not at all.',  counting(next => onList(list => { if (next() % 2 === 0 && list.data[2]) list.data[2] = list.data[1]; }))],
  ['event-metrics-frozen',              ['create-metric', 'list-event-metrics'],      'state.metric-listed',            'Metrics are listed by a replica that never catches up.',                    listFrozen('metrics')],
  ['gate-tags-one-missing',             'patch-gate',                                 'echo.sent-field',                'Tags come back in another order, one of them missing.',                     oneMissing('tags'), 'state.patch-every-sent', 'state.patch-only-sent', 'state.neighbours', 'echo.unicode', 'state.concurrent-fields', 'state.concurrent-values'],
  ['metric-tags-one-missing',           'create-metric',                              'echo.sent-field',                'Tags come back in another order, one of them missing.',                     oneMissing('tags'), 'echo.unicode'],
  ['metric-units-one-missing',          'create-metric',                              'echo.sent-field',                'Unit types come back in another order, one of them missing.',               oneMissing('unitTypes')],
  ['experiment-groups-turn',            'update-experiment',                          'echo.ordered-lists', shown('groups', turned)],
  ['prompt-messages-turn',              'create-prompt-version',                      'echo.ordered-lists', shown('prompts', turned), 'standard'],
  ['gate-empty-patch-500',              'patch-gate',                                 'robust.never-5xx',               'A patch that carries nothing is a 500.',                                    emptyPatch(internalError), 'state.patch-empty-reads', 'reject.never-5xx'],
  ['gate-empty-patch-503',              'patch-gate',                                 'robust.never-5xx',               'A patch that carries nothing is a 503.',                                    emptyPatch(refusal(503, 'The gate cannot be read.')), 'state.patch-empty-reads', 'reject.never-5xx'],
  ['metric-dry-run-creates-half',       'create-metric',                              'state.dry-run-metric',           'One dry run in two creates the metric.',                                    halfDry, 'reject.no-trace'],
  ['prompt-refused-on-long-409',        'create-prompt-version',                      'accept.stated-boundary', refusedWhere(409, busy, 'description', length(1000)), 'standard'],
  ['prompts-502-on-emoji',              'create-prompt-version',                      'robust.never-5xx',               'An emoji is a 502, as if a gateway failed.',                                instead(request => (isEmoji(sentBy(request).description) ? refusal(502, 'Bad gateway.') : undefined)), 'standard', 'accept.plain-value', 'accept.combination', 'echo.unicode', 'reject.never-5xx'],
  ['segments-repeat-while-total-flips', 'list-segments',                              'pagination.complete',            'Pages overlap by one item, and the total flips as if the list were alive.', flips(overlaps), 'pagination.total', 'pagination.page-size', 'pagination.next-null'],
  ['sources-skip-while-total-flips',    'list-qualifying-events',                     'pagination.complete',            'Pages leave out one item, and the total flips as if the list were alive.',  flips(skips), 'pagination.total', 'pagination.page-size', 'pagination.next-null'],
  ['gate-wipes-tags-beside',            'patch-gate',                                 'state.neighbours',               'A write to a gate wipes the tags of the next one.',                         besides(() => ({ tags: [] }))],
  ['gate-wipes-beside-now-and-then',    'patch-gate',                                 'state.neighbours',               'One write in two wipes the description of the next gate.',                  besides(() => ({ description: '' }), { every: 2 }), 'state.concurrent-answers'],
  ['disable-gate-moves-beside',         'disable-gate',                               'state.neighbours',               'Disabling a gate gives the one before it another id type.',                 besides(() => ({ idType: 'userID' }), { step: -1 })],
  ['source-edits-beside-half',          'update-qualifying-event',                    'state.neighbours',               'One update in two edits the query of the next source.',                     besides(({ sql }) => ({ sql: `${String(sql)} LIMIT 1` }), { every: 2 })],
  ['source-write-lost-in-three',        'update-qualifying-event',                    'state.qualifying-event-visible', losesEveryNth(3), 'state.concurrent-answers'],
  ['metric-lost-in-three',              'create-metric',                              'state.metric-listed', losesEveryNth(3), 'state.concurrent-answers'],
  ['metric-gives-way-to-the-next',      'create-metric',                              'state.metric-listed',            'Of the metrics that were created the last alone is kept.',                  givesWay, 'state.concurrent-answers', 'state.concurrent-creations', 'standard'],
  ['disable-lost-in-two',               'disable-gate',                               'state.disable-gate-false', losesEveryNth(2), 'state.disable-gate-idempotent', 'state.concurrent-answers', 'state.concurrent-fields'],
  ['gate-second-replica-frozen',        'patch-gate',                                 'state.patch-every-sent',         'One of two replicas that answer the empty patch never catches up.',         gateFrozen(2), 'state.concurrent-answers', 'state.disable-gate-false', 'state.patch-only-sent', 'state.neighbours', 'auth.no-effect'],
  ['gate-permanent-in-small-letters',   'patch-gate',                                 'gate.type',                      'permanent is taken for PERMANENT.',                                         takesAs('type', is('permanent'), upper), 'standard'],
  ['metric-decrease-in-capitals',       'create-metric',                              'metric.directionality',          'DECREASE is taken for decrease.',                                           takesAs('directionality', is('DECREASE'), lower), 'standard'],
  ['metric-dry-run-creates-later',      'create-metric',                              'state.dry-run-metric',           'What dry runs asked about is created later.',                               laterMade, 'accept.combination', 'accept.plain-value', 'accept.stated-boundary'],
  ['source-dry-run-stores-half',        'update-qualifying-event',                    'state.dry-run-qualifying-event', 'One dry run in two is stored.',                                             halfDry, 'reject.no-trace'],
  ['source-wipes-tags-beside',          'update-qualifying-event',                    'state.neighbours',               'An update wipes the tags of the next source.',                              besides(() => ({ tags: [] }))],
];
