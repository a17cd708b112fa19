import type { HandlerRequest } from '../../api/request.ts';
import { internalError } from '../../api/response.ts';
import {
  everyNth,
  instead,
  never,
  onRequest,
  onValidRequest,
  poisonedBy,
  sentBy,
} from '../../decorators/operations.ts';
import { onSentText } from '../../decorators/sent-text.ts';
import { beforeServer, dropsOn, type Outgoing, onText, refusals } from '../../decorators/wire.ts';
import type { FaultTable } from '../fault.ts';

type When = (request: HandlerRequest) => boolean;

const breaksOn = (when: When) => instead(request => (when(request) ? internalError : undefined));
const hangsOn = (when: When) => instead(request => (when(request) ? never() : undefined));
const unreadable =
  (text: string): When =>
  ({ unreadable: refused }) =>
    JSON.stringify(refused?.body ?? '').includes(text);
const asked =
  (name: 'page' | 'limit', value: string): When =>
  ({ query }) =>
    String(query[name]) === value;
const textOf = (request: HandlerRequest, field: string): string => String(sentBy(request)[field] ?? '');
const length = (request: HandlerRequest, field: string): number => textOf(request, field).length;
/** Takes a body that cannot be read for an empty one. */
const unreadableIsEmpty = (when: When) =>
  onRequest(request => {
    const { unreadable: _, ...rest } = request;
    return when(request) ? { ...rest, body: {} } : request;
  });
const html = (text: string) => onText(() => text, { of: refusals, headers: { 'Content-Type': 'text/html' } });
const told = (body: object) => onText(() => JSON.stringify(body), { of: refusals });
const trace = 'TypeError: x is undefined\n    at find (/srv/app/gates.js:12:34)';
const json = { 'Content-Type': 'application/json' };
const onMethod = (method: string, outgoing: Outgoing | 'drop') =>
  beforeServer(request => (request.method === method ? outgoing : undefined));
const failed = (status: number): Outgoing => ({ status, headers: json, body: '{"message":"Internal error."}' });
const notAllowed = { status: 405, headers: { 'Content-Type': 'text/html' }, body: '<h1>Method Not Allowed</h1>' };

/** Wildcards of a text as an expression for the whole of another. */
const like = (text: string, wildcard: string): RegExp =>
  new RegExp(
    `^${text
      .split(wildcard)
      .map(part => part.replace(/[^\w]/g, '\\$&'))
      .join('.*')}$`,
  );
/** Works on the first entity that a careless lookup finds by the id that was asked for. */
const findsBy = (collection: 'gates' | 'configs', finds: (id: string, asked: string) => boolean) =>
  onValidRequest(async (request, store) => {
    const all: readonly { readonly id: string }[] = await store.list(collection);
    const isThere = all.some(({ id }) => id === request.param);
    const found = isThere ? undefined : all.find(({ id }) => finds(id, request.param));
    return found === undefined ? request : { ...request, param: found.id };
  });

