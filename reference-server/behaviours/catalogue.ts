import type { Variation } from '../decorators/layers.ts';

/**
 * A dialect, as far as switching matters. If any of the last three members is present, it is fixed at the start of the
 * server.
 */
export interface SwitchedDialect extends Variation {
  readonly section: string;
  readonly naming?: unknown;
  readonly apiKey?: unknown;
  readonly holds?: unknown;
}

/** Loads the catalogue, which is large and which most servers never need. */
export type CatalogueSource = () => Promise<Catalogue>;

/** The faults and dialects that behaviours can switch while the server runs. */
export interface Catalogue {
  readonly faults: readonly (Variation & { readonly requirement: string })[];
  readonly dialects: readonly SwitchedDialect[];
}
