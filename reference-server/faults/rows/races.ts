import { internalError, refusal } from '../../api/response.ts';
import {
  answersWhereMet,
  anybody,
  halves,
  isEmptyPatch,
  keepsCopy,
  listsTwice,
  losesOne,
  mixes,
  mixesAnswers,
  overAll,
  refusesLater,
  sentBy,
  sharesRequest,
  sharesResponse,
  storesWhereMet,
  swapsAnswers,
  union,
  withoutLock,
} from '../../decorators/index.ts';
import type { FaultTable } from '../fault.ts';

const conflict = refusal(409, 'Somebody else is writing to it.');
const five = { size: 5 };
const text = [
  'echo.sent-field',
  'echo.unicode',
  'echo.ordered-lists',
  'echo.free-form',
  'echo.outside-shape',
  'echo.target-apps',
] as const;

/** Faults of concurrent requests: the first waits briefly for the second, then both go on (section 4.6). */
// biome-ignore format: a table
export const raceFaults: FaultTable = [
  ['patch-gate', 'state.concurrent-fields', [
    ['gate-race-without-lock',     'Patches at once read a gate, change their copies and store them whole.',       withoutLock()],
    ['gate-race-last-stays',       losesOne()],
    ['gate-race-first-lost',       'Of patches at once the first is answered and not stored.',                     storesWhereMet((value, { index }) => (index === 0 ? undefined : value))],
    ['gate-race-all-lost',         'Patches at once roll one another back.',                                       storesWhereMet(() => undefined), 'state.concurrent-values'],
    ['gate-race-one-of-five-lost', 'Of five patches at once one is answered and not stored.',                      storesWhereMet((value, { index }) => (index === 2 ? undefined : value), five), 'standard', 'state.concurrent-values'],
  ]],
  ['patch-gate', 'state.concurrent-values', [
    ['gate-race-texts-torn',      'Two descriptions at once are stored as one half of each.',                     mixes('description', halves)],
    ['gate-race-tags-joined',     'Two lists of tags at once are stored as one.',                                 mixes('tags', union)],
    ['gate-race-same-field-lost', 'Where two patches at once send the description, it stays as it was.',          storesWhereMet((value, { requests }, before) => (requests.every(one => 'description' in sentBy(one)) ? { ...value, description: before.description } : value))],
  ]],
  ['gate-race-resets-rest',          'patch-gate',                                 'state.concurrent-fields',        'Patches at once reset what they do not send.',                                 storesWhereMet((value, { requests, index }) => (index === 0 || requests.some(one => 'measureMetricLifts' in sentBy(one)) ? value : { ...value, measureMetricLifts: value.measureMetricLifts !== true }))],
  ['gate-race-conflict-stored',      'patch-gate',                                 'reject.no-trace',                'The second of two patches is refused with 409 and stored.',                    refusesLater(conflict, true)],
  ['gate-race-conflict-fails',       'patch-gate',                                 'robust.never-5xx',               'The second of two patches fails: the database detects a deadlock.',            refusesLater(internalError, false), 'accept.combination'],
  ['gate-race-answers-swapped',      'patch-gate',                                 'echo.sent-field', swapsAnswers({}), 'echo.unicode', 'echo.target-apps', 'state.concurrent-values'],
  ['gate-race-copy-kept',            'patch-gate',                                 'state.concurrent-fields',        'After patches at once a gate is read from a copy that nobody throws away.',    keepsCopy('gates', isEmptyPatch), 'state.concurrent-values'],
  ['gates-race-stored-together',     'patch-gate',                                 'state.concurrent-answers',       'All gates are stored as one file: patches of two at once lose one.',           losesOne(overAll), 'state.concurrent-fields', 'state.concurrent-values'],
  ['gate-race-answer-torn',          'patch-gate',                                 'state.concurrent-values',        'The answers to two descriptions at once show half of each.',                   mixesAnswers('description')],

  [['patch-gate', 'disable-gate'], 'state.concurrent-fields', [
    ['disable-race-without-lock', 'A patch and a disable at once store their copies of the gate whole.',          withoutLock(), 'state.disable-gate-false'],
    ['disable-race-undone',       'A patch beside a disable leaves the gate enabled.',                            storesWhereMet((value, { requests }) => (requests.some(one => one.endpoint === 'disable-gate') ? { ...value, isEnabled: true } : value)), 'state.concurrent-values'],
    ['disable-race-patch-lost',   'A patch beside a disable is answered and not stored.',                         storesWhereMet((value, { requests, index }) => (requests.some(one => one.endpoint === 'disable-gate') && requests[index]?.endpoint === 'patch-gate' ? undefined : value))],
  ]],
  ['disable-race-answer-enabled',    ['patch-gate', 'disable-gate'],               'state.disable-gate-false',       'The answer to a disable beside a patch shows the gate enabled.',               answersWhereMet((data, _met, request) => { if (request.endpoint === 'disable-gate') data.isEnabled = true; })],

  ['update-qualifying-event', 'state.concurrent-values', [
    ['source-race-texts-torn',  'Two descriptions of a source at once are stored as one half of each.',         mixes('description', halves), 'state.concurrent-answers', 'state.qualifying-event-visible'],
    ['source-race-tags-joined', 'The tags of two updates at once are stored together.',                         mixes('tags', union)],
    ['source-race-all-lost',    'Updates of a source at once roll one another back.',                           storesWhereMet(() => undefined)],
  ]],
  ['sources-race-stored-together',   'update-qualifying-event',                    'state.concurrent-answers',       'All sources are stored as one file: updates of two at once lose one.',         losesOne(anybody)],
  ['source-race-conflict-stored',    'update-qualifying-event',                    'reject.no-trace',                'The second of two updates is refused with 409 and stored.',                    refusesLater(conflict, true)],
  ['source-race-copy-kept',          ['update-qualifying-event', 'list-qualifying-events'], 'state.concurrent-values',        'After updates at once the list is a copy that nobody throws away.',            keepsCopy('qualifyingEvents', ({ endpoint }) => endpoint === 'list-qualifying-events')],
  ['sources-race-answers-swapped',   'update-qualifying-event',                    'identity.qualifying-event-name', swapsAnswers(), 'echo.sent-field', 'echo.unicode', 'echo.ordered-lists', 'echo.free-form', 'echo.outside-shape', 'state.concurrent-values', 'state.neighbours'],

  ['environments-race-one-missing',  'update-environments',                        'state.environments-listed',      'Sets at once clear and fill the table: an answer lacks an environment.',       answersWhereMet(data => { data.environments = (data.environments as unknown[]).slice(1); })],
  ['environments-race-listed-twice', 'update-environments',                        'state.concurrent-answers',       'Sets at once insert an environment twice.',                                    answersWhereMet(data => { data.environments = [...(data.environments as unknown[]), ...(data.environments as unknown[]).slice(0, 1)]; })],
  ['environments-race-fails',        'update-environments',                        'robust.never-5xx',               'The second of two sets at once violates a unique index.',                      refusesLater(internalError, false)],

  ['experiment-race-texts-torn',     'update-experiment',                          'state.concurrent-values',        'Two hypotheses at once are answered as one half of each.',                     mixesAnswers('hypothesis')],
  ['experiment-race-update-lost',    ['update-experiment', 'enable-groups'],       'state.concurrent-fields',        'Enabling groups beside an update stores its copy of the experiment whole.',    storesWhereMet((value, { requests, index }) => (requests.some(one => one.endpoint === 'enable-groups') && requests[index]?.endpoint === 'update-experiment' ? undefined : value))],

  ['metrics-race-one-lost',          'create-metric',                              'state.metric-listed', losesOne(anybody)],
  ['metrics-race-answers-swapped',   'create-metric',                              'state.concurrent-answers', swapsAnswers(), ...text],
  ['metrics-race-name-twice',        ['create-metric', 'list-event-metrics'],      'state.concurrent-creations',     'Of one name two metrics are created at once, and both are listed.',            listsTwice, 'standard', 'pagination.complete', 'pagination.no-repeat'],
  ['metrics-race-name-fails',        'create-metric',                              'robust.never-5xx',               'Of two creations of one name at once the second violates a unique index.',     refusesLater(internalError, false, { key: request => String(sentBy(request).name) }), 'standard'],

  ['prompts-race-one-version',       'create-prompt-version',                      'state.concurrent-creations',     'Versions created at once get the same id.',                                    withoutLock(anybody), 'standard'],
  ['prompts-race-answers-swapped',   'create-prompt-version',                      'state.concurrent-answers', swapsAnswers(), ...text, 'state.prompt-fields'],

  ['segments-race-shared-page',      'list-segments',                              'state.concurrent-reads', sharesResponse, 'pagination.page-number'],
  ['sources-race-pages-swapped',     'list-qualifying-events',                     'state.concurrent-reads', swapsAnswers()],
  ['versions-race-shared-request',   'list-config-versions',                       'state.concurrent-reads', sharesRequest, 'identity.config-version-id'],
  ['event-metrics-race-swapped',     'list-event-metrics',                         'state.concurrent-reads', swapsAnswers(), 'standard'],
  ['events-race-shared-answer',      'list-events',                                'state.concurrent-reads', sharesResponse, 'identity.event-name'],
];
