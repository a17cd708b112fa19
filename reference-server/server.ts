import { dialectNamed, dialects } from './dialects/index.ts';
import { createEmulator, type EmulatorOptions, type ReferenceServer } from './emulator.ts';
import { faultNamed, faults } from './faults/index.ts';

/** The options of a reference server, all of which may be left out. */
export interface ReferenceServerOptions extends Omit<EmulatorOptions, 'catalogue' | 'dialects' | 'faults'> {
  /** Ids of dialects: correct ways to differ, the later around the earlier. An unknown one is a RangeError. */
  readonly dialects?: readonly string[];
  /** Ids of faults from the catalogue that the server is to have; an unknown one is a RangeError. */
  readonly faults?: readonly string[];
}

/**
 * Makes a server that keeps the contract of the Console Management API. Nothing listens until `listen` is called.
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
