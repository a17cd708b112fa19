import type { Annotation } from '../dialect.ts';

/**
 * The annotations that several request fields share. A field that must name something that exists is a reference: a
 * target may refuse an unknown unit type or team without breaking the specification.
 */

export const sentence = { formatHint: 'sentence' } as const satisfies Annotation;
export const words = { formatHint: 'words' } as const satisfies Annotation;
export const displayName = { formatHint: 'name' } as const satisfies Annotation;
/** A name that the request gives: it may have to be the only one of its kind, so each request has its own. */
export const newName = { formatHint: 'name', creates: true } as const satisfies Annotation;
export const slug = { formatHint: 'slug' } as const satisfies Annotation;
/** A target may refuse it for a reason that no table states. */
export const uncertain = { uncertain: true } as const satisfies Annotation;
export const guarded = { semantics: 'guarded' } as const satisfies Annotation;

export const idType = { semantics: 'reference', refersTo: 'idType' } as const satisfies Annotation;
export const gateReference = { semantics: 'reference', refersTo: 'gate' } as const satisfies Annotation;
export const metricName = { semantics: 'reference', refersTo: 'metric' } as const satisfies Annotation;
export const eventName = { semantics: 'reference', refersTo: 'event' } as const satisfies Annotation;
export const groupReference = { semantics: 'reference', refersTo: 'group' } as const satisfies Annotation;
export const groupKey = { semantics: 'reference', refersTo: 'groupKey' } as const satisfies Annotation;
export const groupName = { semantics: 'reference', refersTo: 'groupName' } as const satisfies Annotation;
export const user = { semantics: 'reference', refersTo: 'user' } as const satisfies Annotation;
export const email = { semantics: 'reference', refersTo: 'email' } as const satisfies Annotation;
export const app = { semantics: 'reference', refersTo: 'app' } as const satisfies Annotation;
export const environment = { semantics: 'reference', refersTo: 'environment' } as const satisfies Annotation;
export const model = { semantics: 'reference', refersTo: 'model' } as const satisfies Annotation;
export const provider = { semantics: 'reference', refersTo: 'provider' } as const satisfies Annotation;
/** A column of the query in the same body. */
export const column = { semantics: 'reference', refersTo: 'column' } as const satisfies Annotation;

/** Enterprise only, and the team has to exist: by its name, and by its id. */
export const team = {
  semantics: 'reference',
  refersTo: 'team',
  capability: 'enterprise',
} as const satisfies Annotation;
export const teamID = { ...team, refersTo: 'teamID' } as const satisfies Annotation;
export const warehouse = { semantics: 'capability', capability: 'warehouse-native' } as const satisfies Annotation;

export const bayesian = { beside: ['analyticsType=bayesian'] } as const satisfies Annotation;
