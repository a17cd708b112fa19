import type { EndpointId } from '../../contracts/endpoints.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import { forgives, refuses, type When } from '../decorators/validation.ts';
import type { FaultRow } from './fault.ts';

/** A field of a request: what the ids of its faults begin with, its operation, its path, and what is stated of it. */
export type Site = readonly [subject: string, operation: EndpointId, path: string, requirement: RequirementId];

// biome-ignore format: a table
export const sites = {
  gate:       ['gate-name',       'patch-gate',            'name', 'gate.name'],
  experiment: ['experiment-name', 'update-experiment',     'name', 'experiment.name'],
  metric:     ['metric-name',     'create-metric',         'name', 'metric.name'],
  prompt:     ['prompt-name',     'create-prompt-version', 'name', 'promptVersion.name'],
  promptId:   ['prompt-id',       'create-prompt-version', 'id',   'promptVersion.id'],
} as const satisfies Record<string, Site>;

/** Too lax: values of a field are accepted that break what is stated. `what` is the end of the sentence. */
export const accepts = (
  [subject, operation, path, requirement]: Site,
  id: string,
  what: string,
  when: When,
): FaultRow => [`${subject}-${id}`, operation, requirement, `\`${path}\` ${what}.`, forgives(path, when), 'standard'];

/** Too strict: values of a field are refused that keep what is stated. */
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
