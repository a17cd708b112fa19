import type { EndpointId } from '../../contracts/endpoints.ts';
import type { Json, JsonObject } from '../../contracts/json.ts';
import type { TargetCapabilities } from '../protocol/sut.ts';

/** Words by kind of reference, for the tests of the generators. */

const words: Partial<Record<string, readonly Json[]>> = {
  idType: ['userID', 'stableID'],
  gate: ['a_gate'],
  metric: [
    { name: 'signup', type: 'event_count' },
    { name: 'purchase', type: 'sum' },
  ],
  event: ['page_view', 'purchase'],
  group: ['Control', 'Test'],
  user: ['user-1'],
  email: ['ada@example.com'],
  team: ['growth'],
  teamID: ['team-1'],
  app: ['web', 'ios'],
  environment: ['development', 'production'],
  model: ['gpt-4o'],
  provider: ['openai'],
  metricSource: ['purchases'],
  column: ['user_id', 'ts'],
};

/** A target that declares words of most kinds and every feature. */
export const everythingDeclared: TargetCapabilities = { references: kind => words[kind] ?? [], has: () => true };

/** A target that declares nothing. */
export const nothingDeclared: TargetCapabilities = { references: () => [], has: () => false };

/** The smallest sensible body of each endpoint that has one. */
export const templates: Partial<Record<EndpointId, JsonObject>> = {
  'update-environments': {
    environments: [
      { name: 'development', id: 'e1', isProduction: false, requiresReview: false, requiresReleasePipeline: false },
      { name: 'production', id: 'e2', isProduction: true, requiresReview: false, requiresReleasePipeline: false },
    ],
  },
  'update-qualifying-event': {
    sql: 'SELECT user_id, ts FROM purchases',
    timestampColumn: 'ts',
    idTypeMapping: [{ serviceUnitID: 'userID', column: 'user_id' }],
  },
  'update-experiment': {
    description: 'An experiment of the suite',
    idType: 'userID',
    hypothesis: 'It will not harm',
    groups: [
      { name: 'Control', size: 50, id: 'g1' },
      { name: 'Test', size: 50, id: 'g2' },
    ],
    allocation: 100,
    targetingGateID: null,
    bonferroniCorrection: false,
    defaultConfidenceInterval: '95',
    status: 'setup',
  },
  'patch-gate': {},
  'enable-groups': { group_names: ['Control'] },
  'create-metric': {
    name: 'a metric',
    type: 'event_count_custom',
    unitTypes: ['userID'],
    metricEvents: [{ name: 'page_view', type: 'count' }],
  },
  'archive-config': {},
  'create-prompt-version': { name: 'a version', prompts: [{ content: 'Be brief', role: 'system' }] },
};
