import { expect, test } from 'vitest';
import { membersOf } from '../../contracts/json.ts';
import { findingsOf } from '../proof/kill-matrix/detection.fixture.ts';
import { recordedRun } from '../proof/testing/reference-run.ts';

test('what only the control of a broken request shows is a violation', async () => {
  const record = await recordedRun({
    only: ['update-experiment/rejects', 'update-experiment/echo'],
    run: { profile: 'standard' },
    server: {
      decorate: (id, handler) => async (request, store, settings) => {
        const response = await handler(request, store, settings);
        const body = membersOf(response.body);
        const data = membersOf(body.data);
        if (id !== 'update-experiment' || !Array.isArray(data.cureCovariates)) return response;
        return {
          ...response,
          body: { ...body, data: { ...data, cureCovariates: data.cureCovariates.slice(0, 1) } },
        };
      },
    },
  });
  const told = findingsOf(record).filter(({ pointer }) => pointer.startsWith('/data/cureCovariates'));
  expect(told.map(({ requirement, level, seen }) => [requirement, level, seen])).toEqual([
    ['echo.sent-field', 'MUST', { times: 3, of: 3 }],
  ]);
});
