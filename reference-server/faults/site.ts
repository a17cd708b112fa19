import type { EndpointId } from '../../contracts/endpoints.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import { forgives, refuses, type When } from '../decorators/index.ts';
import type { FaultRow } from './fault.ts';

/** A field of a request: the prefix of the ids of its faults, its operation, its path, and the requirement for it. */
export type Site = readonly [subject: string, operation: EndpointId, path: string, requirement: RequirementId];

// biome-ignore format: a table
export const sites = {
  gate:       ['gate-name',       'patch-gate',            'name', 'gate.name'],
  experiment: ['experiment-name', 'update-experiment',     'name', 'experiment.name'],
  metric:     ['metric-name',     'create-metric',         'name', 'metric.name'],
  prompt:     ['prompt-name',     'create-prompt-version', 'name', 'promptVersion.name'],
  promptId:   ['prompt-id',       'create-prompt-version', 'id',   'promptVersion.id'],
} as const satisfies Record<string, Site>;

/** Too lax: accepts values of a field that break the requirement. `what` ends the sentence. */
export const accepts = (
  [subject, operation, path, requirement]: Site,
  id: string,
  what: string,
  when: When,
): FaultRow => [`${subject}-${id}`, operation, requirement, `\`${path}\` ${what}.`, forgives(path, when), 'standard'];

/** Too strict: refuses values of a field that keep the requirement. */
export const declines = (
  [subject, operation, path]: Site,
  id: string,
  what: string,
  when: When,
  alsoAs: readonly RequirementId[] = [],
): FaultRow => [
  `${subject}-${id}`,
  operation,
  'accept.stated-boundary',
  `\`${path}\` ${what}.`,
  refuses(path, when),
  'standard',
  ...alsoAs,
];
