import { type EndpointId, endpointIds } from '../endpoint.ts';

/** Sets of endpoints that requirements bind together. */

/** Section 4: the operations that answer with an array and `pagination`. */
export const lists = [
  'list-config-versions',
  'list-qualifying-events',
  'list-segments',
  'list-event-metrics',
  'list-events',
] as const satisfies readonly EndpointId[];

/** Sections 4.11 and 4.12: the lists whose `limit` and `page` are stated. */
export const statedPaging = ['list-qualifying-events', 'list-segments'] as const satisfies readonly EndpointId[];

/** The lists whose paging is known through the links alone. */
export const linkedPaging = [
  'list-config-versions',
  'list-event-metrics',
  'list-events',
] as const satisfies readonly EndpointId[];

/** The operations that take a body. */
export const withBody = [
  'update-environments',
  'update-qualifying-event',
  'update-experiment',
  'patch-gate',
  'enable-groups',
  'create-metric',
  'archive-config',
  'create-prompt-version',
] as const satisfies readonly EndpointId[];

/** The operations whose answer shows fields of their own body. */
export const echoing = [
  'update-environments',
  'update-qualifying-event',
  'update-experiment',
  'patch-gate',
  'create-metric',
  'create-prompt-version',
] as const satisfies readonly EndpointId[];

/** The operations that change something. */
export const writes = [...withBody, 'disable-config', 'disable-gate'] as const satisfies readonly EndpointId[];

/** The operations whose body states a constraint or a required field. */
export const constrained = [
  'update-qualifying-event',
  'update-experiment',
  'patch-gate',
  'enable-groups',
  'create-metric',
  'create-prompt-version',
] as const satisfies readonly EndpointId[];

/** The operations that answer with an experiment. */
export const experiments = ['update-experiment', 'enable-groups'] as const satisfies readonly EndpointId[];

/** The operations that answer with a gate. */
export const gates = ['patch-gate', 'disable-gate'] as const satisfies readonly EndpointId[];

/** The operations that answer with a dynamic config. */
export const configs = ['disable-config', 'archive-config'] as const satisfies readonly EndpointId[];

/** The operations whose answer has fields that must be there: all but the creation of a prompt version, whose id is free. */
export const withIdentity: readonly EndpointId[] = endpointIds.filter(id => id !== 'create-prompt-version');
