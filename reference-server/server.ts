import { dialectNamed, dialects } from './dialects/index.ts';
import { createEmulator, type EmulatorOptions, type ReferenceServer } from './emulator.ts';
import { faultNamed, faults } from './faults/index.ts';

/** The options of a reference server, all optional. */
export interface ReferenceServerOptions extends Omit<EmulatorOptions, 'catalogue' | 'dialects' | 'faults'> {
  /** Ids of dialects (correct variations); later ones wrap earlier ones. Throws a RangeError for an unknown id. */
  readonly dialects?: readonly string[];
  /** Ids of faults in the catalogue. Throws a RangeError for an unknown id. */
  readonly faults?: readonly string[];
}

/**
 * Creates a server that keeps the contract of the Console Management API. It only listens after `listen`.
 *
 * @example
 * const server = createReferenceServer({ apiKey: 'test' });
 * const { url } = await server.listen();
 * // … use url …
 * await server.close();
 */
export const createReferenceServer = (options: ReferenceServerOptions = {}): ReferenceServer =>
  createEmulator({
    ...options,
    dialects: (options.dialects ?? []).map(dialectNamed),
    faults: (options.faults ?? []).map(faultNamed),
    catalogue: async () => ({ faults, dialects }),
  });
