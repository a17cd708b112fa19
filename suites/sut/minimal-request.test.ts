import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../contracts/json.ts';
import type { TargetFile } from '../../contracts/target.ts';
import { isBlockedRequest, minimalRequest } from './minimal-request.ts';
import { targetOf } from './target.ts';

const nothing = { qualifyingEvents: new Map() };

function requestOf(experiment: NonNullable<NonNullable<TargetFile['fixtures']>['experiments']>[number]) {
  const file: TargetFile = { fixtures: { experiments: [experiment] }, vocabulary: { idTypes: ['userID'] } };
  return minimalRequest(targetOf(file, new URL('http://target.invalid'), 'key'), nothing, 'update-experiment');
}

test.each([
  [
    ['A', 'B'],
    [50, 50],
  ],
  [
    ['A', 'B', 'C'],
    [34, 33, 33],
  ],
  [['All'], [100]],
])('an experiment keeps its groups %o, which share 100 percent', (names, sizes) => {
  const request = requestOf({ id: 'an_experiment', groups: names });
  const groups = ('body' in request ? (request.body?.groups as JsonObject[]) : []) as readonly Record<string, Json>[];
  expect(groups.map(({ name }) => name)).toEqual(names);
  expect(groups.map(({ size }) => size)).toEqual(sizes);
});

test.each([[undefined], [[]]])(
  'an experiment whose groups nobody names (%o) is not updated: they would be lost',
  groups => {
    const request = requestOf({ id: 'an_experiment', ...(groups === undefined ? {} : { groups }) });
    expect(isBlockedRequest(request) && request.remedy).toBe(
      'fixtures.experiments: [{ "id": "an_experiment", "groups": ["Control", "Test"] }]',
    );
  },
);

test('an experiment keeps the status that the target file names', () => {
  const request = requestOf({ id: 'an_experiment', groups: ['A', 'B'], status: 'active' });
  expect('body' in request && request.body?.status).toBe('active');
});
