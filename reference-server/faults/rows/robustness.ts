import type { Answer } from '../../api/answer.ts';
import type { ApiRequest } from '../../api/request.ts';
import { around, instead, sentBy } from '../defects/answers.ts';
import { broken, everyNth, never } from '../defects/counting.ts';
import { beforeServer, dropsOn, onWireOf } from '../defects/wire.ts';
import type { FaultTable } from '../fault.ts';

const breaksOn = (when: (request: ApiRequest) => boolean, answer: Answer = broken) =>
  instead(request => (when(request) ? answer : undefined));
const hangsOn = (when: (request: ApiRequest) => boolean) => instead(request => (when(request) ? never() : undefined));
const unreadable = (text: string) => (request: ApiRequest) =>
  JSON.stringify(request.unreadable?.body ?? '').includes(text);
const asked = (name: 'page' | 'limit', values: readonly string[]) => (request: ApiRequest) =>
  values.includes(String(request.query[name]));
const textOf = (request: ApiRequest, field: string): string => String(sentBy(request)[field] ?? '');
const length = (request: ApiRequest, field: string): number => textOf(request, field).length;
/** Takes a body that cannot be read for an empty one. */
const unreadableIsEmpty = (text: string) =>
  around(handler => (request, store, settings) => {
    const { unreadable: _, ...rest } = request;
    return handler(unreadable(text)(request) ? { ...rest, body: {} } : request, store, settings);
  });
const html = (text: string) =>
  onWireOf('refusals', ({ status }) => ({ status, headers: { 'Content-Type': 'text/html' }, text }));
const trace = 'TypeError: x is undefined\n    at find (/srv/app/gates.js:12:34)';
const withTrace = onWireOf('refusals', answer => ({
  ...answer,
  text: JSON.stringify({ message: 'Internal', stack: trace }),
}));
const onMethod = (method: string, status = 500) =>
  beforeServer(request =>
    request.method === method
      ? { status, headers: { 'Content-Type': 'application/json' }, text: '{"message":"Internal error."}' }
      : undefined,
  );
/** After a body that is not JSON nothing works any more. */
const poisoned = (by: (request: ApiRequest) => boolean) => {
  return (place => {
    let dead = false;
    return around(handler => async (request, store, settings) => {
      dead ||= by(request);
      return dead ? broken : handler(request, store, settings);
    })(place);
  }) satisfies ReturnType<typeof around>;
};

