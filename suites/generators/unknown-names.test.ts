import { expect, test } from 'vitest';
import { endpoints } from '../../contracts/endpoints.ts';
import type { TargetCapabilities } from '../protocol/sut.ts';
import { unknownNames } from './unknown-names.ts';

const capabilities = (...has: readonly string[]): TargetCapabilities => ({
  has: name => has.includes(name),
  references: () => [],
});
const word = (kind: string | undefined) => `no ${kind}`;

test('each reference of a patch names nothing, alone, in the form of its field', () => {
  const found = unknownNames(endpoints['patch-gate'].body, {}, capabilities(), word);
  expect(found.map(({ body }) => body)).toEqual([
    { idType: 'no idType' },
    { creatorID: 'no user' },
    { creatorEmail: 'no email' },
    { monitoringMetrics: [{ name: 'no metric' }] },
    { targetApps: 'no app' },
    { releasePipelineID: 'no pipeline' },
  ]);
});

test('what the template holds stays beside the name, and a capability that is declared has its fields', () => {
  const template = { name: 'a', type: 'event_user', metricEvents: [{ name: 'page_view', type: 'count' }] };
  const found = unknownNames(endpoints['create-metric'].body, template, capabilities('enterprise'), word);
  expect(found.map(({ field }) => field)).toEqual(expect.arrayContaining(['unitTypes', 'metricEvents', 'team']));
  expect(found.find(({ field }) => field === 'metricEvents')?.body).toEqual({
    ...template,
    metricEvents: [{ name: 'no event', type: 'count' }],
  });
  const none = unknownNames(endpoints['create-metric'].body, template, capabilities(), word);
  expect(none.map(({ field }) => field)).not.toContain('team');
});
