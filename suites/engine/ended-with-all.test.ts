import { expect, test } from 'vitest';
import type { ReferenceServerOptions } from '../../reference-server/index.ts';
import { recordedRun } from '../proof/testing/reference-run.ts';

/** Disables other configs with the first that is disabled: as many as `most`, each once, in a new version. */
const endsOthers = (most: number): ReferenceServerOptions => ({
  decorateOperation: (id, handler) => async (request, store, settings) => {
    const answer = await handler(request, store, settings);
    if (id !== 'disable-config' || answer.status !== 200) return answer;
    await store.transaction(async transaction => {
      const all = await transaction.list('configs');
      for (const other of all.filter(one => one.id !== request.param).slice(0, most)) {
        const [newest] = other.versions;
        if (newest === undefined || newest.isEnabled === false) continue;
        const versions = [{ ...newest, version: newest.version + 1, isEnabled: false }, ...other.versions];
        await transaction.put('configs', other.id, { ...other, versions });
      }
    });
    return answer;
  },
});

test.each([
  ['all others at once', Number.POSITIVE_INFINITY, ['warn', 'state.neighbours']],
  ['one other, as somebody else may', 1, ['pass']],
])('a disabling that ends %s', async (_what, most, ended) => {
  const { checks } = await recordedRun({
    server: endsOthers(most),
    run: { profile: 'standard' },
    only: ['disable-config/*', 'list-config-versions/*'],
  });
  const { verdict, findings = [] } = checks.get('disable-config/ended-configs') ?? {};
  expect([verdict, ...findings.map(({ requirement }) => requirement)]).toEqual(ended);
});
