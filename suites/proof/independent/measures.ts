import { promptBody, sourceBody } from './bodies.ts';
import { type Fields, isFields } from './checks.ts';
import { metricBody } from './metric-body.ts';
import { checked, done, missing, type Operation, only } from './outcome.ts';
import { words } from './state.ts';

/** Qualifying events, metrics and prompt versions (sections 4.3, 4.9 and 4.13). */

const sourceFields =
  'description tags sql timestampColumn timestampAsDay idTypeMapping sourceType tableName datePartitionColumn customFieldMapping isReadOnly isVerified disableCURE owner'.split(
    ' ',
  );

/** Section 4.3: the name stays, whatever the body says. */
export const updateSource: Operation = ({ state, names: [name = ''], body }) => {
  const before = state.sources.get(name);
  if (before === undefined) return missing('qualifying event');
  return checked(body, sourceBody(), () => {
    const after = { ...before, ...only(body, sourceFields) };
    if (body.dryRun !== true) state.sources.set(name, after);
    return done('Qualifying event updated successfully.', after);
  });
};

const metricFields =
  'name type description directionality isPermanent isReadOnly isVerified tags unitTypes metricEvents funnelCountDistinct funnelEventList'.split(
    ' ',
  );

const namesIn = (list: unknown): string[] =>
  Array.isArray(list) ? list.filter(isFields).map(item => String(item.name)) : [];

/** What a metric is made from (section 2.7, lineage). */
function lineageOf(body: Fields): Fields {
  const parts = Array.isArray(body.metricComponentMetrics) ? body.metricComponentMetrics.filter(isFields) : [];
  const events = [...namesIn(body.metricEvents), ...namesIn(body.funnelEventList)];
  return { events: [...new Set(events)], metrics: parts.map(part => `${part.name}::${part.type}`) };
}

/** Section 4.9: a metric that is there already is not made again. */
export const createMetric: Operation = ({ state, body }) =>
  checked(body, metricBody(state), () => {
    const id = `${body.name}::${body.type}`;
    if (state.metrics.has(id)) return { status: 409, reason: `${id} exists` };
    const metric = {
      id,
      directionality: 'increase',
      isHidden: false,
      ...only(body, metricFields),
      lineage: lineageOf(body),
      createdTime: state.now(),
    };
    if (body.dryRun !== true) state.metrics.set(id, metric);
    return done('Metric created successfully.', metric, 201);
  });

const promptFields =
  'name id description prompts temperature top_p frequency_penalty presence_penalty max_tokens model provider eval_model workflow_headers auth_workflow_headers'.split(
    ' ',
  );

/** Section 4.13. */
export const createPromptVersion: Operation = ({ state, names: [prompt = ''], body }) => {
  const versions = state.prompts.get(prompt);
  if (versions === undefined) return missing('prompt');
  return checked(body, promptBody(), () => {
    const version = {
      id: `${prompt}-${versions.length + 1}`,
      model: words.models[0],
      ...only(body, promptFields),
      edition: versions.length + 1,
    };
    state.prompts.set(prompt, [...versions, version]);
    return done('Version made.', version, 201);
  });
};
