import { isObject } from '../../../contracts/json.ts';
import type { HandlerRequest } from '../../api/request.ts';
import { internalError } from '../../api/response.ts';
import {
  beforeServer,
  dropsOn,
  everyNth,
  instead,
  insteadFor,
  insteadOfWork,
  messageOf,
  never,
  type Outgoing,
  onRequest,
  onSentText,
  onText,
  onValidRequest,
  poisonedBy,
  refusals,
  sentBy,
} from '../../decorators/index.ts';
import { currentOf } from '../../entities.ts';
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
const idHolds =
  (sign: string): When =>
  ({ param }) =>
    param.includes(sign);
const unknownId: When = ({ param }) => param.startsWith('conform');
const groupsHaveIds: When = request => {
  const { groups } = sentBy(request);
  return Array.isArray(groups) && groups.length > 0 && groups.every(group => isObject(group) && group.id !== undefined);
};
const namesGroups =
  (finds: (names: readonly unknown[]) => boolean): When =>
  request => {
    const { group_names: names } = sentBy(request);
    return Array.isArray(names) && names.every(name => typeof name === 'string') && finds(names);
  };
const longId: When = ({ param }) => param.length > 1000;
const hasBody: When = ({ headers }) => Number(headers['content-length'] ?? 0) > 0;
const textOf = (request: HandlerRequest, field: string): string => String(sentBy(request)[field] ?? '');
const length = (request: HandlerRequest, field: string): number => textOf(request, field).length;
/** Treats an unreadable body as an empty one. */
const unreadableIsEmpty = (when: When) =>
  onRequest(request => {
    const { unreadable: _, ...rest } = request;
    return when(request) ? { ...rest, body: {} } : request;
  });
const html = (text: string) => onText(() => text, { of: refusals, headers: { 'Content-Type': 'text/html' } });
const told = (body: object) => onText(() => JSON.stringify(body), { of: refusals });
const trace = 'TypeError: x is undefined\n    at find (/srv/app/gates.js:12:34)';
const onMethod = (method: string, outgoing: Outgoing | 'drop') =>
  beforeServer(request => (request.method === method ? outgoing : undefined));
const failed = (status: number) => messageOf(status, 'Internal error.');

/** Returns an expression that matches a whole text, in which `wildcard` stands for any characters. */
const like = (text: string, wildcard: string): RegExp =>
  new RegExp(
    `^${text
      .split(wildcard)
      .map(part => part.replace(/[^\w]/g, '\\$&'))
      .join('.*')}$`,
  );
/** Works on the first entity that a careless lookup of the requested id finds. */
const findsBy = (collection: 'gates' | 'configs', finds: (id: string, asked: string) => boolean) =>
  onValidRequest(async (request, store) => {
    const all: readonly { readonly id: string }[] = await store.list(collection);
    const isThere = all.some(({ id }) => id === request.param);
    const found = isThere ? undefined : all.find(({ id }) => finds(id, request.param));
    return found === undefined ? request : { ...request, param: found.id };
  });