/** Malformed and odd requests, which still have to be answered, and the form of refusals (sections 1, 7 and 8). */
// biome-ignore format: a table
export const robustnessFaults: FaultTable = [
  { id: 'patch-malformed-json-500',       requirement: 'robust.never-5xx',       endpoints: ['patch-gate'],              title: 'A body that is not JSON is a 500.',                            decorator: breaksOn(unreadable('not valid JSON')) },
  { id: 'prompt-not-utf-8-500',           requirement: 'robust.never-5xx',       endpoints: ['create-prompt-version'],   title: 'A body that is not UTF-8 is a 500.',                           decorator: breaksOn(unreadable('UTF-8')) },
  { id: 'source-array-body-500',          requirement: 'robust.never-5xx',       endpoints: ['update-qualifying-event'], title: 'A body that is a list is a 500.',                              decorator: breaksOn(unreadable('JSON object')) },
  { id: 'experiment-deep-nesting-500',    requirement: 'robust.never-5xx',       endpoints: ['update-experiment'],       title: 'A body that is nested too deep is a 500.',                     decorator: breaksOn(unreadable('nested deeper')) },
  { id: 'groups-content-type-500',       requirement: 'robust.never-5xx',       endpoints: ['enable-groups'],           title: 'Another content type is a 500.',                               decorator: breaksOn(({ unreadable: answer }) => answer?.status === 415) },
  { id: 'metric-proto-500',               requirement: 'robust.never-5xx',       endpoints: ['create-metric'],           title: 'A member called __proto__ is a 500.',                          decorator: breaksOn(request => Object.hasOwn(sentBy(request), '__proto__')) },
  { id: 'gate-unknown-500',               requirement: 'robust.never-5xx',       endpoints: ['disable-gate'],            title: 'A gate that does not exist is a 500.',                         decorator: breaksOn(({ param }) => param.startsWith('conform')) },
  { id: 'config-unknown-500',             requirement: 'robust.never-5xx',       endpoints: ['list-config-versions'],    title: 'A config that does not exist is a 500.',                       decorator: breaksOn(({ param }) => param.startsWith('conform')) },
  { id: 'event-encoded-slash-500',        requirement: 'robust.never-5xx',       endpoints: ['list-events'],             title: 'A slash in the name of an event is a 500.',                    decorator: breaksOn(({ param }) => param.includes('/')) },
  { id: 'event-nul-500',                  requirement: 'robust.never-5xx',       endpoints: ['list-event-metrics'],      title: 'NUL in the name of an event is a 500.',                        decorator: breaksOn(({ param }) => param.includes('\0')) },
  { id: 'config-long-id-500',             requirement: 'robust.never-5xx',       endpoints: ['archive-config'],          title: 'A very long id is a 500.',                                     decorator: breaksOn(({ param }) => param.length > 1000) },
  { id: 'config-other-script-500',        requirement: 'robust.never-5xx',       endpoints: ['disable-config'],          title: 'An id beyond ASCII is a 500.',                                 decorator: breaksOn(({ param }) => /[^\0-\x7f]/.test(param)) },
  { id: 'experiment-constructor-id-500',        requirement: 'robust.never-5xx',       endpoints: ['enable-groups'],           title: 'The id constructor is a 500.',                                 decorator: breaksOn(({ param }) => param === 'constructor') },
  { id: 'segments-put-501',            requirement: 'robust.never-5xx',       endpoints: ['list-segments'],           title: 'PUT on the list of segments is a 501.',                        decorator: onMethod('PUT', failed(501)) },
  { id: 'environments-get-500',           requirement: 'robust.never-5xx',       endpoints: ['update-environments'],     title: 'GET on the environments is a 500.',                            decorator: onMethod('GET', failed(500)) },
  { id: 'gate-head-500',                  requirement: 'robust.never-5xx',       endpoints: ['patch-gate'],              title: 'HEAD on a gate is a 500.',                                     decorator: onMethod('HEAD', failed(500)) },
  { id: 'segments-page-0-500',            requirement: 'pagination.odd-values',  endpoints: ['list-segments'],           title: 'Page 0 is a 500.',                                             decorator: breaksOn(asked('page', '0')) },
  { id: 'sources-limit-text-500',         requirement: 'pagination.odd-values',  endpoints: ['list-qualifying-events'],  title: 'A limit that is no number is a 500.',                          decorator: breaksOn(asked('limit', 'abc')) },
  { id: 'events-page-huge-500',           requirement: 'pagination.odd-values',  endpoints: ['list-events'],             title: 'A page number beyond every integer is a 500.',                 decorator: breaksOn(asked('page', '99999999999999999999')) },
  { id: 'config-versions-limit-0-500',    requirement: 'pagination.odd-values',  endpoints: ['list-config-versions'],    title: 'Limit 0 divides by zero.',                                     decorator: breaksOn(asked('limit', '0')) },
  { id: 'event-metrics-negative-500',     requirement: 'pagination.odd-values',  endpoints: ['list-event-metrics'],      title: 'A negative page is a 500.',                                    decorator: breaksOn(asked('page', '-1')) },

  { id: 'gate-malformed-json-accepted',   requirement: 'robust.malformed-json',  endpoints: ['patch-gate'],              title: 'A body that is not JSON is taken for an empty one.',           decorator: unreadableIsEmpty(unreadable('not valid JSON')) },
  { id: 'prompt-malformed-json-accepted', requirement: 'robust.malformed-json',  endpoints: ['create-prompt-version'],   title: 'A broken body creates an empty prompt version.',               decorator: unreadableIsEmpty(unreadable('not valid JSON')) },
  { id: 'archive-malformed-json-accepted', requirement: 'robust.malformed-json', endpoints: ['archive-config'],          title: 'A broken body archives all the same.',                         decorator: unreadableIsEmpty(unreadable('not valid JSON')) },

  { id: 'gate-boundary-500',              requirement: 'accept.stated-boundary', endpoints: ['patch-gate'],              title: 'A description of 1000 characters is a 500.',                   decorator: breaksOn(request => length(request, 'description') === 1000), profile: 'standard', alsoAs: ['robust.never-5xx'] },
  { id: 'gate-too-long-500',              requirement: 'reject.never-5xx',       endpoints: ['patch-gate'],              title: 'A description that is too long is a 500.',                     decorator: breaksOn(request => length(request, 'description') > 1000), profile: 'standard' },
  { id: 'metric-unknown-type-500',        requirement: 'reject.never-5xx',       endpoints: ['create-metric'],           title: 'An unknown type of metric is a 500.',                          decorator: breaksOn(request => typeof sentBy(request).type === 'string' && !/^(ratio|mean|event_count_custom|event_user|funnel|composite|composite_sum|sum|user_warehouse|percentile|latest_value)$/.test(textOf(request, 'type'))), alsoAs: ['robust.never-5xx'] },
  { id: 'prompt-bad-name-500',            requirement: 'reject.never-5xx',       endpoints: ['create-prompt-version'],   title: 'A name that breaks its pattern is a 500.',                     decorator: breaksOn(request => /[^\w\-. ]/.test(textOf(request, 'name'))) },
  { id: 'experiment-missing-groups-500',  requirement: 'reject.never-5xx',       endpoints: ['update-experiment'],       title: 'Groups that are missing are a 500.',                           decorator: breaksOn(request => request.unreadable === undefined && sentBy(request).groups === undefined && sentBy(request).idType !== undefined), profile: 'standard' },

  { id: 'gate-empty-tags-hang',           requirement: 'robust.no-hang',         endpoints: ['patch-gate'],              title: 'An empty list of tags is never answered.',                     decorator: hangsOn(request => JSON.stringify(sentBy(request).tags) === '[]') },
  { id: 'segments-huge-limit-hang',       requirement: 'robust.no-hang',         endpoints: ['list-segments'],           title: 'A huge limit is never answered.',                              decorator: hangsOn(asked('limit', '1000000')) },
  { id: 'metric-not-utf-8-hang',          requirement: 'robust.no-hang',         endpoints: ['create-metric'],           title: 'A body that is not UTF-8 is never answered.',                  decorator: hangsOn(unreadable('not valid UTF-8')) },
  { id: 'event-long-name-hang',           requirement: 'robust.no-hang',         endpoints: ['list-events'],             title: 'A very long name of an event is never answered.',              decorator: hangsOn(({ param }) => param.length > 1000) },
  { id: 'gate-deep-nesting-drop',         requirement: 'robust.no-drop',         endpoints: ['patch-gate'],              title: 'The worker dies of a body that is nested too deep.',           decorator: dropsOn(unreadable('nested deeper')) },
  { id: 'prompt-emoji-drop',              requirement: 'robust.no-drop',         endpoints: ['create-prompt-version'],   title: 'The worker dies of an emoji.',                                 decorator: dropsOn(request => /\p{Extended_Pictographic}/u.test(textOf(request, 'description'))), profile: 'standard' },
  { id: 'config-nul-drop',                requirement: 'robust.no-drop',         endpoints: ['disable-config'],          title: 'The worker dies of NUL in an id.',                             decorator: dropsOn(({ param }) => param.includes('\0')) },
  { id: 'segments-patch-drop',           requirement: 'robust.no-drop',         endpoints: ['list-segments'],           title: 'PATCH on the list of segments gets no answer.',                decorator: onMethod('PATCH', 'drop') },
  { id: 'gate-poisoned-by-malformed',     requirement: 'robust.alive-after',     endpoints: ['patch-gate'],              title: 'After a broken body every patch is a 500.',                    decorator: poisonedBy(unreadable('not valid JSON')), alsoAs: ['robust.never-5xx', 'reject.never-5xx'] },
  { id: 'segments-poisoned-by-page',      requirement: 'robust.alive-after',     endpoints: ['list-segments'],           title: 'After a page that is no number every list is a 500.',          decorator: poisonedBy(asked('page', 'abc')), alsoAs: ['pagination.odd-values'] },
  { id: 'gates-one-in-fifty-500',         requirement: 'robust.never-5xx',   endpoints: ['patch-gate'],              title: 'One answer in fifty is a 500.',                                decorator: everyNth(50, () => internalError), alsoAs: ['accept.smallest', 'accept.plain-value', 'accept.stated-boundary', 'accept.combination', 'reject.never-5xx', 'auth.header-case'] },
  { id: 'segments-one-in-twenty-500',     requirement: 'robust.never-5xx',   endpoints: ['list-segments'],           title: 'One answer in twenty is a 500.',                               decorator: everyNth(20, () => internalError), alsoAs: ['reject.never-5xx', 'pagination.odd-values', 'accept.smallest'] },
  { id: 'prompts-one-in-fifty-hangs',     requirement: 'robust.no-hang',         endpoints: ['create-prompt-version'],   title: 'One answer in fifty never comes.',                             decorator: everyNth(50, never) },

  { id: 'refusals-in-html',               requirement: 'reject.body-json',       endpoints: ['patch-gate'],              title: 'Refusals are pages of HTML.',                                  decorator: html('<!doctype html><title>Error</title><h1>Bad Request</h1>') },
  { id: 'unauthorised-in-text',           requirement: 'reject.body-json',       endpoints: ['list-segments'],           title: 'Refusals are plain text.',                                     decorator: html('Unauthorized') },
  { id: 'refusals-cut-short',             requirement: 'reject.body-json',       endpoints: ['enable-groups'],           title: 'The JSON of refusals is cut short.',                           decorator: onText(text => text.slice(0, -1), { of: refusals }) },
  { id: 'wrong-method-in-html',           requirement: 'robust.error-json-elsewhere', endpoints: ['list-events'],        title: 'Another method is answered with a page of HTML.',              decorator: onMethod('POST', notAllowed) },
  { id: 'refusals-with-stack-trace',      requirement: 'robust.no-leak',         endpoints: ['create-metric'],           title: 'Refusals show a stack trace.',                                 decorator: told({ message: 'Internal', stack: trace }) },
  { id: 'unknown-with-file-path',         requirement: 'robust.no-leak',         endpoints: ['list-config-versions'],    title: 'A refusal names a file of the server.',                        decorator: told({ message: 'not found in /var/lib/console/configs.db' }) },

  { id: 'gate-found-by-prefix',           requirement: 'identity.gate-id',       endpoints: ['patch-gate'],              title: 'A gate is found by the beginning of its id.',                  decorator: findsBy('gates', (id, asked) => asked.length > 2 && id.startsWith(asked)) },
  { id: 'versions-found-by-prefix',       requirement: 'identity.config-version-id', endpoints: ['list-config-versions'], title: 'The versions of a config are found by the beginning of its id.', decorator: findsBy('configs', (id, asked) => asked.length > 2 && id.startsWith(asked)) },
  { id: 'gate-found-by-percent',          requirement: 'identity.gate-id',       endpoints: ['patch-gate'],              title: 'A percent sign in the id of a gate stands for anything.',      decorator: findsBy('gates', (id, asked) => asked.includes('%') && like(asked, '%').test(id)) },
  { id: 'versions-found-by-star',         requirement: 'identity.config-version-id', endpoints: ['list-config-versions'], title: 'A star in the id of a config stands for anything.',           decorator: findsBy('configs', (id, asked) => asked.includes('*') && like(asked, '*').test(id)) },
  { id: 'gate-found-by-expression',       requirement: 'identity.gate-id',       endpoints: ['patch-gate'],              title: 'The id of a gate is taken for a regular expression.',          decorator: findsBy('gates', (id, asked) => /^\^.*\$$/.test(asked) && `^${id}$` === asked) },
  { id: 'config-expression-500',          requirement: 'robust.never-5xx',       endpoints: ['list-config-versions'],    title: 'An id that is no regular expression is a 500.',                decorator: breaksOn(({ param }) => param.includes('[(')), profile: 'standard' },
  { id: 'gate-line-break-500',            requirement: 'robust.never-5xx',       endpoints: ['disable-gate'],            title: 'A line break in an id is a 500.',                              decorator: breaksOn(({ param }) => param.includes('\n')), profile: 'standard' },
  { id: 'event-wildcards-hang',           requirement: 'robust.no-hang',         endpoints: ['list-events'],             title: 'Wildcards in the name of an event are never answered.',        decorator: hangsOn(({ param }) => param.includes('*?')), profile: 'standard' },
  { id: 'segments-body-500',              requirement: 'robust.never-5xx',       endpoints: ['list-segments'],           title: 'A body where there is none is a 500.',                         decorator: breaksOn(({ headers }) => Number(headers['content-length'] ?? 0) > 0) },
  { id: 'disable-body-500',               requirement: 'robust.never-5xx',       endpoints: ['disable-gate'],            title: 'A body that nobody asked for is a 500.',                       decorator: breaksOn(({ headers }) => Number(headers['content-length'] ?? 0) > 0) },
  { id: 'groups-list-of-nulls-500',       requirement: 'robust.never-5xx',       endpoints: ['enable-groups'],           title: 'A list of nulls for a body is a 500.',                         decorator: onSentText(text => (text === '[null,null]' ? failed(500) : text)) },
  { id: 'gate-nested-rules-500',          requirement: 'robust.never-5xx',       endpoints: ['patch-gate'],              title: 'Deep nesting within a field of a gate is a 500.',              decorator: onSentText(text => (/(?<!conform_extra":)(?<!:)\[?(\{"a":){150}/.test(text) ? failed(500) : text)) },
];
