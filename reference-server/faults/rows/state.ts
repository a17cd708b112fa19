import type { Members } from '../../../contracts/json.ts';
import { refusal } from '../../api/response.ts';
import { success } from '../../api/success.ts';
import { worksBeforeRefusing } from '../../decorators/keys.ts';
import type { Mutable } from '../../decorators/members.ts';
import {
  instead,
  insteadFor,
  onValidBody,
  onValidRequest,
  sentBy,
  sharesRequest,
  sharesResponse,
} from '../../decorators/operations.ts';
import { onQuery } from '../../decorators/paging.ts';
import { onEntity } from '../../decorators/responses.ts';
import { followedBy, keepsOld, stores, storesBeside, storesInOthers, storesNothing } from '../../decorators/stores.ts';
import type { FaultTable } from '../fault.ts';

const isEmpty = (body: Members): boolean => Object.keys(body).length === 0;
const withoutDryRun = onValidBody(({ dryRun: _, ...body }) => body);
const describesOthers = storesInOthers((other, { description }) => ({ ...other, description }));
const toggles = insteadFor('gates', async (gate, request, store) => {
  if (gate?.isEnabled !== false) return undefined;
  const enabled = { ...gate, isEnabled: true };
  await store.put('gates', request.param, enabled);
  return success(request, enabled);
});

