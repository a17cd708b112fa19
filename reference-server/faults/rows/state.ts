import { messageOf, success } from '../../api/success.ts';
import { aroundWork, inData, instead, sentBy } from '../defects/answers.ts';
import { sharesAnswer, sharesRequest } from '../defects/counting.ts';
import { worksBeforeRefusing } from '../defects/keys.ts';
import type { Members } from '../defects/members.ts';
import { asIfAsked } from '../defects/paging.ts';
import { keepsOld, stores, storesBeside, storesNothing, type Writing } from '../defects/storage.ts';
import type { FaultTable } from '../fault.ts';

/** Writes to the first other entity of the collection as well. */
const writesNeighbour = (change: (neighbour: Members, value: Members) => Members) =>
  stores(async ({ transaction, collection, id, value }: Writing) => {
    const all = (await transaction.list(collection)) as unknown as readonly Members[];
    for (const other of all) {
      const key = String(other.id ?? other.name);
      if (key !== id) await transaction.put(collection, key, change(other, value) as never);
    }
    return value;
  });
/** Works on the dry run as on any other. */
const dryRunIgnored = aroundWork(handler => (request, store, settings) => {
  const { dryRun: _, ...body } = sentBy(request);
  return handler({ ...request, body }, store, settings);
});
const sends = (change: (body: Members, request: { param: string }) => Members) =>
  aroundWork(
    handler => (request, store, settings) =>
      handler({ ...request, body: change(sentBy(request), request) }, store, settings),
  );

/** Enables the gate that is disabled already. */
const toggles = aroundWork(handler => async (request, store, settings) => {
  const gate = await store.get('gates', request.param);
  if (gate?.isEnabled !== false) return handler(request, store, settings);
  await store.put('gates', request.param, { ...gate, isEnabled: true });
  return success('disable-gate', { ...gate, isEnabled: true });
});

