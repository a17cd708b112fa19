import type { ObjectSchema } from '../dialect.ts';
import * as r from './index.ts';

/**
 * The schemas with a name of their own: each is a JSON Schema file, and a component of the OpenAPI document to which
 * every use of the same node refers.
 */
// biome-ignore format: a table
export const namedResources: readonly (readonly [name: string, schema: ObjectSchema])[] = [
  ['pagination',       r.pagination],
  ['owner',            r.owner],
  ['condition',        r.condition],
  ['segment-condition', r.segmentCondition],
  ['variant',          r.variant],
  ['rule',             r.rule],
  ['environment',      r.environment],
  ['gate',             r.gate],
  ['dynamic-config',   r.dynamicConfig],
  ['group',            r.group],
  ['metric-reference', r.metricReference],
  ['health-check',     r.healthCheck],
  ['experiment',       r.experiment],
  ['qualifying-event', r.qualifyingEvent],
  ['warehouse-native', r.warehouseNative],
  ['metric',           r.metric],
  ['segment',          r.segment],
  ['prompt-version',   r.promptVersion],
  ['logged-event',     r.loggedEvent],
];
