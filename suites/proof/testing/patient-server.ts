import type { ReferenceServerOptions } from '../../../reference-server/index.ts';

/** Milliseconds: longer than any test takes. */
const long = 600_000;

/**
 * Time limits of a reference server for its clients, for tests that share a process with it: where the machine is slow,
 * a request that the suite holds back until its companions are there too would be told that it took too long (408).
 */
export const patientServer = {
  headersTimeout: long,
  requestTimeout: long,
  keepAliveTimeout: long,
  idleTimeout: long,
} as const satisfies Partial<ReferenceServerOptions>;
