import { internalError, refusal } from '../../api/response.ts';
import { anybody, overAll, withoutLock } from '../../decorators/meetings.ts';
import { sentBy, sharesRequest, sharesResponse } from '../../decorators/operations.ts';
import {
  answersWhereMet,
  halves,
  keepsCopy,
  listsTwice,
  losesOne,
  mixes,
  mixesAnswers,
  refusesLater,
  storesWhereMet,
  swapsAnswers,
  union,
} from '../../decorators/races.ts';
import type { FaultTable } from '../fault.ts';

const conflict = refusal(409, 'Somebody else is writing to it.');
const isEmptyPatch = (request: { readonly body: unknown }): boolean =>
  Object.keys(sentBy(request as never)).length === 0;
const five = { size: 5 };
const text = [
  'echo.sent-field',
  'echo.unicode',
  'echo.ordered-lists',
  'echo.free-form',
  'echo.outside-shape',
  'echo.target-apps',
] as const;

/** What goes wrong where requests meet: the first waits a moment for the second, and then both go on (section 4.6). */
// biome-ignore format: a table
export const raceFaults: FaultTable = [
  { id: 'gate-race-without-lock',       requirement: 'state.concurrent-fields',   endpoints: ['patch-gate'],                   title: 'Patches at once read a gate, change their copies and store them whole.',      decorator: withoutLock() },
  { id: 'gate-race-last-stays',         requirement: 'state.concurrent-fields',   endpoints: ['patch-gate'],                   title: 'Of patches at once the last is answered and not stored.',                     decorator: losesOne() },
  { id: 'gate-race-first-lost',         requirement: 'state.concurrent-fields',   endpoints: ['patch-gate'],                   title: 'Of patches at once the first is answered and not stored.',                    decorator: storesWhereMet((value, { index }) => (index === 0 ? undefined : value)) },
  { id: 'gate-race-all-lost',           requirement: 'state.concurrent-fields',   endpoints: ['patch-gate'],                   title: 'Patches at once roll one another back.',                                      decorator: storesWhereMet(() => undefined), alsoAs: ['state.concurrent-values'] },
  { id: 'gate-race-one-of-five-lost',   requirement: 'state.concurrent-fields',   endpoints: ['patch-gate'],                   title: 'Of five patches at once one is answered and not stored.',                     decorator: storesWhereMet((value, { index }) => (index === 2 ? undefined : value), five), profile: 'standard', alsoAs: ['state.concurrent-values'] },
  { id: 'gate-race-texts-torn',         requirement: 'state.concurrent-values',   endpoints: ['patch-gate'],                   title: 'Two descriptions at once are stored as one half of each.',                    decorator: mixes('description', halves) },
  { id: 'gate-race-tags-joined',        requirement: 'state.concurrent-values',   endpoints: ['patch-gate'],                   title: 'Two lists of tags at once are stored as one.',                                decorator: mixes('tags', union) },
  { id: 'gate-race-same-field-lost',    requirement: 'state.concurrent-values',   endpoints: ['patch-gate'],                   title: 'Where two patches at once send the description, it stays as it was.',         decorator: storesWhereMet((value, { requests }, before) => (requests.every(one => 'description' in sentBy(one)) ? { ...value, description: before.description } : value)) },
  { id: 'gate-race-resets-rest',        requirement: 'state.concurrent-fields',   endpoints: ['patch-gate'],                   title: 'Patches at once reset what they do not send.',                                decorator: storesWhereMet((value, { requests, index }) => (index === 0 || requests.some(one => 'measureMetricLifts' in sentBy(one)) ? value : { ...value, measureMetricLifts: value.measureMetricLifts !== true })) },
  { id: 'gate-race-conflict-stored',    requirement: 'reject.no-trace',           endpoints: ['patch-gate'],                   title: 'The second of two patches is refused with 409 and stored.',                   decorator: refusesLater(conflict, true) },
  { id: 'gate-race-conflict-fails',     requirement: 'robust.never-5xx',          endpoints: ['patch-gate'],                   title: 'The second of two patches fails: the database detects a deadlock.',           decorator: refusesLater(internalError, false), alsoAs: ['accept.combination'] },
  { id: 'gate-race-answers-swapped',    requirement: 'echo.sent-field',           endpoints: ['patch-gate'],                   title: 'Each of two patches of a gate is given the answer to the other.',             decorator: swapsAnswers({}), alsoAs: ['echo.unicode', 'echo.target-apps', 'state.concurrent-values'] },
  { id: 'gate-race-copy-kept',          requirement: 'state.concurrent-fields',   endpoints: ['patch-gate'],                   title: 'After patches at once a gate is read from a copy that nobody throws away.',   decorator: keepsCopy('gates', isEmptyPatch), alsoAs: ['state.concurrent-values'] },
  { id: 'gates-race-stored-together',   requirement: 'state.concurrent-answers',  endpoints: ['patch-gate'],                   title: 'All gates are stored as one file: patches of two at once lose one.',          decorator: losesOne(overAll), alsoAs: ['state.concurrent-fields', 'state.concurrent-values'] },
  { id: 'gate-race-answer-torn',        requirement: 'state.concurrent-values',   endpoints: ['patch-gate'],                   title: 'The answers to two descriptions at once show half of each.',                  decorator: mixesAnswers('description') },

  { id: 'disable-race-without-lock',    requirement: 'state.concurrent-fields',   endpoints: ['patch-gate', 'disable-gate'],   title: 'A patch and a disable at once store their copies of the gate whole.',          decorator: withoutLock(), alsoAs: ['state.disable-gate-false'] },
  { id: 'disable-race-undone',          requirement: 'state.concurrent-fields',   endpoints: ['patch-gate', 'disable-gate'],   title: 'A patch beside a disable leaves the gate enabled.',                           decorator: storesWhereMet((value, { requests }) => (requests.some(one => one.endpoint === 'disable-gate') ? { ...value, isEnabled: true } : value)), alsoAs: ['state.concurrent-values'] },
  { id: 'disable-race-patch-lost',      requirement: 'state.concurrent-fields',   endpoints: ['patch-gate', 'disable-gate'],   title: 'A patch beside a disable is answered and not stored.',                        decorator: storesWhereMet((value, { requests, index }) => (requests.some(one => one.endpoint === 'disable-gate') && requests[index]?.endpoint === 'patch-gate' ? undefined : value)) },
  { id: 'disable-race-answer-enabled',  requirement: 'state.disable-gate-false',  endpoints: ['patch-gate', 'disable-gate'],   title: 'The answer to a disable beside a patch shows the gate enabled.',              decorator: answersWhereMet((data, _met, request) => { if (request.endpoint === 'disable-gate') data.isEnabled = true; }) },

  { id: 'source-race-texts-torn',       requirement: 'state.concurrent-values',   endpoints: ['update-qualifying-event'],      title: 'Two descriptions of a source at once are stored as one half of each.',        decorator: mixes('description', halves), alsoAs: ['state.concurrent-answers', 'state.qualifying-event-visible'] },
  { id: 'source-race-tags-joined',      requirement: 'state.concurrent-values',   endpoints: ['update-qualifying-event'],      title: 'The tags of two updates at once are stored together.',                        decorator: mixes('tags', union) },
  { id: 'source-race-all-lost',         requirement: 'state.concurrent-values',   endpoints: ['update-qualifying-event'],      title: 'Updates of a source at once roll one another back.',                          decorator: storesWhereMet(() => undefined) },
  { id: 'sources-race-stored-together', requirement: 'state.concurrent-answers',  endpoints: ['update-qualifying-event'],      title: 'All sources are stored as one file: updates of two at once lose one.',        decorator: losesOne(anybody) },
  { id: 'source-race-conflict-stored',  requirement: 'reject.no-trace',           endpoints: ['update-qualifying-event'],      title: 'The second of two updates is refused with 409 and stored.',                   decorator: refusesLater(conflict, true) },
  { id: 'source-race-copy-kept',        requirement: 'state.concurrent-values',   endpoints: ['update-qualifying-event', 'list-qualifying-events'], title: 'After updates at once the list is a copy that nobody throws away.', decorator: keepsCopy('qualifyingEvents', ({ endpoint }) => endpoint === 'list-qualifying-events') },
  { id: 'sources-race-answers-swapped', requirement: 'identity.qualifying-event-name', endpoints: ['update-qualifying-event'], title: 'Each of two updates at once is given the answer to the other.',               decorator: swapsAnswers(), alsoAs: ['echo.sent-field', 'echo.unicode', 'echo.ordered-lists', 'echo.free-form', 'echo.outside-shape', 'state.concurrent-values'] },

  { id: 'environments-race-one-missing', requirement: 'state.environments-listed', endpoints: ['update-environments'],         title: 'Sets at once clear and fill the table: an answer lacks an environment.',      decorator: answersWhereMet(data => { data.environments = (data.environments as unknown[]).slice(1); }) },
  { id: 'environments-race-listed-twice', requirement: 'state.concurrent-answers', endpoints: ['update-environments'],         title: 'Sets at once insert an environment twice.',                                   decorator: answersWhereMet(data => { data.environments = [...(data.environments as unknown[]), ...(data.environments as unknown[]).slice(0, 1)]; }) },
  { id: 'environments-race-fails',      requirement: 'robust.never-5xx',          endpoints: ['update-environments'],          title: 'The second of two sets at once violates a unique index.',                     decorator: refusesLater(internalError, false) },

  { id: 'experiment-race-texts-torn',   requirement: 'state.concurrent-values',   endpoints: ['update-experiment'],            title: 'Two hypotheses at once are answered as one half of each.',                    decorator: mixesAnswers('hypothesis') },
  { id: 'experiment-race-update-lost',  requirement: 'state.concurrent-fields',   endpoints: ['update-experiment', 'enable-groups'], title: 'Enabling groups beside an update stores its copy of the experiment whole.', decorator: storesWhereMet((value, { requests, index }) => (requests.some(one => one.endpoint === 'enable-groups') && requests[index]?.endpoint === 'update-experiment' ? undefined : value)) },

  { id: 'metrics-race-one-lost',        requirement: 'state.metric-listed',       endpoints: ['create-metric'],                title: 'Of metrics created at once one is answered and not stored.',                  decorator: losesOne(anybody) },
  { id: 'metrics-race-answers-swapped', requirement: 'state.concurrent-answers',  endpoints: ['create-metric'],                title: 'Each of two creations at once is given the answer to the other.',             decorator: swapsAnswers(), alsoAs: [...text] },
  { id: 'metrics-race-name-twice',      requirement: 'state.concurrent-creations', endpoints: ['create-metric', 'list-event-metrics'], title: 'Of one name two metrics are created at once, and both are listed.',  decorator: listsTwice, profile: 'standard' },
  { id: 'metrics-race-name-fails',      requirement: 'robust.never-5xx',          endpoints: ['create-metric'],                title: 'Of two creations of one name at once the second violates a unique index.',    decorator: refusesLater(internalError, false, { key: request => String(sentBy(request).name) }), profile: 'standard' },

  { id: 'prompts-race-one-version',     requirement: 'state.concurrent-creations', endpoints: ['create-prompt-version'],       title: 'Versions created at once get the same id.',                                   decorator: withoutLock(anybody), profile: 'standard' },
  { id: 'prompts-race-answers-swapped', requirement: 'state.concurrent-answers',  endpoints: ['create-prompt-version'],        title: 'Each of two creations of a version at once is given the answer to the other.', decorator: swapsAnswers(), alsoAs: [...text, 'state.prompt-fields'] },

  { id: 'segments-race-shared-page',    requirement: 'state.concurrent-reads',    endpoints: ['list-segments'],                title: 'Reads of segments at once share one answer.',                                 decorator: sharesResponse, alsoAs: ['pagination.page-number'] },
  { id: 'sources-race-pages-swapped',   requirement: 'state.concurrent-reads',    endpoints: ['list-qualifying-events'],       title: 'Each of two reads of sources at once is given the answer to the other.',      decorator: swapsAnswers() },
  { id: 'versions-race-shared-request', requirement: 'state.concurrent-reads',    endpoints: ['list-config-versions'],         title: 'Reads of versions at once share one request.',                                decorator: sharesRequest, alsoAs: ['identity.config-version-id'] },
  { id: 'event-metrics-race-swapped',   requirement: 'state.concurrent-reads',    endpoints: ['list-event-metrics'],           title: 'Each of two reads of metrics at once is given the answer to the other.',      decorator: swapsAnswers(), profile: 'standard' },
  { id: 'events-race-shared-answer',    requirement: 'state.concurrent-reads',    endpoints: ['list-events'],                  title: 'Reads of events at once share one answer.',                                   decorator: sharesResponse, alsoAs: ['identity.event-name'] },
];