/** What nobody should send, and what must still get an answer (sections 1, 7 and 8). */
// biome-ignore format: a table
export const robustnessFaults: FaultTable = [
  { id: 'patch-malformed-json-500',       requirement: 'robust.never-5xx',       endpoints: ['patch-gate'],              title: 'A body that is not JSON is a 500.',                            defect: breaksOn(unreadable('not valid JSON')) },
  { id: 'prompt-not-utf-8-500',           requirement: 'robust.never-5xx',       endpoints: ['create-prompt-version'],   title: 'A body that is not UTF-8 is a 500.',                           defect: breaksOn(unreadable('UTF-8')) },
  { id: 'source-array-body-500',          requirement: 'robust.never-5xx',       endpoints: ['update-qualifying-event'], title: 'A body that is a list is a 500.',                              defect: breaksOn(unreadable('JSON object')) },
  { id: 'experiment-deep-nesting-500',    requirement: 'robust.never-5xx',       endpoints: ['update-experiment'],       title: 'A body that is nested too deep is a 500.',                     defect: breaksOn(unreadable('nested deeper')) },
  { id: 'groups-content-type-500',       requirement: 'robust.never-5xx',       endpoints: ['enable-groups'],           title: 'Another content type is a 500.',                               defect: breaksOn(({ unreadable: answer }) => answer?.status === 415) },
  { id: 'metric-proto-500',               requirement: 'robust.never-5xx',       endpoints: ['create-metric'],           title: 'A member called __proto__ is a 500.',                          defect: breaksOn(request => Object.hasOwn(sentBy(request), '__proto__')) },
  { id: 'gate-unknown-500',               requirement: 'robust.never-5xx',       endpoints: ['disable-gate'],            title: 'A gate that does not exist is a 500.',                         defect: breaksOn(({ param }) => param.startsWith('conform')) },
  { id: 'config-unknown-500',             requirement: 'robust.never-5xx',       endpoints: ['list-config-versions'],    title: 'A config that does not exist is a 500.',                       defect: breaksOn(({ param }) => param.startsWith('conform')) },
  { id: 'event-encoded-slash-500',        requirement: 'robust.never-5xx',       endpoints: ['list-events'],             title: 'A slash in the name of an event is a 500.',                    defect: breaksOn(({ param }) => param.includes('/')) },
  { id: 'event-nul-500',                  requirement: 'robust.never-5xx',       endpoints: ['list-event-metrics'],      title: 'NUL in the name of an event is a 500.',                        defect: breaksOn(({ param }) => param.includes('\0')) },
  { id: 'config-long-id-500',             requirement: 'robust.never-5xx',       endpoints: ['archive-config'],          title: 'A very long id is a 500.',                                     defect: breaksOn(({ param }) => param.length > 1000) },
  { id: 'config-other-script-500',        requirement: 'robust.never-5xx',       endpoints: ['disable-config'],          title: 'An id beyond ASCII is a 500.',                                 defect: breaksOn(({ param }) => /[^\0-\x7f]/.test(param)) },
  { id: 'experiment-constructor-id-500',        requirement: 'robust.never-5xx',       endpoints: ['enable-groups'],           title: 'The id constructor is a 500.',                                 defect: breaksOn(({ param }) => param === 'constructor') },
  { id: 'segments-put-501',            requirement: 'robust.never-5xx',       endpoints: ['list-segments'],           title: 'PUT on the list of segments is a 501.',                        defect: onMethod('PUT', 501) },
  { id: 'environments-get-500',           requirement: 'robust.never-5xx',       endpoints: ['update-environments'],     title: 'GET on the environments is a 500.',                            defect: onMethod('GET') },
  { id: 'gate-head-500',                  requirement: 'robust.never-5xx',       endpoints: ['patch-gate'],              title: 'HEAD on a gate is a 500.',                                     defect: onMethod('HEAD') },
  { id: 'segments-page-0-500',            requirement: 'pagination.odd-values',  endpoints: ['list-segments'],           title: 'Page 0 is a 500.',                                             defect: breaksOn(asked('page', ['0'])) },
  { id: 'sources-limit-text-500',         requirement: 'pagination.odd-values',  endpoints: ['list-qualifying-events'],  title: 'A limit that is no number is a 500.',                          defect: breaksOn(asked('limit', ['abc'])) },
  { id: 'events-page-huge-500',           requirement: 'pagination.odd-values',  endpoints: ['list-events'],             title: 'A page number beyond every integer is a 500.',                 defect: breaksOn(asked('page', ['99999999999999999999'])) },
  { id: 'config-versions-limit-0-500',    requirement: 'pagination.odd-values',  endpoints: ['list-config-versions'],    title: 'Limit 0 divides by zero.',                                     defect: breaksOn(asked('limit', ['0'])) },
  { id: 'event-metrics-negative-500',     requirement: 'pagination.odd-values',  endpoints: ['list-event-metrics'],      title: 'A negative page is a 500.',                                    defect: breaksOn(asked('page', ['-1'])) },

  { id: 'gate-malformed-json-accepted',   requirement: 'robust.malformed-json',  endpoints: ['patch-gate'],              title: 'A body that is not JSON is taken for an empty one.',           defect: unreadableIsEmpty('not valid JSON') },
  { id: 'prompt-malformed-json-accepted', requirement: 'robust.malformed-json',  endpoints: ['create-prompt-version'],   title: 'A broken body creates an empty prompt version.',               defect: unreadableIsEmpty('not valid JSON') },
  { id: 'archive-malformed-json-accepted', requirement: 'robust.malformed-json', endpoints: ['archive-config'],          title: 'A broken body archives all the same.',                         defect: unreadableIsEmpty('not valid JSON') },

  { id: 'gate-boundary-500',              requirement: 'accept.stated-boundary', endpoints: ['patch-gate'],              title: 'A description of 1000 characters is a 500.',                   defect: breaksOn(request => length(request, 'description') === 1000), profile: 'standard' },
  { id: 'gate-too-long-500',              requirement: 'reject.never-5xx',       endpoints: ['patch-gate'],              title: 'A description that is too long is a 500.',                     defect: breaksOn(request => length(request, 'description') > 1000), profile: 'standard' },
  { id: 'metric-unknown-type-500',        requirement: 'reject.never-5xx',       endpoints: ['create-metric'],           title: 'An unknown type of metric is a 500.',                          defect: breaksOn(request => typeof sentBy(request).type === 'string' && !/^(ratio|mean|event_count_custom|event_user|funnel|composite|composite_sum|sum|user_warehouse|percentile|latest_value)$/.test(textOf(request, 'type'))) },
  { id: 'prompt-bad-name-500',            requirement: 'reject.never-5xx',       endpoints: ['create-prompt-version'],   title: 'A name that breaks its pattern is a 500.',                     defect: breaksOn(request => /[^\w\-. ]/.test(textOf(request, 'name'))) },
  { id: 'experiment-missing-groups-500',  requirement: 'reject.never-5xx',       endpoints: ['update-experiment'],       title: 'Groups that are missing are a 500.',                           defect: breaksOn(request => request.unreadable === undefined && sentBy(request).groups === undefined && sentBy(request).idType !== undefined), profile: 'standard' },

  { id: 'gate-empty-tags-hang',           requirement: 'robust.no-hang',         endpoints: ['patch-gate'],              title: 'An empty list of tags is never answered.',                     defect: hangsOn(request => JSON.stringify(sentBy(request).tags) === '[]') },
  { id: 'segments-huge-limit-hang',       requirement: 'robust.no-hang',         endpoints: ['list-segments'],           title: 'A huge limit is never answered.',                              defect: hangsOn(asked('limit', ['1000000'])) },
  { id: 'metric-not-utf-8-hang',          requirement: 'robust.no-hang',         endpoints: ['create-metric'],           title: 'A body that is not UTF-8 is never answered.',                  defect: hangsOn(unreadable('not valid UTF-8')) },
  { id: 'event-long-name-hang',           requirement: 'robust.no-hang',         endpoints: ['list-events'],             title: 'A very long name of an event is never answered.',              defect: hangsOn(({ param }) => param.length > 1000) },
  { id: 'gate-deep-nesting-drop',         requirement: 'robust.no-drop',         endpoints: ['patch-gate'],              title: 'The worker dies of a body that is nested too deep.',           defect: dropsOn(unreadable('nested deeper')) },
  { id: 'prompt-emoji-drop',              requirement: 'robust.no-drop',         endpoints: ['create-prompt-version'],   title: 'The worker dies of an emoji.',                                 defect: dropsOn(request => /\p{Extended_Pictographic}/u.test(textOf(request, 'description'))) },
  { id: 'config-nul-drop',                requirement: 'robust.no-drop',         endpoints: ['disable-config'],          title: 'The worker dies of NUL in an id.',                             defect: dropsOn(({ param }) => param.includes('\0')) },
  { id: 'segments-patch-drop',           requirement: 'robust.no-drop',         endpoints: ['list-segments'],           title: 'PATCH on the list of segments gets no answer.',                defect: beforeServer(request => (request.method === 'PATCH' ? 'drop' : undefined)) },
  { id: 'gate-poisoned-by-malformed',     requirement: 'robust.alive-after',     endpoints: ['patch-gate'],              title: 'After a broken body every patch is a 500.',                    defect: poisoned(unreadable('not valid JSON')), alsoAs: ['robust.never-5xx'] },
  { id: 'segments-poisoned-by-page',      requirement: 'robust.alive-after',     endpoints: ['list-segments'],           title: 'After a page that is no number every list is a 500.',          defect: poisoned(asked('page', ['abc'])), alsoAs: ['pagination.odd-values'] },
  { id: 'gates-one-in-fifty-500',         requirement: 'robust.never-5xx',   endpoints: ['patch-gate'],              title: 'One answer in fifty is a 500.',                                defect: everyNth(50, () => broken), alsoAs: ['accept.smallest', 'accept.plain-value', 'accept.stated-boundary', 'accept.combination', 'reject.never-5xx'] },
  { id: 'segments-one-in-twenty-500',     requirement: 'robust.never-5xx',   endpoints: ['list-segments'],           title: 'One answer in twenty is a 500.',                               defect: everyNth(20, () => broken), alsoAs: ['reject.never-5xx', 'pagination.odd-values', 'accept.smallest'] },
  { id: 'prompts-one-in-fifty-hangs',     requirement: 'robust.no-hang',         endpoints: ['create-prompt-version'],   title: 'One answer in fifty never comes.',                             defect: everyNth(50, never) },

  { id: 'refusals-in-html',               requirement: 'reject.body-json',       endpoints: ['patch-gate'],              title: 'Refusals are pages of HTML.',                                  defect: html('<!doctype html><title>Error</title><h1>Bad Request</h1>') },
  { id: 'unauthorised-in-text',           requirement: 'reject.body-json',       endpoints: ['list-segments'],           title: 'Refusals are plain text.',                                     defect: html('Unauthorized') },
  { id: 'refusals-cut-short',             requirement: 'reject.body-json',       endpoints: ['enable-groups'],           title: 'The JSON of refusals is cut short.',                           defect: onWireOf('refusals', answer => ({ ...answer, text: answer.text.slice(0, -1) })) },
  { id: 'wrong-method-in-html',           requirement: 'robust.error-json-elsewhere', endpoints: ['list-events'],        title: 'Another method is answered with a page of HTML.',              defect: beforeServer(request => (request.method === 'POST' ? { status: 405, headers: { 'Content-Type': 'text/html' }, text: '<h1>Method Not Allowed</h1>' } : undefined)) },
  { id: 'refusals-with-stack-trace',      requirement: 'robust.no-leak',         endpoints: ['create-metric'],           title: 'Refusals show a stack trace.',                                 defect: withTrace },
  { id: 'unknown-with-file-path',         requirement: 'robust.no-leak',         endpoints: ['list-config-versions'],    title: 'A refusal names a file of the server.',                        defect: onWireOf('refusals', answer => ({ ...answer, text: JSON.stringify({ message: 'not found in /var/lib/console/configs.db' }) })) },
];
