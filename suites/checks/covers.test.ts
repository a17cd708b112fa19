import { describe, expect, test } from 'vitest';
import { type EndpointId, endpointRow } from '../../contracts/endpoints.ts';
import type { JsonObject } from '../../contracts/json.ts';
import { requirementById } from '../../contracts/requirements/index.ts';
import { judgedBy } from '../proof/testing/judged-by.ts';
import { answering, instead, right, type Wrong } from '../proof/testing/model.ts';
import type { ActiveCheck } from '../protocol/check.ts';
import { atOnce } from './stimuli/at-once.ts';
import { disables } from './stimuli/disables.ts';
import { eventStored } from './stimuli/event-stored.ts';
import { frame } from './stimuli/frame.ts';
import { lineage } from './stimuli/lineage.ts';
import { metricStored } from './stimuli/metric-stored.ts';
import { neighbours } from './stimuli/neighbours.ts';
import { restUnchanged } from './stimuli/rest-unchanged.ts';
import { sequences } from './stimuli/sequences.ts';
import { allUnits } from './units.ts';
import { citedBy, coveredBy } from './verified-by.ts';

const active = allUnits().flatMap(({ check, endpoint }) =>
  check.kind === 'active' ? [[`${endpoint}/${check.id}`, check, endpoint] as const] : [],
);

test.each(active)('%s tells of each result what it could have shown to be broken', async (_id, check, endpoint) => {
  const { results } = await judgedBy(check, endpoint, right, {
    amounts: { fuzz: 5, walks: 4, creations: 4 },
  });
  const cited: readonly string[] = citedBy(check, endpoint);
  for (const result of results.filter(({ proved }) => proved)) {
    expect(result.covers !== undefined || cited.length === 1, result.title).toBe(true);
    const covers: readonly string[] = [...coveredBy(check, endpoint, result)];
    const binding = covers.filter(id => bindsAt(id, endpoint) && requirementById(id).unverified === undefined);
    expect(
      binding.filter(id => !cited.includes(id)),
      result.title,
    ).toEqual([]);
  }
});

function bindsAt(id: string, endpoint: EndpointId): boolean {
  const { endpoints } = requirementById(id);
  return endpoints === 'all' || endpoints.includes(endpoint);
}

const emptied = (...endpoints: EndpointId[]): Wrong =>
  endpoints.map(endpoint => answering(endpoint, () => ({}))).reduce((one, other) => model => other(one(model)));
const shows = (endpoint: EndpointId, change: (data: JsonObject) => JsonObject): Wrong => answering(endpoint, change);
const constant = (endpoint: EndpointId): Wrong => {
  let first: JsonObject | undefined;
  return answering(endpoint, data => {
    first ??= data;
    return first;
  });
};
const emptyList = (endpoint: EndpointId): Wrong => {
  const pagination = { itemsPerPage: 10, pageNumber: 1, totalItems: 0, nextPage: null, previousPage: null, all: '' };
  const value = { message: endpointRow(endpoint).message, data: [], pagination };
  return instead({ status: 200, value }, request => request.endpoint === endpoint);
};

/** Returns the requirements that a check covers at a target that is wrong in some way. */
async function coveredOf(check: ActiveCheck, endpoint: EndpointId, wrong: Wrong): Promise<string[]> {
  const { results } = await judgedBy(check, endpoint, wrong);
  const covers = results.filter(({ proved }) => proved).flatMap(one => [...coveredBy(check, endpoint, one)]);
  return [...new Set(covers)].sort();
}

describe('a scenario covers', () => {
  // biome-ignore format: a table
  test.each<[what: string, check: unknown, endpoint: EndpointId, wrong: Wrong, covers: string[]]>([
    ['a frame, by a write that is seen',                frame,         'patch-gate',              right,                                       ['state.patch-empty-reads', 'state.patch-every-sent', 'state.patch-only-sent']],
    ['no frame of gates that show nothing',             frame,         'patch-gate',              emptied('patch-gate'),                       []],
    ['no frame of a gate that never changes',           frame,         'patch-gate',              constant('patch-gate'),                      ['state.patch-empty-reads']],
    ['the last values, where the gate shows them',      sequences,     'patch-gate',              right,                                       ['auth.no-effect', 'reject.no-trace', 'state.neighbours', 'state.patch-every-sent', 'state.patch-only-sent']],
    ['no last values of gates that show nothing',       sequences,     'patch-gate',              emptied('patch-gate'),                       []],
    ['what disabling does to an enabled gate',          disables,      'disable-gate',            right,                                       ['state.disable-gate-false', 'state.disable-gate-frame', 'state.disable-gate-idempotent', 'state.disable-unknown-gate']],
    ['nothing of disabling where gates show nothing',   disables,      'disable-gate',            emptied('patch-gate', 'disable-gate'),       ['state.disable-unknown-gate']],
    ['no disabling of a gate that never was enabled',   disables,      'disable-gate',            shows('patch-gate', gate => ({ ...gate, isEnabled: false })), ['state.disable-unknown-gate']],
    ['neighbours that show their settings',             neighbours,    'patch-gate',              right,                                       ['state.concurrent-answers', 'state.neighbours']],
    ['no neighbours that show nothing',                 neighbours,    'patch-gate',              emptied('patch-gate'),                       []],
    ['what the list of sources shows',                  eventStored,   'update-qualifying-event', right,                                       ['accept.sql-placeholders', 'state.dry-run-qualifying-event', 'state.neighbours', 'state.qualifying-event-name-fixed', 'state.qualifying-event-visible']],
    ['nothing of what an empty list of sources hides',  eventStored,   'update-qualifying-event', emptyList('list-qualifying-events'),         ['accept.sql-placeholders']],
    ['a created metric that is listed',                 metricStored,  'create-metric',           right,                                       ['state.dry-run-metric', 'state.metric-as-created', 'state.metric-default-directionality', 'state.metric-listed']],
    ['no dry run where no creation is listed',          metricStored,  'create-metric',           emptyList('list-event-metrics'),             ['state.metric-default-directionality']],
    ['the settings that two answers show',              restUnchanged, 'enable-groups',           right,                                       ['state.enable-groups-frame']],
    ['no settings that neither shows',                  restUnchanged, 'enable-groups',           emptied('enable-groups'),                    []],
    ['answers that show the name they are about',       atOnce,        'create-metric',           right,                                       ['state.concurrent-answers', 'state.concurrent-creations', 'state.metric-listed']],
    ['no answers without a name',                       atOnce,        'create-metric',           emptied('create-metric'),                    []],
    ['no lineage of an empty list',                     lineage,       'list-event-metrics',      right,                                       []],
  ])('%s', async (_what, check, endpoint, wrong, covers) => {
    expect(await coveredOf(check as ActiveCheck, endpoint, wrong)).toEqual(covers);
  });
});

test('a control without a sound frame is no control: refusals beside it prove nothing', async () => {
  const unsound: Wrong = model => (request, body) => {
    const given = model(request, body);
    return given.status === 200 ? { ...given, value: {} } : given;
  };
  const check = active.find(([id]) => id === 'patch-gate/rejects')?.[1] as ActiveCheck;
  const { results } = await judgedBy(check, 'patch-gate', unsound);
  expect(results.filter(({ proved }) => proved)).toEqual([]);
});
