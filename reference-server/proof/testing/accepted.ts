import { type EndpointId, type EndpointTable, endpointIds, endpoints } from '../../../contracts/endpoints.ts';
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

type WithBody = { [Id in EndpointId]: EndpointTable[Id]['body'] extends null ? never : Id }[EndpointId];

/** The requests of operations that have a body, and of those that need an entity other than the first of its kind. */
// biome-ignore format: a table
const stated: Readonly<Record<WithBody, Accepted> & Partial<Record<EndpointId, Accepted>>> = {
  'update-environments':     { body: { environments: [{ id: 'testing', name: 'quality', requiresReview: true }, { name: 'preview' }] } },
  'update-qualifying-event': { param: 'purchases_daily', body: { ...sourceBody, description: 'Changed.' } },
  'update-experiment':       { param: 'checkout_button', body: experimentBody },
  'disable-config':          { param: 'feed_ranking' },
  'patch-gate':              { param: 'dark_mode', body: { description: 'Changed.', isEnabled: false } },
  'disable-gate':            { param: 'dark_mode' },
  'enable-groups':           { param: 'search_ranking', body: { group_names: ['Recency'] } },
  'create-metric':           { body: { name: 'My metric', type: 'event_user', metricEvents: [{ name: 'page_view', type: 'count' }] } },
  'archive-config':          { param: 'legacy_limits', body: { archiveReason: 'Old.' } },
  'create-prompt-version':   { param: 'greeting', body: { name: 'Greeting', id: 'g2', prompts: [{ role: 'system', content: 'Hi.' }], temperature: 0.7 } },
};

/** A request for the first fixture of the kind that an operation draws its subject from. */
const forFirst = (id: EndpointId): Accepted => {
  const { fixture, param } = endpoints[id];
  if (fixture === null || param === null) return {};
  const [first] = referenceTarget().fixtures?.[fixture] ?? [];
  return { param: typeof first === 'object' ? String(first.id) : String(first) };
};

/** Such a request for every operation. */
export const accepted = Object.fromEntries(endpointIds.map(id => [id, stated[id] ?? forFirst(id)])) as Readonly<
  Record<EndpointId, Accepted>
>;
