import type { BodyOf, DataOf, EndpointId } from '../endpoints.ts';
import type { Infer } from '../infer.ts';
import type * as r from '../resources/index.ts';

/**
 * An example of each operation for the OpenAPI document: ordinary requests with names that the reference server knows,
 * so that each can be sent to it unchanged.
 */

const ada = { ownerID: 'user-ada', ownerType: 'USER', ownerName: 'Ada Okafor', ownerEmail: 'ada.okafor@example.com' };

const environments: Infer<typeof r.environment>[] = [
  {
    id: 'development',
    name: 'development',
    isProduction: false,
    requiresReview: false,
    requiresReleasePipeline: false,
  },
  { id: 'production', name: 'production', isProduction: true, requiresReview: true, requiresReleasePipeline: true },
];

const gatePatch = { description: 'Routes buyers to the one-page checkout.', isEnabled: true, tags: ['checkout'] };

const gate: Infer<typeof r.gate> = {
  id: 'new_checkout',
  name: 'new_checkout',
  ...gatePatch,
  idType: 'userID',
  status: 'In Progress',
  type: 'TEMPORARY',
  typeReason: 'NONE',
  rules: [],
  targetApps: ['web'],
  team: null,
  reviewSettings: { requiredReview: false, allowedReviewers: [] },
  owner: ada,
  version: 2,
};

const config: Infer<typeof r.dynamicConfig> = {
  id: 'pricing_table',
  name: 'pricing_table',
  description: 'Prices that the shop shows.',
  idType: 'userID',
  isEnabled: true,
  rules: [
    {
      id: 'rule-1',
      name: 'Germany',
      passPercentage: 50,
      conditions: [{ type: 'country', operator: 'any', field: 'country', targetValue: ['DE'] }],
      environments: ['production'],
      returnValue: { currency: 'EUR' },
    },
  ],
  defaultValue: { currency: 'USD' },
  tags: ['payments'],
  owner: ada,
  version: 26,
};

const groups: Infer<typeof r.group>[] = [
  { name: 'Control', size: 50, parameterValues: { color: 'green' } },
  { name: 'Test', size: 50, parameterValues: { color: 'blue' } },
];

const experimentRequest = {
  description: 'Whether a blue button sells more.',
  idType: 'userID',
  hypothesis: 'A blue button sells more.',
  groups,
  allocation: 100,
  targetingGateID: null,
  bonferroniCorrection: false,
  defaultConfidenceInterval: '95',
  status: 'active',
} satisfies BodyOf<'update-experiment'>;

const experiment: Infer<typeof r.experiment> = {
  id: 'checkout_button',
  ...experimentRequest,
  lastModifierID: ada.ownerID,
  lastModifierName: ada.ownerName,
  layerID: 'layer_checkout_button',
  primaryMetrics: [{ name: 'purchase', type: 'event_count' }],
  primaryMetricTags: ['Core'],
  secondaryMetrics: [],
  secondaryMetricTags: [],
  groups: groups.map((group, index) => ({ id: `group-${index + 1}`, ...group, disabled: false })),
  duration: 14,
  tags: ['checkout'],
  version: 3,
};

const sourceRequest: BodyOf<'update-qualifying-event'> = {
  sql: "SELECT user_id, occurred_at, amount FROM purchases WHERE occurred_at BETWEEN '{service_start_date}' AND '{service_end_date}'",
  timestampColumn: 'occurred_at',
  idTypeMapping: [{ serviceUnitID: 'userID', column: 'user_id' }],
  description: 'What was bought.',
};

const source: Infer<typeof r.qualifyingEvent> = {
  ...sourceRequest,
  name: 'purchases_daily',
  tags: ['Core'],
  timestampAsDay: false,
  sourceType: 'query',
  customFieldMapping: [{ key: 'amountInCents', formula: 'amount * 100' }],
};

const metricRequest: BodyOf<'create-metric'> = {
  name: 'page_views',
  type: 'event_count_custom',
  description: 'How many pages are viewed.',
  metricEvents: [{ name: 'page_view', type: 'count' }],
};

const metric: Infer<typeof r.metric> = {
  id: 'page_views::event_count_custom',
  ...metricRequest,
  directionality: 'increase',
  lineage: { events: ['page_view'], metrics: [] },
  unitTypes: ['userID'],
  tags: [],
  owner: { name: ada.ownerName },
};

const segment: Infer<typeof r.segment> = {
  id: 'beta_testers',
  isEnabled: true,
  description: 'Who sees new things first.',
  lastModifierID: ada.ownerID,
  lastModifierName: ada.ownerName,
  type: 'id_list',
  count: 100,
  tags: ['beta'],
};

const prompt: BodyOf<'create-prompt-version'> = {
  name: 'Friendly greeting',
  description: 'Greets, and asks what it can help with.',
  prompts: [{ role: 'system', content: 'You are a helpful assistant.' }],
  temperature: 0.7,
  model: 'gpt-4o',
  provider: 'openai',
};

const loggedEvent: Infer<typeof r.loggedEvent> = {
  timestamp: '1749988800000',
  name: 'page_view',
  source: 'web',
  value: '/cart',
  userID: 'user-1037',
  metadata: { locale: 'fr-FR' },
};

/** An example of an operation: the path parameter and the body of a request, and `data` of its answer. */
interface Example<Id extends EndpointId> {
  readonly param: string | null;
  readonly body: [BodyOf<Id>] extends [never] ? null : BodyOf<Id>;
  readonly data: DataOf<Id>;
}

/** An example of each operation (section 4). */
export const examples: { readonly [Id in EndpointId]: Example<Id> } = {
  'update-environments': { param: null, body: { environments }, data: { environments } },
  'list-config-versions': { param: 'pricing_table', body: null, data: [config] },
  'update-qualifying-event': { param: 'purchases_daily', body: sourceRequest, data: source },
  'update-experiment': { param: 'checkout_button', body: experimentRequest, data: experiment },
  'disable-config': { param: 'pricing_table', body: null, data: { ...config, isEnabled: false, version: 27 } },
  'patch-gate': { param: 'new_checkout', body: gatePatch, data: gate },
  'disable-gate': { param: 'new_checkout', body: null, data: { ...gate, isEnabled: false, version: 3 } },
  'enable-groups': { param: 'checkout_button', body: { group_names: ['Control', 'Test'] }, data: experiment },
  'create-metric': { param: null, body: metricRequest, data: metric },
  'archive-config': { param: 'pricing_table', body: { archiveReason: 'The shop has one price list.' }, data: config },
  'list-qualifying-events': { param: null, body: null, data: [source] },
  'list-segments': { param: null, body: null, data: [segment] },
  'create-prompt-version': { param: 'greeting', body: prompt, data: prompt },
  'list-event-metrics': { param: 'page_view', body: null, data: [metric] },
  'list-events': { param: 'page_view', body: null, data: [loggedEvent] },
};
