import type { EndpointId } from '../../contracts/endpoints.ts';
import { entityNamed } from '../api/references.ts';
import type { Handler } from '../api/request.ts';
import { listed } from '../api/success.ts';
import { configHandlers } from './configs.ts';
import { environmentHandlers } from './environments.ts';
import { experimentHandlers } from './experiments.ts';
import { gateHandlers } from './gates.ts';
import { metricHandlers } from './metrics.ts';
import { promptHandlers } from './prompts.ts';
import { qualifyingEventHandlers } from './qualifying-events.ts';

/**
 * The work of each operation, after key check and validation. A new operation is an entry in the file of its resource.
 */
export const handlers: Readonly<Record<EndpointId, Handler>> = {
  ...environmentHandlers,
  ...configHandlers,
  ...qualifyingEventHandlers,
  ...experimentHandlers,
  ...gateHandlers,
  ...metricHandlers,
  ...promptHandlers,

  /** Section 4.12. */
  'list-segments': async (request, store) => listed(request, await store.list('segments')),

  /** Section 4.15: what was logged of one event, in the order of logging. */
  'list-events': async (request, store) => listed(request, (await entityNamed(store, 'events', request)).records),
};