/** Effects that a write must have, and effects that it must not have (sections 2 to 4). */
// biome-ignore format: a table
export const stateFaults: FaultTable = [
  { id: 'patch-resets-tags',              requirement: 'state.patch-only-sent',       endpoints: ['patch-gate'],              title: 'A patch that carries no tags empties them.',                decorator: onValidBody(body => (isEmpty(body) ? body : { tags: [], ...body })), alsoAs: ['state.patch-every-sent'] },
  { id: 'patch-resets-description',       requirement: 'state.patch-only-sent',       endpoints: ['patch-gate'],              title: 'A patch that carries no description empties it in the store.', decorator: stores(({ value, before }) => ({ ...value, description: value.description === before.description ? '' : value.description })), alsoAs: ['state.patch-every-sent', 'state.concurrent-fields'] },
  { id: 'patch-enables',                  requirement: 'state.patch-only-sent',       endpoints: ['patch-gate'],              title: 'Any patch enables the gate unless it says otherwise.',      decorator: onValidBody(body => (isEmpty(body) ? body : { isEnabled: true, ...body })), alsoAs: ['state.patch-every-sent', 'state.disable-gate-false'] },
  { id: 'patch-name-renames-description', requirement: 'state.patch-only-sent',       endpoints: ['patch-gate'],              title: 'A new name becomes the description too.',                   decorator: onValidBody(body => ('name' in body && !('description' in body) ? { ...body, description: body.name } : body)) },
  { id: 'patch-adds-a-holdout',           requirement: 'state.patch-only-sent',       endpoints: ['patch-gate'],              title: 'A patch puts the gate under a holdout.',          decorator: storesBeside(() => ({ holdoutIDs: ['a_holdout'] })) },
  { id: 'patch-takes-ownership',          requirement: 'state.patch-only-sent',       endpoints: ['patch-gate'],              title: 'Who patches a gate becomes its owner.',                     decorator: storesBeside(() => ({ owner: { ownerID: 'patched', ownerType: 'SDK_KEY', ownerName: 'x', ownerEmail: 'x@example.com' } })) },
  { id: 'patch-resets-created-time',      requirement: 'state.patch-only-sent',       endpoints: ['patch-gate'],              title: 'A patch moves `createdTime`.',                              decorator: stores(({ value }) => ({ ...value, createdTime: Number(value.createdTime) + 1000 })), alsoAs: ['state.concurrent-fields'] },
  { id: 'patch-appends-tags',             requirement: 'state.patch-every-sent',      endpoints: ['patch-gate'],              title: 'Tags are added to those that are there.',                   decorator: stores(({ value, before }) => ({ ...value, tags: [...new Set([...((before.tags ?? []) as string[]), ...((value.tags ?? []) as string[])])] })), alsoAs: ['state.concurrent-fields', 'state.concurrent-values'] },
  { id: 'patch-ignores-type',             requirement: 'state.patch-every-sent',      endpoints: ['patch-gate'],              title: 'The type of a gate is answered and not stored.',            decorator: keepsOld('type'), profile: 'standard' },
  { id: 'patch-ignores-description',      requirement: 'state.patch-every-sent',      endpoints: ['patch-gate'],              title: 'The description is answered and not stored.',               decorator: keepsOld('description'), alsoAs: ['state.concurrent-answers', 'state.concurrent-fields', 'state.concurrent-values'] },
  { id: 'patch-ignores-enabled',          requirement: 'state.patch-every-sent',      endpoints: ['patch-gate'],              title: '`isEnabled` is answered and not stored.',                   decorator: keepsOld('isEnabled') },
  { id: 'patch-stores-nothing',           requirement: 'state.patch-every-sent',      endpoints: ['patch-gate'],              title: 'A patch is answered and not stored.',                       decorator: storesNothing, alsoAs: ['state.concurrent-answers', 'state.concurrent-fields', 'state.concurrent-values'] },
  { id: 'patch-empty-tags-ignored',       requirement: 'state.patch-every-sent',      endpoints: ['patch-gate'],              title: 'An empty list of tags is taken for none.',                  decorator: stores(({ value, before }) => ({ ...value, tags: (value.tags as unknown[] | undefined)?.length === 0 ? before.tags : value.tags })), profile: 'standard' },
  { id: 'patch-false-ignored',            requirement: 'state.patch-every-sent',      endpoints: ['patch-gate'],              title: '`measureMetricLifts` can be set and not unset.',            decorator: stores(({ value, before }) => ({ ...value, measureMetricLifts: value.measureMetricLifts || before.measureMetricLifts })) },
  { id: 'patch-empty-text-ignored',       requirement: 'state.patch-every-sent',      endpoints: ['patch-gate'],              title: 'An empty description is taken for none.',                   decorator: stores(({ value, before }) => ({ ...value, description: value.description || before.description })) },
  { id: 'patch-null-team-ignored',        requirement: 'state.patch-every-sent',      endpoints: ['patch-gate'],              title: 'A null team is taken for none.',                            decorator: stores(({ value, before }) => ({ ...value, team: value.team ?? before.team })), profile: 'standard' },
  { id: 'patch-disabled-frozen',          requirement: 'state.patch-every-sent',      endpoints: ['patch-gate'],              title: 'While a gate is disabled its description stays.',           decorator: stores(({ value, before }) => (before.isEnabled === false ? { ...value, description: before.description } : value)), alsoAs: ['state.concurrent-answers', 'state.concurrent-fields', 'state.concurrent-values'] },
  { id: 'patch-empty-writes',             requirement: 'state.patch-only-sent',       endpoints: ['patch-gate'],              title: 'A patch that carries nothing turns `measureMetricLifts` round.', decorator: onValidBody(async (body, { param }, store) => (isEmpty(body) ? { measureMetricLifts: (await store.get('gates', param))?.measureMetricLifts !== true } : body)), alsoAs: ['state.patch-every-sent', 'state.neighbours'] },

  { id: 'disable-toggles',                requirement: 'state.disable-gate-idempotent', endpoints: ['disable-gate'],          title: 'Disabling a gate twice enables it.',                        decorator: toggles, alsoAs: ['state.disable-gate-false'] },
  { id: 'disable-not-stored',             requirement: 'state.disable-gate-false',    endpoints: ['disable-gate'],            title: 'Disabling a gate is answered and not stored.',              decorator: storesNothing, alsoAs: ['state.concurrent-fields'] },
  { id: 'disable-answers-as-before',      requirement: 'state.disable-gate-false',    endpoints: ['disable-gate'],            title: 'Disabling a gate answers the gate as it was before.',       decorator: onEntity(gate => { gate.isEnabled = true; }) },
  { id: 'disable-clears-tags',            requirement: 'state.disable-gate-frame',    endpoints: ['disable-gate'],            title: 'Disabling a gate clears its tags.',                         decorator: storesBeside(() => ({ tags: [] })) },
  { id: 'disable-clears-rules',           requirement: 'state.disable-gate-frame',    endpoints: ['disable-gate'],            title: 'Disabling a gate clears its rules.',                        decorator: storesBeside(() => ({ rules: [] })) },
  { id: 'disable-marks-description',      requirement: 'state.disable-gate-frame',    endpoints: ['disable-gate'],            title: 'Disabling a gate marks its description.',                   decorator: stores(({ value }) => ({ ...value, description: `[disabled] ${value.description}` })) },
  { id: 'disable-makes-permanent',        requirement: 'state.disable-gate-frame',    endpoints: ['disable-gate'],            title: 'A disabled gate is PERMANENT.',                             decorator: storesBeside(() => ({ type: 'PERMANENT' })) },
  { id: 'disable-twice-conflict',         requirement: 'state.disable-gate-idempotent', endpoints: ['disable-gate'],          title: 'Disabling a disabled gate is a conflict.',                  decorator: insteadFor('gates', gate => (gate?.isEnabled === false ? refusal(409, 'The gate is disabled already.') : undefined)) },
  { id: 'disable-unknown-succeeds',       requirement: 'state.disable-unknown-gate',  endpoints: ['disable-gate'],            title: 'Disabling a gate that does not exist succeeds.',            decorator: insteadFor('gates', (gate, request) => (gate === undefined ? success(request, { id: request.param, isEnabled: false }) : undefined)) },

  { id: 'enable-groups-drops-others',     requirement: 'state.enable-groups-frame',   endpoints: ['enable-groups'],           title: 'Groups that are not named are dropped.',                    decorator: onEntity((experiment, request) => { experiment.groups = (experiment.groups as { name: string }[]).filter(group => (sentBy(request).group_names as string[]).includes(group.name)); }) },
  { id: 'enable-groups-splits-evenly',    requirement: 'state.enable-groups-frame',   endpoints: ['enable-groups'],           title: 'Enabling groups resets their sizes.',                       decorator: onEntity(experiment => { for (const [index, group] of (experiment.groups as Mutable[]).entries()) group.size = index === 0 ? 99 : 1; }) },
  { id: 'enable-groups-resets-allocation', requirement: 'state.enable-groups-frame',  endpoints: ['enable-groups'],           title: 'Enabling groups resets the allocation.',                    decorator: onEntity(experiment => { experiment.allocation = 42; }) },
  { id: 'enable-groups-clears-hypothesis',           requirement: 'state.enable-groups-frame',   endpoints: ['enable-groups'],           title: 'Enabling groups changes the hypothesis.',                   decorator: onEntity(experiment => { experiment.hypothesis = ''; }), alsoAs: ['state.concurrent-fields'] },

  { id: 'source-not-stored',              requirement: 'state.qualifying-event-visible', endpoints: ['update-qualifying-event'], title: 'An update of a source is answered and not stored.',      decorator: storesNothing, alsoAs: ['state.concurrent-answers', 'state.concurrent-values'] },
  { id: 'source-description-not-stored',          requirement: 'state.qualifying-event-visible', endpoints: ['update-qualifying-event'], title: 'The description of a source is answered and not stored.', decorator: keepsOld('description'), alsoAs: ['state.concurrent-answers', 'state.concurrent-values'] },
  { id: 'source-mapping-not-stored',      requirement: 'state.qualifying-event-visible', endpoints: ['update-qualifying-event'], title: 'The mapping of unit ids is answered and not stored.',    decorator: stores(({ value }) => ({ ...value, idTypeMapping: [] })) },
  { id: 'source-renamed',                 requirement: 'state.qualifying-event-name-fixed', endpoints: ['update-qualifying-event'], title: 'An update may rename a source.',                      decorator: followedBy('qualifyingEvents', (_source, request) => { const { name } = sentBy(request); return typeof name === 'string' ? { name } : undefined; }, false), alsoAs: ['identity.qualifying-event-name', 'state.neighbours'] },
  { id: 'source-answers-new-name',        requirement: 'state.qualifying-event-name-fixed', endpoints: ['update-qualifying-event'], title: 'The answer to an update shows the name that was sent.', decorator: onEntity((source, request) => { const { name } = sentBy(request); if (typeof name === 'string') source.name = name; }), alsoAs: ['identity.qualifying-event-name'] },
  { id: 'source-dry-run-stores',          requirement: 'state.dry-run-qualifying-event', endpoints: ['update-qualifying-event'], title: 'A dry run of an update is stored.',                      decorator: withoutDryRun },
  { id: 'source-dry-run-keeps-description',       requirement: 'state.dry-run-qualifying-event', endpoints: ['update-qualifying-event'], title: 'A dry run of an update keeps the description.',          decorator: followedBy('qualifyingEvents', (_source, request) => { const { dryRun, description } = sentBy(request); return dryRun === true && typeof description === 'string' ? { description } : undefined; }, false) },
  { id: 'metric-dry-run-creates',         requirement: 'state.dry-run-metric',        endpoints: ['create-metric'],           title: 'A dry run of a creation creates the metric.',               decorator: withoutDryRun, alsoAs: ['reject.no-trace'] },
  { id: 'metric-defaults-to-decrease',    requirement: 'state.metric-default-directionality', endpoints: ['create-metric'],   title: 'Without a directionality a metric decreases.',              decorator: onValidBody(body => ({ directionality: 'decrease', ...body })) },
  { id: 'metric-not-stored',              requirement: 'state.metric-listed',         endpoints: ['create-metric'],           title: 'A created metric is answered and not stored.',              decorator: storesNothing },
  { id: 'metric-stored-without-lineage',  requirement: 'state.metric-listed',         endpoints: ['create-metric'],           title: 'A created metric is stored without its lineage.',           decorator: stores(({ value }) => ({ ...value, lineage: { events: [], metrics: [] } })) },
  { id: 'event-metrics-of-every-event',   requirement: 'state.lineage-truth',         endpoints: ['list-event-metrics'],      title: 'The metrics of an event are those of another event.',       decorator: onValidRequest(request => ({ ...request, param: request.param === 'page_view' ? 'purchase' : 'page_view' })) },
  { id: 'event-metrics-empty-lineage',    requirement: 'state.lineage-truth',         endpoints: ['list-event-metrics'],      title: 'Listed metrics have an empty lineage.',                     decorator: onEntity(metric => { metric.lineage = { events: [], metrics: [] }; }) },
  { id: 'event-metrics-lineage-upper',    requirement: 'state.lineage-truth',         endpoints: ['list-event-metrics'],      title: 'The lineage names events in upper case.',                   decorator: onEntity(metric => { const lineage = metric.lineage as { events: string[] }; lineage.events = lineage.events.map(name => name.toUpperCase()); }) },

  { id: 'gate-writes-all',                requirement: 'state.neighbours',            endpoints: ['patch-gate'],              title: 'A patch writes its description to every gate.',             decorator: describesOthers, alsoAs: ['state.concurrent-answers'] },
  { id: 'disable-gate-disables-all',      requirement: 'state.neighbours',            endpoints: ['disable-gate'],            title: 'Disabling a gate disables every gate.',                     decorator: storesInOthers(other => ({ ...other, isEnabled: false })) },
  { id: 'source-writes-all',              requirement: 'state.neighbours',            endpoints: ['update-qualifying-event'], title: 'An update writes its description to every source.',         decorator: describesOthers, alsoAs: ['state.concurrent-answers'] },

  { id: 'gate-requests-mixed-up',         requirement: 'state.concurrent-answers',    endpoints: ['patch-gate'],              title: 'Patches at once share one request.',                        decorator: sharesRequest, alsoAs: ['identity.gate-id', 'echo.sent-field', 'echo.unicode', 'echo.target-apps', 'state.concurrent-fields'] },
  { id: 'gate-answers-mixed-up',          requirement: 'state.concurrent-answers',    endpoints: ['patch-gate'],              title: 'Patches at once share one answer.',                         decorator: sharesResponse, alsoAs: ['identity.gate-id', 'echo.sent-field', 'echo.unicode', 'echo.target-apps'] },
  { id: 'prompt-requests-mixed-up',       requirement: 'state.concurrent-answers',    endpoints: ['create-prompt-version'],   title: 'Creations at once share one request.',                      decorator: sharesRequest, alsoAs: ['echo.sent-field', 'echo.unicode', 'echo.ordered-lists', 'state.prompt-fields'] },
  { id: 'metric-answers-mixed-up',        requirement: 'state.concurrent-answers',    endpoints: ['create-metric'],           title: 'Creations at once share one answer.',                       decorator: sharesResponse, alsoAs: ['echo.sent-field', 'echo.unicode', 'echo.ordered-lists'] },
  { id: 'segments-page-ignored',          requirement: 'pagination.page-number',      endpoints: ['list-segments'],           title: 'The page number is ignored: every page is the first.',      decorator: onQuery(({ page: _, ...query }) => query), alsoAs: ['pagination.complete', 'pagination.link-page', 'pagination.next-null', 'pagination.page-size', 'pagination.previous-null', 'pagination.total'] },

  { id: 'gate-refusal-keeps-valid',       requirement: 'reject.no-trace',             endpoints: ['patch-gate'],              title: 'Of a refused patch the valid fields are stored.',           decorator: worksBeforeRefusing(400, 'description') },
  { id: 'source-refusal-keeps-valid',     requirement: 'reject.no-trace',             endpoints: ['update-qualifying-event'], title: 'Of a refused update the valid fields are stored.',          decorator: worksBeforeRefusing(400, 'sql', 'timestampColumn', 'idTypeMapping', 'description') },
  { id: 'metric-refusal-creates',         requirement: 'reject.no-trace',             endpoints: ['create-metric'],           title: 'A refused creation creates what is valid of the metric.',   decorator: worksBeforeRefusing(400, 'name', 'type', 'metricEvents') },
  { id: 'segments-path-not-found',        requirement: 'service.route',               endpoints: ['list-segments'],           title: 'The segments are served at another path.',                  decorator: instead(() => refusal(404, 'There is no such path.')), alsoAs: ['pagination.limit-obeyed'] },
  { id: 'config-versions-not-allowed',    requirement: 'service.route',               endpoints: ['list-config-versions'],    title: 'The versions of a config are served at another method.',    decorator: instead(() => refusal(405, 'This path has no such method.')), alsoAs: ['accept.smallest'] },
];
