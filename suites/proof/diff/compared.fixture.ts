import type { EndpointId } from '../../../contracts/endpoints.ts';
import {
  createReferenceServer,
  type ReferenceServerOptions,
  referenceTarget,
} from '../../../reference-server/index.ts';
import { diff } from '../../diff/index.ts';
import type { DiffOptions, DiffOutcome } from '../../diff/run.ts';
import { targetOf } from '../../sut/target.ts';
import { patientServer } from '../testing/patient-server.ts';
import { testKey } from '../testing/reference-run.ts';

/** Two reference servers to compare, and the options of the comparison. */
export interface ComparedSetting {
  readonly a?: ReferenceServerOptions;
  readonly b?: ReferenceServerOptions;
  readonly only?: readonly EndpointId[];
  readonly run?: Partial<DiffOptions['run']>;
  readonly noiseRuns?: number;
  readonly sameStart?: boolean;
}

/** The fixed time of the servers' clocks, in milliseconds since 1970. */
const testTime = 1_760_000_000_000;

/** Compares two reference servers, in process and over real sockets. */
export async function compared({
  a,
  b,
  only,
  run,
  noiseRuns = 1,
  sameStart = true,
}: ComparedSetting): Promise<DiffOutcome> {
  const servers = [a, b].map(options =>
    createReferenceServer({ ...patientServer, apiKey: testKey, now: () => testTime, ...options }),
  );
  try {
    const [one, other] = await Promise.all(
      servers.map(async server => {
        const { url } = await server.listen();
        return { target: targetOf(referenceTarget(server.naming), new URL(url), server.apiKey), emit: () => undefined };
      }),
    );
    if (one === undefined || other === undefined) throw new Error('there are two servers');
    return await diff({
      a: one,
      b: other,
      run: { profile: 'quick', settleMs: 0, timeoutMs: 600_000, selection: { only: only ?? [], skip: [] }, ...run },
      noiseRuns,
      sameStart,
    });
  } finally {
    await Promise.all(servers.map(server => server.close()));
  }
}
