import { expect, test } from 'vitest';
import type { EndpointId } from '../../contracts/endpoints.ts';
import { isReading } from './answer.ts';

test.each<[EndpointId, boolean]>([
  ['patch-gate', true],
  ['list-segments', true],
  ['archive-config', false],
  ['update-experiment', false],
  ['create-metric', false],
])('an empty body of %s is a reading: %s', (endpoint, expected) => {
  expect(isReading({ endpoint, body: {} })).toBe(expected);
});

test('a patch with a member is no reading', () => {
  expect(isReading({ endpoint: 'patch-gate', body: { tags: [] } })).toBe(false);
});
