import type { Meaning } from '../dialect.ts';

/**
 * The meanings that many request fields share. What must name something that exists is a reference: a target may refuse an unknown
 * unit type or team without breaking the specification.
 */

export const sentence = { flavour: 'sentence' } as const satisfies Meaning;
export const words = { flavour: 'words' } as const satisfies Meaning;
export const displayName = { flavour: 'name' } as const satisfies Meaning;
export const slug = { flavour: 'slug' } as const satisfies Meaning;
export const guarded = { semantics: 'guarded' } as const satisfies Meaning;

export const idType = { semantics: 'reference', refersTo: 'idType' } as const satisfies Meaning;
export const gateReference = { semantics: 'reference', refersTo: 'gate' } as const satisfies Meaning;
export const metricName = { semantics: 'reference', refersTo: 'metric' } as const satisfies Meaning;
export const eventName = { semantics: 'reference', refersTo: 'event' } as const satisfies Meaning;
export const groupReference = { semantics: 'reference', refersTo: 'group' } as const satisfies Meaning;
export const user = { semantics: 'reference', refersTo: 'user' } as const satisfies Meaning;
export const email = { semantics: 'reference', refersTo: 'email' } as const satisfies Meaning;
export const app = { semantics: 'reference', refersTo: 'app' } as const satisfies Meaning;
export const environment = { semantics: 'reference', refersTo: 'environment' } as const satisfies Meaning;
export const model = { semantics: 'reference', refersTo: 'model' } as const satisfies Meaning;
export const provider = { semantics: 'reference', refersTo: 'provider' } as const satisfies Meaning;
/** A column of the query that is sent beside it. */
export const column = { semantics: 'reference', refersTo: 'column' } as const satisfies Meaning;

/** Enterprise only, and the team has to exist. */
export const team = { semantics: 'reference', refersTo: 'team', capability: 'enterprise' } as const satisfies Meaning;
export const warehouse = { semantics: 'capability', capability: 'warehouse-native' } as const satisfies Meaning;

export const bayesian = { beside: ['analyticsType=bayesian'] } as const satisfies Meaning;
