import { expect, test } from 'vitest';
import { onePage } from '../proof/testing/answers.ts';
import { recordedRun } from '../proof/testing/reference-run.ts';

test.each([
  [
    'list-event-metrics',
    /\/events\/[^/]+\/metrics/,
    /^add a metric that GET \/console\/v1\/events\/page_view\/metrics lists, or name another fixture under fixtures\.events/,
  ],
  ['list-segments', /\/segments/, /^add a segment that GET \/console\/v1\/segments lists$/],
])('where the list of %s is empty, what helps is said in words that name the entity', async (endpoint, path, words) => {
  const { checks } = await recordedRun({
    only: [endpoint],
    server: {
      decorateListener: inner => (request, response) => {
        if (request.method !== 'GET' || !path.test(request.url ?? '')) inner(request, response);
        else response.setHeader('content-type', 'application/json').end(JSON.stringify(onePage([])));
      },
    },
  });
  const ends = [...checks.values()].filter(({ because }) => because === 'the list shows no item that it could judge');
  expect(ends.length).toBeGreaterThan(0);
  for (const { remedy } of ends) expect(remedy).toMatch(words);
});

test('an answer that shows nothing of what a check judges is told by the requirements, and by no check that passed', async () => {
  const { checks } = await recordedRun({
    only: ['enable-groups'],
    server: {
      decorateListener: inner => (request, response) => {
        if (!/enable_groups$/.test(request.url ?? '')) inner(request, response);
        else response.setHeader('content-type', 'application/json').end('{"message":"Enabled.","data":{}}');
      },
    },
  });
  expect(checks.get('enable-groups/table-notes')).toMatchObject({
    verdict: 'untested',
    because: 'no answer of this endpoint shows what it judges (meaning.quality-weights)',
  });
  expect(checks.get('enable-groups/table-notes')).not.toHaveProperty('blockedBy');
});
