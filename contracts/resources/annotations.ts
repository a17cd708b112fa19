import type { Annotation, ReferenceKind } from '../dialect.ts';

/**
 * Annotations that several request fields share. A field that must name something that exists is a reference: a target
 * may refuse an unknown unit type or team without breaking the specification.
 */

export const sentence = { formatHint: 'sentence' } as const satisfies Annotation;
export const words = { formatHint: 'words' } as const satisfies Annotation;
export const displayName = { formatHint: 'name' } as const satisfies Annotation;
/** A name for a new entity: it may have to be unique, so each request has its own. */
export const newName = { formatHint: 'name', creates: true } as const satisfies Annotation;
export const slug = { formatHint: 'slug' } as const satisfies Annotation;
/** A target may refuse the value for a reason that no table states. */
export const uncertain = { uncertain: true } as const satisfies Annotation;
export const guarded = { semantics: 'guarded' } as const satisfies Annotation;

/** Annotates a field that names something that exists; a column is one of the query in the same body. */
export const reference = <const Kind extends ReferenceKind>(refersTo: Kind) =>
  ({ semantics: 'reference', refersTo }) as const;

export const metricName = reference('metric');
/** A metric in a list whose items the specification does not show: they may gain members. */
export const shownMetric = { ...metricName, compare: 'members' } as const satisfies Annotation;

/** Enterprise only, and the team must exist; here by its name, below by its id. */
export const team = { ...reference('team'), capability: 'enterprise' } as const satisfies Annotation;
export const teamID = { ...team, refersTo: 'teamID' } as const satisfies Annotation;
export const warehouse = { semantics: 'capability', capability: 'warehouse-native' } as const satisfies Annotation;

export const bayesian = { beside: ['analyticsType=bayesian'] } as const satisfies Annotation;
