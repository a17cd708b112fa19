import type { EndpointId } from '../../../contracts/endpoints.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { inWords } from '../../judge/words.ts';
import type { PassiveCheck } from '../../protocol/check.ts';

/** Which member of an entity must be what, and the row that says so. `param` is the path parameter; a function computes it from the entity. */
interface Identity {
  readonly requirement: RequirementId;
  readonly field: string;
  readonly is: 'param' | ((entity: Readonly<Record<string, unknown>>) => string);
}

const metricId: Identity = {
  requirement: 'identity.metric-id',
  field: 'id',
  is: entity => `${entity.name}::${entity.type}`,
};

// biome-ignore format: a table
const identities: Partial<Record<EndpointId, Identity>> = {
  'list-config-versions':    { requirement: 'identity.config-version-id',     field: 'id',   is: 'param' },
  'update-qualifying-event': { requirement: 'identity.qualifying-event-name', field: 'name', is: 'param' },
  'update-experiment':       { requirement: 'identity.experiment-id',         field: 'id',   is: 'param' },
  'disable-config':          { requirement: 'identity.config-id',             field: 'id',   is: 'param' },
  'patch-gate':              { requirement: 'identity.gate-id',               field: 'id',   is: 'param' },
  'disable-gate':            { requirement: 'identity.gate-id',               field: 'id',   is: 'param' },
  'enable-groups':           { requirement: 'identity.experiment-id',         field: 'id',   is: 'param' },
  'create-metric':           metricId,
  'archive-config':          { requirement: 'identity.config-id',             field: 'id',   is: 'param' },
  'list-event-metrics':      metricId,
  'list-events':             { requirement: 'identity.event-name',            field: 'name', is: 'param' },
};

/** The answer speaks of the entity that the request named (sections 2.7 and 4.2 to 4.15). */
export const identity: PassiveCheck = {
  kind: 'passive',
  id: 'identity',
  level: 'MUST',
  title: 'The answer is about the entity that the request named',
  detects:
    "Another entity's data under this one's path; a metric id that is not its own name and type joined by two colons.",
  requirements: endpoint => {
    const known = identities[endpoint];
    return known === undefined ? [] : [known.requirement];
  },
  appliesTo: endpoint => identities[endpoint] !== undefined,
  observe(answer, row) {
    const known = identities[answer.request.endpoint];
    if (known === undefined || !answer.success || !answer.own) return null;
    const { data } = answer;
    const items: readonly unknown[] = row.list ? (Array.isArray(data) ? data : []) : [data];
    const violations = items.flatMap((item, index) => {
      if (typeof item !== 'object' || item === null || Array.isArray(item)) return [];
      const entity = item as Readonly<Record<string, unknown>>;
      // What is absent or of another type is the schema check's finding.
      if (typeof entity[known.field] !== 'string') return [];
      const expected = known.is === 'param' ? (answer.request.param ?? '') : known.is(entity);
      if (entity[known.field] === expected) return [];
      return [
        {
          requirement: known.requirement,
          pointer: row.list ? `/data/${index}/${known.field}` : `/data/${known.field}`,
          expected: JSON.stringify(expected),
          actual: inWords(entity[known.field]),
          answer,
        },
      ];
    });
    return items.length === 0 ? null : violations;
  },
};
