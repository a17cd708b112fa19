import { expect, test } from 'vitest';
import type { EndpointId } from '../../../contracts/endpoints.ts';
import { nearestOperation } from './paths.ts';

// biome-ignore format: a table
test.each<readonly [method: string, path: string, nearest: EndpointId]>([
  ['PATCH', '/console/v1/gate/a',                      'patch-gate'],
  ['PUT',   '/console/v1/gates/a/disabled',            'disable-gate'],
  ['PATCH', '/v1/gates/a',                             'patch-gate'],
  ['GET',   '/console//v1/events/a/metrics',           'list-event-metrics'],
  ['GET',   '/console/v1/segments/',                   'list-segments'],
  ['GET',   '/console/v1/event/page_view/metrics',     'list-event-metrics'],
  ['POST',  '/console/v1/metric',                      'create-metric'],
  ['POST',  '/console/v2/prompts/a/versions',          'create-prompt-version'],
  ['PUT',   '/console/v1/dynamic_configs/a/archived',  'archive-config'],
])('the operation nearest to %s %s is %s', (method, path, nearest) => {
  expect(nearestOperation(method, path)).toBe(nearest);
});
