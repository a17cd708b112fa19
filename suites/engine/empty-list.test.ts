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
