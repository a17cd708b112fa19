import { beforeHandling, isNullable, misses, onSentValue } from '../decorators/index.ts';
import { all, type DialectTable, usesUpBudget, withBody } from './dialect.ts';

/** Services that accept more than they must, and respond as if the request had been correct. */

const scalarOf = (type: unknown, value: unknown): unknown => {
  const wanted = Array.isArray(type) ? type[0] : type;
  if (wanted === 'string' && (typeof value === 'number' || typeof value === 'boolean')) return String(value);
  if (wanted === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  const isNumber = wanted === 'number' || wanted === 'integer';
  return isNumber && typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
};

// biome-ignore format: a table
export const leniencyDialects: DialectTable = [
  ['coercion',               '2',   withBody,        'takes `"12"` for 12, 1 for `"1"` and `"true"` for true',   onSentValue((value, schema) => ('type' in schema ? scalarOf(schema.type, value) : value)), { mayWarn: ['reject.wrong-type'], ...usesUpBudget }],
  ['null-is-absent',         '2',   withBody,        'takes null for a member that was left out',                onSentValue((value, schema) => (value === null && !isNullable(schema) ? undefined : value)), { warns: ['reject.wrong-type'], ...usesUpBudget }],
  ['aggregation-by-default', '2.7', 'create-metric', 'counts an event of a metric that says no aggregation',     misses('metricEvents.*.type')],
  ['any-content-type',       '1',   all,             'reads JSON whatever the content type says',                beforeHandling((request, _response, handle) => { request.headers['content-type'] = 'application/json'; handle();})],
  ['trailing-slash',         '4',   all,             'takes a path with a slash at its end for the one without', beforeHandling((request, _response, handle) => { request.url = (request.url ?? '').replace(/\/(?=\?|$)/, ''); handle();})],
];