/** What a write does and what it leaves alone (sections 2 to 4). */
// biome-ignore format: a table
export const stateFaults: FaultTable = [
  { id: 'patch-resets-tags',              requirement: 'state.patch-only-sent',       endpoints: ['patch-gate'],              title: 'A patch that carries no tags empties them.',                defect: sends(body => (Object.keys(body).length === 0 ? body : { tags: [], ...body })), alsoAs: ['state.patch-every-sent'] },
  { id: 'patch-resets-description',       requirement: 'state.patch-only-sent',       endpoints: ['patch-gate'],              title: 'A patch that carries no description empties it in the store.', defect: stores(({ value, before }) => ({ ...value, description: value.description === before.description ? '' : value.description })) },
  { id: 'patch-enables',                  requirement: 'state.patch-only-sent',       endpoints: ['patch-gate'],              title: 'Any patch enables the gate unless it says otherwise.',      defect: sends(body => (Object.keys(body).length === 0 ? body : { isEnabled: true, ...body })), alsoAs: ['state.patch-every-sent', 'state.disable-gate-false'] },
  { id: 'patch-name-renames-description', requirement: 'state.patch-only-sent',       endpoints: ['patch-gate'],              title: 'A new name becomes the description too.',                   defect: sends(body => ('name' in body && !('description' in body) ? { ...body, description: body.name } : body)) },
  { id: 'patch-adds-a-holdout',           requirement: 'state.patch-only-sent',       endpoints: ['patch-gate'],              title: 'A patch puts the gate under a holdout.',          defect: storesBeside(() => ({ holdoutIDs: ['a_holdout'] })) },
  { id: 'patch-takes-ownership',          requirement: 'state.patch-only-sent',       endpoints: ['patch-gate'],              title: 'Who patches a gate becomes its owner.',                     defect: storesBeside(() => ({ owner: { ownerID: 'patched', ownerType: 'SDK_KEY', ownerName: 'x', ownerEmail: 'x@example.com' } })) },
  { id: 'patch-resets-created-time',      requirement: 'state.patch-only-sent',       endpoints: ['patch-gate'],              title: 'A patch moves `createdTime`.',                              defect: stores(({ value }) => ({ ...value, createdTime: Number(value.createdTime) + 1000 })) },
  { id: 'patch-appends-tags',             requirement: 'state.patch-every-sent',      endpoints: ['patch-gate'],              title: 'Tags are added to those that are there.',                   defect: stores(({ value, before }) => ({ ...value, tags: [...new Set([...((before.tags ?? []) as string[]), ...((value.tags ?? []) as string[])])] })) },
  { id: 'patch-ignores-type',             requirement: 'state.patch-every-sent',      endpoints: ['patch-gate'],              title: 'The type of a gate is answered and not stored.',            defect: keepsOld('type'), profile: 'standard' },
  { id: 'patch-ignores-description',      requirement: 'state.patch-every-sent',      endpoints: ['patch-gate'],              title: 'The description is answered and not stored.',               defect: keepsOld('description'), alsoAs: ['state.concurrent-answers'] },
  { id: 'patch-ignores-enabled',          requirement: 'state.patch-every-sent',      endpoints: ['patch-gate'],              title: '`isEnabled` is answered and not stored.',                   defect: keepsOld('isEnabled') },
  { id: 'patch-stores-nothing',           requirement: 'state.patch-every-sent',      endpoints: ['patch-gate'],              title: 'A patch is answered and not stored.',                       defect: storesNothing, alsoAs: ['state.concurrent-answers'] },
  { id: 'patch-empty-tags-ignored',       requirement: 'state.patch-every-sent',      endpoints: ['patch-gate'],              title: 'An empty list of tags is taken for none.',                  defect: stores(({ value, before }) => ({ ...value, tags: (value.tags as unknown[] | undefined)?.length === 0 ? before.tags : value.tags })), profile: 'standard' },
  { id: 'patch-false-ignored',            requirement: 'state.patch-every-sent',      endpoints: ['patch-gate'],              title: '`measureMetricLifts` can be set and not unset.',            defect: stores(({ value, before }) => ({ ...value, measureMetricLifts: value.measureMetricLifts || before.measureMetricLifts })) },
  { id: 'patch-empty-text-ignored',       requirement: 'state.patch-every-sent',      endpoints: ['patch-gate'],              title: 'An empty description is taken for none.',                   defect: stores(({ value, before }) => ({ ...value, description: value.description || before.description })), profile: 'standard' },
  { id: 'patch-null-team-ignored',        requirement: 'state.patch-every-sent',      endpoints: ['patch-gate'],              title: 'A null team is taken for none.',                            defect: stores(({ value, before }) => ({ ...value, team: value.team ?? before.team })), profile: 'standard' },
  { id: 'patch-disabled-frozen',          requirement: 'state.patch-every-sent',      endpoints: ['patch-gate'],              title: 'While a gate is disabled its description stays.',           defect: stores(({ value, before }) => (before.isEnabled === false ? { ...value, description: before.description } : value)), alsoAs: ['state.concurrent-answers'] },
  { id: 'patch-empty-writes',             requirement: 'state.patch-only-sent',       endpoints: ['patch-gate'],              title: 'A patch that carries nothing turns `measureMetricLifts` round.', defect: aroundWork(handler => async (request, store, settings) => { if (Object.keys(sentBy(request)).length > 0) return handler(request, store, settings); const gate = (await store.get('gates', request.param)) as { measureMetricLifts?: boolean } | undefined; return handler({ ...request, body: { measureMetricLifts: gate?.measureMetricLifts !== true } }, store, settings); }) , alsoAs: ['state.patch-every-sent', 'state.neighbours'] },

  { id: 'disable-toggles',                requirement: 'state.disable-gate-idempotent', endpoints: ['disable-gate'],          title: 'Disabling a gate twice enables it.',                        defect: toggles, alsoAs: ['state.disable-gate-false'] },
  { id: 'disable-not-stored',             requirement: 'state.disable-gate-false',    endpoints: ['disable-gate'],            title: 'Disabling a gate is answered and not stored.',              defect: storesNothing },
  { id: 'disable-answers-as-before',      requirement: 'state.disable-gate-false',    endpoints: ['disable-gate'],            title: 'Disabling a gate answers the gate as it was before.',       defect: inData(gate => { gate.isEnabled = true; }) },
  { id: 'disable-clears-tags',            requirement: 'state.disable-gate-frame',    endpoints: ['disable-gate'],            title: 'Disabling a gate clears its tags.',                         defect: storesBeside(() => ({ tags: [] })) },
  { id: 'disable-clears-rules',           requirement: 'state.disable-gate-frame',    endpoints: ['disable-gate'],            title: 'Disabling a gate clears its rules.',                        defect: storesBeside(() => ({ rules: [] })) },
  { id: 'disable-marks-description',      requirement: 'state.disable-gate-frame',    endpoints: ['disable-gate'],            title: 'Disabling a gate marks its description.',                   defect: stores(({ value }) => ({ ...value, description: `[disabled] ${value.description}` })) },
  { id: 'disable-makes-permanent',        requirement: 'state.disable-gate-frame',    endpoints: ['disable-gate'],            title: 'A disabled gate is PERMANENT.',                             defect: storesBeside(() => ({ type: 'PERMANENT' })) },
  { id: 'disable-twice-conflict',         requirement: 'state.disable-gate-idempotent', endpoints: ['disable-gate'],          title: 'Disabling a disabled gate is a conflict.',                  defect: aroundWork(handler => async (request, store, settings) => ((await store.get('gates', request.param))?.isEnabled === false ? { status: 409, body: { status: 409, message: 'The gate is disabled already.' } } : handler(request, store, settings))) },
  { id: 'disable-unknown-succeeds',       requirement: 'state.disable-unknown-gate',  endpoints: ['disable-gate'],            title: 'Disabling a gate that does not exist succeeds.',            defect: aroundWork(handler => async (request, store, settings) => ((await store.get('gates', request.param)) === undefined ? { status: 200, body: { message: messageOf('disable-gate'), data: { id: request.param, isEnabled: false } } } : handler(request, store, settings))) },

  { id: 'enable-groups-drops-others',     requirement: 'state.enable-groups-frame',   endpoints: ['enable-groups'],           title: 'Groups that are not named are dropped.',                    defect: inData((experiment, request) => { experiment.groups = (experiment.groups as { name: string }[]).filter(group => (sentBy(request).group_names as string[]).includes(group.name)); }) },
  { id: 'enable-groups-splits-evenly',    requirement: 'state.enable-groups-frame',   endpoints: ['enable-groups'],           title: 'Enabling groups resets their sizes.',                       defect: inData(experiment => { for (const [index, group] of (experiment.groups as Members[]).entries()) group.size = index === 0 ? 99 : 1; }) },
  { id: 'enable-groups-resets-allocation', requirement: 'state.enable-groups-frame',  endpoints: ['enable-groups'],           title: 'Enabling groups resets the allocation.',                    defect: inData(experiment => { experiment.allocation = 42; }) },
  { id: 'enable-groups-clears-hypothesis',           requirement: 'state.enable-groups-frame',   endpoints: ['enable-groups'],           title: 'Enabling groups changes the hypothesis.',                   defect: inData(experiment => { experiment.hypothesis = ''; }) },

  { id: 'source-not-stored',              requirement: 'state.qualifying-event-visible', endpoints: ['update-qualifying-event'], title: 'An update of a source is answered and not stored.',      defect: storesNothing },
  { id: 'source-description-not-stored',          requirement: 'state.qualifying-event-visible', endpoints: ['update-qualifying-event'], title: 'The description of a source is answered and not stored.', defect: keepsOld('description') },
  { id: 'source-mapping-not-stored',      requirement: 'state.qualifying-event-visible', endpoints: ['update-qualifying-event'], title: 'The mapping of unit ids is answered and not stored.',    defect: stores(({ value }) => ({ ...value, idTypeMapping: [] })) },
  { id: 'source-renamed',                 requirement: 'state.qualifying-event-name-fixed', endpoints: ['update-qualifying-event'], title: 'An update may rename a source.',                      defect: aroundWork(handler => async (request, store, settings) => { const answer = await handler(request, store, settings); const { name } = sentBy(request); if (typeof name === 'string' && answer.status === 200) await store.put('qualifyingEvents', request.param, { ...(answer.body as { data: object }).data, name } as never); return answer; }), alsoAs: ['identity.qualifying-event-name', 'state.neighbours'] },
  { id: 'source-answers-new-name',        requirement: 'state.qualifying-event-name-fixed', endpoints: ['update-qualifying-event'], title: 'The answer to an update shows the name that was sent.', defect: inData((source, request) => { const { name } = sentBy(request); if (typeof name === 'string') source.name = name; }), alsoAs: ['identity.qualifying-event-name'] },
  { id: 'source-dry-run-stores',          requirement: 'state.dry-run-qualifying-event', endpoints: ['update-qualifying-event'], title: 'A dry run of an update is stored.',                      defect: dryRunIgnored },
  { id: 'source-dry-run-keeps-description',       requirement: 'state.dry-run-qualifying-event', endpoints: ['update-qualifying-event'], title: 'A dry run of an update keeps the description.',          defect: aroundWork(handler => async (request, store, settings) => { const answer = await handler(request, store, settings); const source = await store.get('qualifyingEvents', request.param); const { dryRun, description } = sentBy(request); if (dryRun === true && answer.status === 200 && source && typeof description === 'string') await store.put('qualifyingEvents', request.param, { ...source, description }); return answer; }) },
  { id: 'metric-dry-run-creates',         requirement: 'state.dry-run-metric',        endpoints: ['create-metric'],           title: 'A dry run of a creation creates the metric.',               defect: dryRunIgnored },
  { id: 'metric-defaults-to-decrease',    requirement: 'state.metric-default-directionality', endpoints: ['create-metric'],   title: 'Without a directionality a metric decreases.',              defect: sends(body => ({ directionality: 'decrease', ...body })) },
  { id: 'metric-not-stored',              requirement: 'state.metric-listed',         endpoints: ['create-metric'],           title: 'A created metric is answered and not stored.',              defect: storesNothing },
  { id: 'metric-stored-without-lineage',  requirement: 'state.metric-listed',         endpoints: ['create-metric'],           title: 'A created metric is stored without its lineage.',           defect: stores(({ value }) => ({ ...value, lineage: { events: [], metrics: [] } })) },
  { id: 'event-metrics-of-every-event',   requirement: 'state.lineage-truth',         endpoints: ['list-event-metrics'],      title: 'The metrics of an event are those of another event.',       defect: aroundWork(handler => (request, store, settings) => handler({ ...request, param: request.param === 'page_view' ? 'purchase' : 'page_view' }, store, settings)) },
  { id: 'event-metrics-empty-lineage',    requirement: 'state.lineage-truth',         endpoints: ['list-event-metrics'],      title: 'Listed metrics have an empty lineage.',                     defect: inData(metric => { metric.lineage = { events: [], metrics: [] }; }) },
  { id: 'event-metrics-lineage-upper',    requirement: 'state.lineage-truth',         endpoints: ['list-event-metrics'],      title: 'The lineage names events in upper case.',                   defect: inData(metric => { const lineage = metric.lineage as { events: string[] }; lineage.events = lineage.events.map(name => name.toUpperCase()); }) },

  { id: 'gate-writes-all',                requirement: 'state.neighbours',            endpoints: ['patch-gate'],              title: 'A patch writes its description to every gate.',             defect: writesNeighbour((other, value) => ({ ...other, description: value.description })), alsoAs: ['state.concurrent-answers'] },
  { id: 'disable-gate-disables-all',      requirement: 'state.neighbours',            endpoints: ['disable-gate'],            title: 'Disabling a gate disables every gate.',                     defect: writesNeighbour(other => ({ ...other, isEnabled: false })) },
  { id: 'source-writes-all',              requirement: 'state.neighbours',            endpoints: ['update-qualifying-event'], title: 'An update writes its description to every source.',         defect: writesNeighbour((other, value) => ({ ...other, description: value.description })) },

  { id: 'gate-requests-mixed-up',         requirement: 'state.concurrent-answers',    endpoints: ['patch-gate'],              title: 'Patches at once share one request.',                        defect: sharesRequest, alsoAs: ['identity.gate-id', 'echo.sent-field', 'echo.unicode', 'echo.target-apps'] },
  { id: 'gate-answers-mixed-up',          requirement: 'state.concurrent-answers',    endpoints: ['patch-gate'],              title: 'Patches at once share one answer.',                         defect: sharesAnswer, alsoAs: ['identity.gate-id', 'echo.sent-field', 'echo.unicode', 'echo.target-apps'] },
  { id: 'prompt-requests-mixed-up',       requirement: 'state.concurrent-answers',    endpoints: ['create-prompt-version'],   title: 'Creations at once share one request.',                      defect: sharesRequest, alsoAs: ['echo.sent-field', 'echo.unicode', 'echo.ordered-lists', 'state.prompt-fields'] },
  { id: 'metric-answers-mixed-up',        requirement: 'state.concurrent-answers',    endpoints: ['create-metric'],           title: 'Creations at once share one answer.',                       defect: sharesAnswer, alsoAs: ['echo.sent-field', 'echo.unicode', 'echo.ordered-lists'] },
  { id: 'segments-page-ignored',          requirement: 'pagination.page-number',      endpoints: ['list-segments'],           title: 'The page number is ignored: every page is the first.',      defect: asIfAsked(({ page: _, ...query }) => query), alsoAs: ['pagination.complete', 'pagination.link-page', 'pagination.next-null', 'pagination.page-size', 'pagination.previous-null', 'pagination.total'] },

  { id: 'gate-refusal-keeps-valid',       requirement: 'reject.no-trace',             endpoints: ['patch-gate'],              title: 'Of a refused patch the valid fields are stored.',           defect: worksBeforeRefusing(400, 'description') },
  { id: 'source-refusal-keeps-valid',     requirement: 'reject.no-trace',             endpoints: ['update-qualifying-event'], title: 'Of a refused update the valid fields are stored.',          defect: worksBeforeRefusing(400, 'sql', 'timestampColumn', 'idTypeMapping', 'description') },
  { id: 'metric-refusal-creates',         requirement: 'reject.no-trace',             endpoints: ['create-metric'],           title: 'A refused creation creates what is valid of the metric.',   defect: worksBeforeRefusing(400, 'name', 'type', 'metricEvents') },
  { id: 'segments-path-not-found',        requirement: 'service.route',               endpoints: ['list-segments'],           title: 'The segments are served at another path.',                  defect: instead(() => ({ status: 404, body: { status: 404, message: 'There is no such path.' } })) },
  { id: 'config-versions-not-allowed',    requirement: 'service.route',               endpoints: ['list-config-versions'],    title: 'The versions of a config are served at another method.',    defect: instead(() => ({ status: 405, body: { status: 405, message: 'This path has no such method.' } })), alsoAs: ['accept.smallest'] },
];
