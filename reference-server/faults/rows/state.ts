import { refusal } from '../../api/response.ts';
import { success } from '../../api/success.ts';
import {
  changesOthers,
  falsyIgnored,
  followedBy,
  forgets,
  instead,
  insteadFor,
  isDry,
  isEmpty,
  items,
  keepsWhere,
  onQuery,
  onValidBody,
  onValidRequest,
  sentBy,
  sharesRequest,
  sharesResponse,
  shown,
  shownAs,
  shownWith,
  stored,
  storesNothing,
  textOf,
  to,
  upper,
  worksBeforeRefusing,
} from '../../decorators/index.ts';
import type { FaultTable } from '../fault.ts';

const withoutDryRun = onValidBody(({ dryRun: _, ...body }) => body);
const describesOthers = changesOthers((_other, { description }) => ({ description }));
const toggles = insteadFor('gates', async (gate, request, store) => {
  if (gate?.isEnabled !== false) return undefined;
  const enabled = { ...gate, isEnabled: true };
  await store.put('gates', request.param, enabled);
  return success(request, enabled);
});

/** Required effects of writes that are missing, and effects that a write must not have (sections 2 to 4). */
// biome-ignore format: a table
export const stateFaults: FaultTable = [
  ['patch-gate', 'state.patch-only-sent', [
    ['patch-resets-tags',              'A patch that carries no tags empties them.',                     onValidBody(body => (isEmpty(body) ? body : { tags: [], ...body })), 'state.patch-every-sent'],
    ['patch-always-empties-tags',      'A patch without tags empties them, an empty one too.',           onValidBody(body => ({ tags: [], ...body })), 'state.patch-every-sent'],
    ['patch-resets-description',       'A patch that carries no description empties it in the store.',   stored('description', (now, before) => (now === before ? '' : now)), 'state.patch-every-sent', 'state.concurrent-fields'],
    ['patch-enables',                  'Any patch enables the gate unless it says otherwise.',           onValidBody(body => (isEmpty(body) ? body : { isEnabled: true, ...body })), 'state.patch-every-sent', 'state.disable-gate-false'],
    ['patch-name-renames-description', 'A new name becomes the description too.',                        onValidBody(body => ('name' in body && !('description' in body) ? { ...body, description: body.name } : body))],
    ['patch-adds-a-holdout',           stored('holdoutIDs', to(['a_holdout']))],
    ['patch-takes-ownership',          'Who patches a gate becomes its owner.',                          stored('owner', to({ ownerID: 'patched', ownerType: 'SDK_KEY', ownerName: 'x', ownerEmail: 'x@example.com' }))],
    ['patch-resets-created-time',      'A patch moves `createdTime`.',                                   stored('createdTime', time => Number(time) + 1000), 'state.concurrent-fields'],
    ['patch-empty-writes',             'A patch that carries nothing turns `measureMetricLifts` round.', onValidBody(async (body, { param }, store) => (isEmpty(body) ? { measureMetricLifts: (await store.get('gates', param))?.measureMetricLifts !== true } : body)), 'state.patch-every-sent', 'state.neighbours'],
  ]],
  ['patch-gate', 'state.patch-every-sent', [
    ['patch-appends-tags',          'Tags are added to those that are there.',                       stored('tags', (now: string[] = [], before: string[] = []) => [...new Set([...before, ...now])]), 'state.concurrent-fields', 'state.concurrent-values'],
    ['patch-ignores-type',          forgets('type'), 'standard'],
    ['patch-ignores-rules',         forgets('rules'), 'standard'],
    ['patch-drops-email-beside-id', 'The email of a creator is dropped where the id comes with it.', onValidBody(({ creatorEmail, ...body }) => ('creatorID' in body || creatorEmail === undefined ? body : { ...body, creatorEmail })), 'echo.sent-field'],
    ['patch-ignores-description',   forgets('description'), 'state.concurrent-answers', 'state.concurrent-fields', 'state.concurrent-values'],
    ['patch-ignores-enabled',       forgets('isEnabled')],
    ['patch-stores-nothing',        storesNothing, 'state.concurrent-answers', 'state.concurrent-fields', 'state.concurrent-values'],
    ['patch-empty-tags-ignored',    'An empty list of tags is taken for none.',                      keepsWhere(({ tags }) => items(0)(tags), 'tags'), 'standard'],
    ['patch-empty-rules-ignored',   'An empty list of rules is taken for none.',                     keepsWhere(({ rules }) => items(0)(rules), 'rules'), 'standard'],
    ['patch-false-ignored',         falsyIgnored('measureMetricLifts')],
    ['patch-empty-text-ignored',    falsyIgnored('description')],
    ['patch-null-team-ignored',     'A null team is taken for none.',                                stored('team', (now, before) => now ?? before), 'standard'],
    ['patch-disabled-frozen',       'While a gate is disabled its description stays.',               keepsWhere((_value, { isEnabled }) => isEnabled === false, 'description'), 'state.concurrent-answers', 'state.concurrent-fields', 'state.concurrent-values'],
  ]],

  ['disable-toggles',                  'disable-gate',            'state.disable-gate-idempotent',       'Disabling a gate twice enables it.',                             toggles, 'state.disable-gate-false'],
  ['disable-not-stored',               'disable-gate',            'state.disable-gate-false', storesNothing, 'state.concurrent-fields'],
  ['disable-answers-as-before',        'disable-gate',            'state.disable-gate-false', shownAs('isEnabled', true)],
  ['disable-gate', 'state.disable-gate-frame', [
    ['disable-clears-tags',       stored('tags', to([]))],
    ['disable-clears-rules',      stored('rules', to([]))],
    ['disable-marks-description', 'Disabling a gate marks its description.',                        stored('description', text => `[disabled] ${text}`)],
    ['disable-makes-permanent',   stored('type', to('PERMANENT'))],
    ['disable-moves-created-time', 'Disabling a gate moves `createdTime`.',                          stored('createdTime', time => Number(time) + 7_777_777)],
  ]],
  ['disable-twice-conflict',           'disable-gate',            'state.disable-gate-idempotent',       'Disabling a disabled gate is a conflict.',                       insteadFor('gates', gate => (gate?.isEnabled === false ? refusal(409, 'The gate is disabled already.') : undefined))],
  ['disable-unknown-succeeds',         'disable-gate',            'state.disable-unknown-gate',          'Disabling a gate that does not exist succeeds.',                 insteadFor('gates', (gate, request) => (gate === undefined ? success(request, { id: request.param, isEnabled: false, version: 1 }) : undefined))],

  ['enable-groups', 'state.enable-groups-frame', [
    ['enable-groups-drops-others',      'Groups that are not named are dropped.',                         shownWith(({ groups }, sent) => ({ groups: (groups as { name: string }[]).filter(({ name }) => (sent.group_names as string[]).includes(name)) }))],
    ['enable-groups-splits-evenly',     'Enabling groups resets their sizes.',                            shown('groups', (groups: readonly object[]) => groups.map((group, index) => ({ ...group, size: index === 0 ? 99 : 1 })))],
    ['enable-groups-resets-allocation', shownAs('allocation', 42)],
    ['enable-groups-opens-targeting',   shownAs('targetingGateID', null)],
    ['enable-groups-clears-hypothesis', shownAs('hypothesis', ''), 'state.concurrent-fields'],
  ]],

  ['update-qualifying-event', 'state.qualifying-event-visible', [
    ['source-not-stored',             storesNothing, 'state.concurrent-answers', 'state.concurrent-values'],
    ['source-description-not-stored', forgets('description'), 'state.concurrent-answers', 'state.concurrent-values'],
    ['source-mapping-not-stored',     stored('idTypeMapping', to([]))],
  ]],
  ['source-renamed',                   'update-qualifying-event', 'state.qualifying-event-name-fixed',   'An update may rename a source.',                                 followedBy('qualifyingEvents', (_source, request) => textOf(sentBy(request), 'name'), false), 'identity.qualifying-event-name', 'state.neighbours'],
  ['source-answers-new-name',          'update-qualifying-event', 'state.qualifying-event-name-fixed',   'The answer to an update shows the name that was sent.',          shownWith((_source, { name }) => typeof name === 'string' && { name }), 'identity.qualifying-event-name'],
  ['source-dry-run-stores',            'update-qualifying-event', 'state.dry-run-qualifying-event',      'A dry run of an update is stored.',                              withoutDryRun],
  ['source-dry-run-keeps-description', 'update-qualifying-event', 'state.dry-run-qualifying-event',      'A dry run of an update keeps the description.',                  followedBy('qualifyingEvents', (_source, request) => (isDry(request) ? textOf(sentBy(request), 'description') : undefined), false)],
  ['metric-dry-run-creates',           'create-metric',           'state.dry-run-metric',                'A dry run of a creation creates the metric.',                    withoutDryRun],
  ['metric-defaults-to-decrease',      'create-metric',           'state.metric-default-directionality', 'Without a directionality a metric decreases.',                   onValidBody(body => ({ directionality: 'decrease', ...body }))],
  ['metric-tried-defaults-to-decrease', 'create-metric',          'state.metric-default-directionality', 'A dry run without a directionality shows that the metric decreases.', onValidBody(body => (body.dryRun === true ? { directionality: 'decrease', ...body } : body))],
  ['metric-not-stored',                'create-metric',           'state.metric-listed', storesNothing],
  ['metric-stored-without-lineage',    'create-metric',           'state.metric-listed',                 'A created metric is stored without its lineage.',                stored('lineage', to({ events: [], metrics: [] }))],
  ['list-event-metrics', 'state.lineage-truth', [
    ['event-metrics-of-every-event',  'The metrics of an event are those of another event.',            onValidRequest(request => ({ ...request, param: request.param === 'page_view' ? 'purchase' : 'page_view' }))],
    ['event-metrics-by-part-of-name', 'The metrics of an event are found by the beginning of its name.', onValidRequest(request => ({ ...request, param: ['page_view', 'purchase'].find(name => name.startsWith(request.param)) ?? request.param }))],
    ['event-metrics-empty-lineage',   'Listed metrics have an empty lineage.',                          shownAs('lineage', { events: [], metrics: [] })],
    ['event-metrics-lineage-upper',   shown('lineage.events.*', upper)],
  ]],

  ['gate-writes-all',                  'patch-gate',              'state.neighbours',                    'A patch writes its description to every gate.',                  describesOthers, 'state.concurrent-answers'],
  ['disable-gate-disables-all',        'disable-gate',            'state.neighbours',                    'Disabling a gate disables every gate.',                          changesOthers(() => ({ isEnabled: false }))],
  ['source-writes-all',                'update-qualifying-event', 'state.neighbours',                    'An update writes its description to every source.',              describesOthers, 'state.concurrent-answers'],

  ['gate-requests-mixed-up',           'patch-gate',              'state.concurrent-answers', sharesRequest, 'identity.gate-id', 'echo.sent-field', 'echo.unicode', 'echo.target-apps', 'state.concurrent-fields'],
  ['gate-answers-mixed-up',            'patch-gate',              'state.concurrent-answers', sharesResponse, 'identity.gate-id', 'echo.sent-field', 'echo.unicode', 'echo.target-apps', 'state.patch-every-sent'],
  ['prompt-requests-mixed-up',         'create-prompt-version',   'state.concurrent-answers', sharesRequest, 'echo.sent-field', 'echo.unicode', 'echo.ordered-lists', 'state.prompt-fields'],
  ['metric-answers-mixed-up',          'create-metric',           'state.concurrent-answers', sharesResponse, 'echo.sent-field', 'echo.unicode', 'echo.ordered-lists'],
  ['segments-page-ignored',            'list-segments',           'pagination.page-number',              'The page number is ignored: every page is the first.',           onQuery(({ page: _, ...query }) => query), 'pagination.complete', 'pagination.link-page', 'pagination.next-null', 'pagination.page-size', 'pagination.previous-null', 'pagination.total'],

  ['gate-refusal-keeps-valid',         'patch-gate',              'reject.no-trace', worksBeforeRefusing(400, 'description')],
  ['source-refusal-keeps-valid',       'update-qualifying-event', 'reject.no-trace', worksBeforeRefusing(400, 'sql', 'timestampColumn', 'idTypeMapping', 'description')],
  ['source-refusal-keeps-query',       'update-qualifying-event', 'reject.no-trace', worksBeforeRefusing(400, 'sql', 'timestampColumn', 'idTypeMapping')],
  ['metric-refusal-creates',           'create-metric',           'reject.no-trace', worksBeforeRefusing(400, 'name', 'type', 'metricEvents')],
  ['segments-path-not-found',          'list-segments',           'service.route',                       'The segments are served at another path.',                       instead(() => refusal(404, 'There is no such path.')), 'pagination.limit-obeyed'],
  ['config-disable-path-not-found',    'disable-config',          'service.route',                       'A config is disabled at another path.',                          instead(() => refusal(404, 'There is no such path.'))],
  ['config-versions-not-allowed',      'list-config-versions',    'service.route',                       'The versions of a config are served at another method.',         instead(() => refusal(405, 'This path has no such method.')), 'accept.smallest'],
];
