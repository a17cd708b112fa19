import { type EndpointId, endpointIds, endpointRow } from '../../../contracts/endpoints.ts';
import { referenceTarget } from '../../target.ts';

/** A request that the server accepts with its fixtures. Where the operation writes, it has a visible effect. */
export interface Accepted {
  readonly param?: string;
  readonly body?: Record<string, unknown>;
}

export const groups = [
  { name: 'Control', size: 50 },
  { name: 'Test', size: 50 },
];

/** The required fields of a full update. */
export const experimentBody = {
  description: 'Changed.',
  idType: 'userID',
  hypothesis: 'It works.',
  groups,
  allocation: 50.46,
  targetingGateID: null,
  bonferroniCorrection: true,
  defaultConfidenceInterval: '90',
  status: 'active',
};

/** The required fields of a metric source. */
export const sourceBody = {
  sql: "SELECT * FROM t WHERE d > '{service_start_date}'",
  timestampColumn: 'at',
  idTypeMapping: [{ serviceUnitID: 'userID', column: 'user_id' }],
};

/** The first fixture of an endpoint as its path parameter: all that a request without a body needs. */
function firstFixture(id: EndpointId): Accepted {
  const { fixture, param } = endpointRow(id);
  const [first] = (fixture === null ? undefined : referenceTarget().fixtures?.[fixture]) ?? [];
  return param === null || first === undefined ? {} : { param: typeof first === 'string' ? first : String(first.id) };
}

// biome-ignore format: a table
const particular: Partial<Record<EndpointId, Accepted>> = {
  'update-environments':     { body: { environments: [{ id: 'testing', name: 'quality', requiresReview: true }, { name: 'preview' }] } },
  'list-config-versions':    { param: 'pricing_table' },
  'update-qualifying-event': { param: 'purchases_daily', body: { ...sourceBody, description: 'Changed.' } },
  'update-experiment':       { param: 'checkout_button', body: experimentBody },
  'disable-config':          { param: 'feed_ranking' },
  'patch-gate':              { param: 'dark_mode', body: { description: 'Changed.', isEnabled: false } },
  'disable-gate':            { param: 'dark_mode' },
  'enable-groups':           { param: 'search_ranking', body: { group_names: ['Recency'] } },
  'create-metric':           { body: { name: 'My metric', type: 'event_user', metricEvents: [{ name: 'page_view', type: 'count' }] } },
  'archive-config':          { param: 'legacy_limits', body: { archiveReason: 'Old.' } },
  'list-qualifying-events':  {},
  'list-segments':           {},
  'create-prompt-version':   { param: 'greeting', body: { name: 'Greeting', id: 'g2', prompts: [{ role: 'system', content: 'Hi.' }], temperature: 0.7 } },
  'list-event-metrics':      { param: 'page_view' },
  'list-events':             { param: 'page_view' },
};

/** The request of each operation: a particular one, or that of the first fixture. */
export const accepted = Object.fromEntries(endpointIds.map(id => [id, particular[id] ?? firstFixture(id)])) as Readonly<
  Record<EndpointId, Accepted>
>;
