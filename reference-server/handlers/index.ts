import type { EndpointId } from '../../contracts/endpoint.ts';
import type { Handler } from '../api/request.ts';
import { archiveConfig } from './archive-config.ts';
import { createMetric } from './create-metric.ts';
import { createPromptVersion } from './create-prompt-version.ts';
import { disableConfig } from './disable-config.ts';
import { disableGate } from './disable-gate.ts';
import { enableGroups } from './enable-groups.ts';
import { listConfigVersions } from './list-config-versions.ts';
import { listEventMetrics } from './list-event-metrics.ts';
import { listEvents } from './list-events.ts';
import { listQualifyingEvents } from './list-qualifying-events.ts';
import { listSegments } from './list-segments.ts';
import { patchGate } from './patch-gate.ts';
import { updateEnvironments } from './update-environments.ts';
import { updateExperiment } from './update-experiment.ts';
import { updateQualifyingEvent } from './update-qualifying-event.ts';

/** The work of each of the fifteen operations, after key check and validation. */
// biome-ignore format: a table
export const handlers: Readonly<Record<EndpointId, Handler>> = {
  'update-environments':     updateEnvironments,
  'list-config-versions':    listConfigVersions,
  'update-qualifying-event': updateQualifyingEvent,
  'update-experiment':       updateExperiment,
  'disable-config':          disableConfig,
  'patch-gate':              patchGate,
  'disable-gate':            disableGate,
  'enable-groups':           enableGroups,
  'create-metric':           createMetric,
  'archive-config':          archiveConfig,
  'list-qualifying-events':  listQualifyingEvents,
  'list-segments':           listSegments,
  'create-prompt-version':   createPromptVersion,
  'list-event-metrics':      listEventMetrics,
  'list-events':             listEvents,
};
