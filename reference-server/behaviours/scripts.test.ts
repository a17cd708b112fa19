import { onTestFinished, test } from 'vitest';
import { started } from '../proof/testing/started.ts';
import { createMemoryBackend } from '../store/memory.ts';
import { meetsModel } from './scripts.fixture.ts';

test('eight clients at once, at two servers of one store, meet what a small model says of 200 scripts', async () => {
  const backend = createMemoryBackend();
  const [one, other] = [await started({ backend }, onTestFinished), await started({ backend }, onTestFinished)];
  await meetsModel(one, other, 200);
});
