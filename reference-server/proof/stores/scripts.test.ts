import { it, onTestFinished } from 'vitest';
import { meetsModel } from '../../behaviours/scripts.fixture.ts';
import { backendFor } from '../../store/backends.ts';
import { started } from '../testing/started.ts';
import { describeStore, places } from './places.fixture.ts';

const rounds = Number(process.env.SCRIPTS ?? 5);

// A folder has one process; a database is shared by instances that know nothing of each other.
for (const [place, instances] of [
  [places.folder, 1],
  [places.shared, 2],
] as const)
  describeStore(place, make => {
    it(`spends no step of ${rounds} scripts twice, with eight clients at once at two servers`, {
      timeout: 600_000,
    }, async () => {
      const address = await make();
      const one = await backendFor(address);
      onTestFinished(one.close);
      const other = instances === 1 ? one : await backendFor(address);
      if (other !== one) onTestFinished(other.close);
      await meetsModel(
        await started({ backend: one }, onTestFinished),
        await started({ backend: other }, onTestFinished),
        rounds,
      );
    });
  });
