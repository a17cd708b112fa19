import type { ObjectSchema, ReferenceKind } from '../../contracts/dialect.ts';
import type { JsonObject } from '../../contracts/json.ts';
import { lastResults, memoized } from '../../contracts/memoized.ts';
import { capabilities as features } from '../../contracts/target.ts';
import type { TargetCapabilities } from '../protocol/sut.ts';
import { references } from './references.ts';

/** Makes something of a schema, a template (the smallest sensible request) and what a target declares. */
type Enumerator<T> = (schema: ObjectSchema, template: JsonObject, capabilities: TargetCapabilities) => T;

/** So many results of a schema are remembered: drawn templates are as many as a run is long. */
const mostResults = 8;

const kinds = Object.keys(references) as ReferenceKind[];

/** All that a target tells to who makes something for a schema. It is asked once, as a target does not change. */
const told = memoized((target: TargetCapabilities) =>
  memoized((schema: ObjectSchema) => {
    const words = kinds.map(kind => [target.references(kind), target.learned?.(kind)]);
    const withheld = Object.keys(schema.properties ?? {}).map(field => target.withheld?.(field));
    return { text: JSON.stringify([words, features.map(feature => target.has(feature)), withheld]) };
  }),
);

/**
 * Returns a function that makes the same of the same: several checks ask for the cases of one template, and one run after
 * another in the same process asks for those of targets that are alike. Templates and targets are compared by what they
 * hold; of each schema the results that were asked for last are remembered.
 */
export function enumeratedOnce<T>(enumerate: Enumerator<T>): Enumerator<T> {
  const known = memoized((_: ObjectSchema) => lastResults<T>(mostResults));
  return (schema, template, capabilities) => {
    const key = `${JSON.stringify(template)} ${told(capabilities)(schema).text}`;
    return known(schema)(key, () => enumerate(schema, template, capabilities));
  };
}