/** Malformed and unusual requests, which must still be answered, and the form of refusals (sections 1, 7 and 8). */
// biome-ignore format: a table
export const robustnessFaults: FaultTable = [
  ['patch-malformed-json-500',        'patch-gate',              'robust.never-5xx',            'A body that is not JSON is a 500.',                              breaksOn(unreadable('not valid JSON'))],
  ['archive-reason-latin-only-500',   'archive-config',          'robust.never-5xx',            'A reason with characters beyond Latin-1 is a 500.',              insteadOfWork(request => (/[^\p{ASCII}\u0080-\u00ff]/u.test(String(sentBy(request).archiveReason)) ? internalError : undefined))],
  ['archive-reason-short-only-500',   'archive-config',          'robust.never-5xx',            'A reason of more than 255 characters is a 500.',                 insteadOfWork(request => (String(sentBy(request).archiveReason).length > 255 ? internalError : undefined))],
  ['prompt-not-utf-8-500',            'create-prompt-version',   'robust.never-5xx',            'A body that is not UTF-8 is a 500.',                             breaksOn(unreadable('UTF-8'))],
  ['source-array-body-500',           'update-qualifying-event', 'robust.never-5xx',            'A body that is a list is a 500.',                                breaksOn(unreadable('JSON object'))],
  ['experiment-deep-nesting-500',     'update-experiment',       'robust.never-5xx',            'A body that is nested too deep is a 500.',                       breaksOn(unreadable('nested deeper'))],
  ['experiment-own-group-ids-500',    ['update-experiment', 'enable-groups'], 'robust.never-5xx',            'Groups that are sent with their ids are a 500.',                 breaksOn(groupsHaveIds)],
  ['enable-groups', 'robust.never-5xx', [
    ['groups-none-named-500',   'Enabling no group is a 500.',                                    breaksOn(namesGroups(names => names.length === 0)), 'standard'],
    ['groups-named-twice-500',  'A group that is named twice is a 500.',                          breaksOn(namesGroups(names => new Set(names).size < names.length)), 'standard'],
    ['groups-content-type-500', 'Another content type is a 500.',                                 breaksOn(({ unreadable: answer }) => answer?.status === 415)],
  ]],
  ['metric-proto-500',                'create-metric',           'robust.never-5xx',            'A member called __proto__ is a 500.',                            breaksOn(request => Object.hasOwn(sentBy(request), '__proto__'))],
  ['gate-unknown-500',                'disable-gate',            'robust.never-5xx',            'A gate that does not exist is a 500.',                           breaksOn(unknownId)],
  ['experiment-unknown-500',          ['update-experiment', 'enable-groups'], 'robust.never-5xx',            'A valid write to an experiment that does not exist is a 500.',   insteadOfWork(request => (unknownId(request) ? internalError : undefined))],
  ['config-unknown-500',              'list-config-versions',    'robust.never-5xx',            'A config that does not exist is a 500.',                         breaksOn(unknownId)],
  ['event-encoded-slash-500',         'list-events',             'robust.never-5xx',            'A slash in the name of an event is a 500.',                      breaksOn(idHolds('/'))],
  ['event-nul-500',                   'list-event-metrics',      'robust.never-5xx',            'NUL in the name of an event is a 500.',                          breaksOn(idHolds('\0'))],
  ['config-long-id-500',              'archive-config',          'robust.never-5xx',            'A very long id is a 500.',                                       breaksOn(longId)],
  ['config-other-script-500',         'disable-config',          'robust.never-5xx',            'An id beyond ASCII is a 500.',                                   breaksOn(({ param }) => /[^\0-\x7f]/.test(param))],
  ['config-disabled-twice-500',       'disable-config',          'robust.never-5xx',            'Disabling a config that is disabled is a 500.',                  insteadFor('configs', config => (config && currentOf(config).isEnabled === false ? internalError : undefined))],
  ['archive-without-reason-500',      'archive-config',          'robust.never-5xx',            'Archiving without a reason is a 500.',                           breaksOn(request => Object.keys(sentBy(request)).length === 0)],
  ['config-archived-twice-500',       'archive-config',          'robust.never-5xx',            'Archiving a config that is archived is a 500.',                  insteadFor('configs', config => (config?.archived === undefined ? undefined : internalError))],
  ['experiment-constructor-id-500',   'enable-groups',           'robust.never-5xx',            'The id constructor is a 500.',                                   breaksOn(({ param }) => param === 'constructor')],
  ['segments-put-501',                'list-segments',           'robust.never-5xx',            'PUT on the list of segments is a 501.',                          onMethod('PUT', failed(501))],
  ['environments-get-500',            'update-environments',     'robust.never-5xx',            'GET on the environments is a 500.',                              onMethod('GET', failed(500))],
  ['gate-head-500',                   'patch-gate',              'robust.never-5xx',            'HEAD on a gate is a 500.',                                       onMethod('HEAD', failed(500))],
  ['segments-page-0-500',             'list-segments',           'pagination.odd-values',       'Page 0 is a 500.',                                               breaksOn(asked('page', '0'))],
  ['sources-limit-text-500',          'list-qualifying-events',  'pagination.odd-values',       'A limit that is no number is a 500.',                            breaksOn(asked('limit', 'abc'))],
  ['events-page-huge-500',            'list-events',             'pagination.odd-values',       'A page number beyond every integer is a 500.',                   breaksOn(asked('page', '99999999999999999999'))],
  ['config-versions-limit-0-500',     'list-config-versions',    'pagination.odd-values',       'Limit 0 divides by zero.',                                       breaksOn(asked('limit', '0'))],
  ['event-metrics-negative-500',      'list-event-metrics',      'pagination.odd-values',       'A negative page is a 500.',                                      breaksOn(asked('page', '-1'))],

  ['gate-malformed-json-accepted',    'patch-gate',              'robust.malformed-json',       'A body that is not JSON is taken for an empty one.',             unreadableIsEmpty(unreadable('not valid JSON'))],
  ['prompt-malformed-json-accepted',  'create-prompt-version',   'robust.malformed-json',       'A broken body creates an empty prompt version.',                 unreadableIsEmpty(unreadable('not valid JSON'))],
  ['archive-malformed-json-accepted', 'archive-config',          'robust.malformed-json',       'A broken body archives all the same.',                           unreadableIsEmpty(unreadable('not valid JSON'))],

  ['gate-boundary-500',               'patch-gate',              'accept.stated-boundary',      'A description of 1000 characters is a 500.',                     breaksOn(request => length(request, 'description') === 1000), 'standard', 'robust.never-5xx'],
  ['gate-too-long-500',               'patch-gate',              'reject.never-5xx',            'A description that is too long is a 500.',                       breaksOn(request => length(request, 'description') > 1000), 'standard'],
  ['metric-unknown-type-500',         'create-metric',           'reject.never-5xx',            'An unknown type of metric is a 500.',                            breaksOn(request => typeof sentBy(request).type === 'string' && !/^(ratio|mean|event_count_custom|event_user|funnel|composite|composite_sum|sum|user_warehouse|percentile|latest_value)$/.test(textOf(request, 'type'))), 'robust.never-5xx'],
  ['prompt-bad-name-500',             'create-prompt-version',   'reject.never-5xx',            'A name that breaks its pattern is a 500.',                       breaksOn(request => /[^\w\-. ]/.test(textOf(request, 'name')))],
  ['experiment-missing-groups-500',   'update-experiment',       'reject.never-5xx',            'Groups that are missing are a 500.',                             breaksOn(request => request.unreadable === undefined && sentBy(request).groups === undefined && sentBy(request).idType !== undefined), 'standard'],

  ['gate-empty-tags-hang',            'patch-gate',              'robust.no-hang',              'An empty list of tags is never answered.',                       hangsOn(request => JSON.stringify(sentBy(request).tags) === '[]')],
  ['segments-huge-limit-hang',        'list-segments',           'robust.no-hang',              'A huge limit is never answered.',                                hangsOn(asked('limit', '1000000'))],
  ['metric-not-utf-8-hang',           'create-metric',           'robust.no-hang',              'A body that is not UTF-8 is never answered.',                    hangsOn(unreadable('not valid UTF-8'))],
  ['event-long-name-hang',            'list-events',             'robust.no-hang',              'A very long name of an event is never answered.',                hangsOn(longId)],
  ['gate-deep-nesting-drop',          'patch-gate',              'robust.no-drop',              'The worker dies of a body that is nested too deep.',             dropsOn(unreadable('nested deeper'))],
  ['prompt-emoji-drop',               'create-prompt-version',   'robust.no-drop',              'The worker dies of an emoji.',                                   dropsOn(request => /\p{Extended_Pictographic}/u.test(textOf(request, 'description'))), 'standard'],
  ['config-nul-drop',                 'disable-config',          'robust.no-drop',              'The worker dies of NUL in an id.',                               dropsOn(idHolds('\0'))],
  ['segments-patch-drop',             'list-segments',           'robust.no-drop',              'PATCH on the list of segments gets no answer.',                  onMethod('PATCH', 'drop')],
  ['gate-unknown-creator-crashes',     'patch-gate',              'robust.never-5xx',            'A creator whom nobody knows is an error of the server.',                   breaksOn(({ body }) => JSON.stringify(body)?.includes('.invalid"') === true), 'standard'],
  ['source-unknown-unit-crashes',      'update-qualifying-event', 'robust.never-5xx',            'A unit type that nobody knows is an error of the server.',                 breaksOn(({ body }) => /"serviceUnitID":"conform-\w+-none"/.test(JSON.stringify(body) ?? '')), 'standard'],
  ['gate-poisoned-by-malformed',      'patch-gate',              'robust.alive-after',          'After a broken body every patch is a 500.',                      poisonedBy(unreadable('not valid JSON')), 'robust.never-5xx', 'reject.never-5xx'],
  ['segments-poisoned-by-page',       'list-segments',           'robust.alive-after',          'After a page that is no number every list is a 500.',            poisonedBy(asked('page', 'abc')), 'pagination.odd-values'],
  ['gates-one-in-fifty-500',          'patch-gate',              'robust.never-5xx',            'One answer in fifty is a 500.',                                  everyNth(50, () => internalError), 'accept.smallest', 'accept.plain-value', 'accept.stated-boundary', 'accept.combination', 'reject.never-5xx', 'auth.header-case'],
  ['segments-one-in-twenty-500',      'list-segments',           'robust.never-5xx',            'One answer in twenty is a 500.',                                 everyNth(20, () => internalError), 'reject.never-5xx', 'pagination.odd-values', 'accept.smallest'],
  ['prompts-one-in-fifty-hangs',      'create-prompt-version',   'robust.no-hang',              'One answer in fifty never comes.',                               everyNth(50, never)],

  ['refusals-in-html',                'patch-gate',              'reject.body-json',            'Refusals are pages of HTML.',                                    html('<!doctype html><title>Error</title><h1>Bad Request</h1>')],
  ['unauthorised-in-text',            'list-segments',           'reject.body-json',            'Refusals are plain text.',                                       html('Unauthorized')],
  ['refusals-cut-short',              'enable-groups',           'reject.body-json',            'The JSON of refusals is cut short.',                             onText(text => text.slice(0, -1), { of: refusals })],
  ['wrong-method-in-html',            'list-events',             'robust.error-json-elsewhere', 'Another method is answered with a page of HTML.',                onMethod('POST', { status: 405, headers: { 'Content-Type': 'text/html' }, body: '<h1>Method Not Allowed</h1>' })],
  ['refusals-with-stack-trace',       'create-metric',           'robust.no-leak',              'Refusals show a stack trace.',                                   told({ message: 'Internal', stack: trace })],
  ['unknown-with-file-path',          'list-config-versions',    'robust.no-leak',              'A refusal names a file of the server.',                          told({ message: 'not found in /var/lib/console/configs.db' })],

  ['gate-found-by-prefix',            'patch-gate',              'identity.gate-id',            'A gate is found by the beginning of its id.',                    findsBy('gates', (id, asked) => asked.length > 2 && id.startsWith(asked))],
  ['versions-found-by-prefix',        'list-config-versions',    'identity.config-version-id',  'The versions of a config are found by the beginning of its id.', findsBy('configs', (id, asked) => asked.length > 2 && id.startsWith(asked))],
  ['gate-found-by-percent',           'patch-gate',              'identity.gate-id',            'A percent sign in the id of a gate stands for anything.',        findsBy('gates', (id, asked) => asked.includes('%') && like(asked, '%').test(id))],
  ['versions-found-by-star',          'list-config-versions',    'identity.config-version-id',  'A star in the id of a config stands for anything.',              findsBy('configs', (id, asked) => asked.includes('*') && like(asked, '*').test(id))],
  ['gate-found-by-expression',        'patch-gate',              'identity.gate-id',            'The id of a gate is taken for a regular expression.',            findsBy('gates', (id, asked) => /^\^.*\$$/.test(asked) && `^${id}$` === asked)],
  ['config-expression-500',           'list-config-versions',    'robust.never-5xx',            'An id that is no regular expression is a 500.',                  breaksOn(idHolds('[(')), 'standard'],
  ['gate-line-break-500',             'disable-gate',            'robust.never-5xx',            'A line break in an id is a 500.',                                breaksOn(idHolds('\n')), 'standard'],
  ['event-wildcards-hang',            'list-events',             'robust.no-hang',              'Wildcards in the name of an event are never answered.',          hangsOn(idHolds('*?')), 'standard'],
  ['segments-body-500',               'list-segments',           'robust.never-5xx',            'A body where there is none is a 500.',                           breaksOn(hasBody)],
  ['disable-body-500',                'disable-gate',            'robust.never-5xx',            'A body that nobody asked for is a 500.',                         breaksOn(hasBody)],
  ['groups-list-of-nulls-500',        'enable-groups',           'robust.never-5xx',            'A list of nulls for a body is a 500.',                           onSentText(text => (text === '[null,null]' ? failed(500) : text))],
  ['gate-nested-rules-500',           'patch-gate',              'robust.never-5xx',            'Deep nesting within a field of a gate is a 500.',                onSentText(text => (/(?<!:)(\{"a":){150}/.test(text) ? failed(500) : text))],
];
