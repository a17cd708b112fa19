import { expect, it } from 'vitest';
import type { Profile, RunEvent } from '../../../contracts/report/journal.ts';
import {
  backendFor,
  createReferenceServer,
  type ReferenceServer,
  referenceTarget,
} from '../../../reference-server/index.ts';
import { describeStore, places } from '../../../reference-server/proof/stores/places.fixture.ts';
import { run } from '../../engine/run.ts';
import { targetOf } from '../../sut/target.ts';
import { inWords } from '../independent/conformance.ts';
import { patientServer } from '../testing/patient-server.ts';
import { testKey } from '../testing/reference-run.ts';
import { inTurns } from './turns.ts';

const profile = (process.env.INSTANCES_PROFILE ?? 'quick') as Profile;

/** Starts one of several instances that get requests in turn. Like separate processes, they share only a database. */
async function instanceAt(place: string, errors: unknown[]) {
  const backend = await backendFor(place);
  const server = createReferenceServer({
    ...patientServer,
    apiKey: testKey,
    backend,
    onError: error => errors.push(error),
  });
  const { url } = await server.listen();
  const close = async (): Promise<void> => {
    await server.close();
    await backend.close();
  };
  return { server, url: new URL(url), close };
}

const stateOf = async ({ store }: ReferenceServer) => JSON.stringify(await store.snapshot());

describeStore(places.shared, make => {
  it(`lets two instances behind one address pass the whole suite (${profile}), races included`, async () => {
    const place = await make();
    const errors: unknown[] = [];
    const instances = [await instanceAt(place, errors), await instanceAt(place, errors)] as const;
    const address = await inTurns(instances.map(({ url }) => url));
    const [{ server: one }, { server: other }] = instances;
    try {
      const events: RunEvent[] = [];
      const target = targetOf(referenceTarget(one.naming), address.url, testKey);
      const before = await stateOf(one);
      await run({ target, profile, timeoutMs: 600_000, settleMs: 0, token: 'instances' }, event => events.push(event));
      const ends = events.filter(event => event.event === 'check-end');
      const accusing = ends.filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict));
      expect(accusing.map(inWords).join('\n')).toBe('');
      expect(errors).toEqual([]);
      expect(events.at(-1)).toMatchObject({ event: 'run-end', outcome: 'complete' });
      expect(ends.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(150);
      expect(await stateOf(other)).toBe(await stateOf(one));
      expect(await stateOf(one)).not.toBe(before);
      await other.reset();
      expect(await stateOf(one)).toBe(before);
    } finally {
      await address.close();
      for (const { close } of instances) await close();
    }
  });
});
