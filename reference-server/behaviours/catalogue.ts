import type { Variation } from '../decorators/layers.ts';

/** A dialect, as far as switching it matters: what is given of the last three is settled when the server starts. */
export interface SwitchedDialect extends Variation {
  readonly section: string;
  readonly naming?: unknown;
  readonly apiKey?: unknown;
  readonly holds?: unknown;
}

/** How the catalogue is come by: it is large, and most servers never need it. */
export type CatalogueSource = () => Promise<Catalogue>;

/** The ways to differ that a server knows, which behaviours switch while it runs. */
export interface Catalogue {
  readonly faults: readonly (Variation & { readonly requirement: string })[];
  readonly dialects: readonly SwitchedDialect[];
}
