import type { ReferenceServerOptions } from '../../../reference-server/index.ts';

/** Milliseconds: longer than any test takes. */
const long = 600_000;

/**
 * Time limits of a reference server that shares the process of a test. Otherwise, on a slow machine, requests that the
 * suite holds back for others would be answered with 408.
 */
export const patientServer = {
  headersTimeout: long,
  requestTimeout: long,
  keepAliveTimeout: long,
  idleTimeout: long,
} as const satisfies Partial<ReferenceServerOptions>;
