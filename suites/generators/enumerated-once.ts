import type { ObjectSchema, ReferenceKind } from '../../contracts/dialect.ts';
import type { JsonObject } from '../../contracts/json.ts';
import { lastResults, memoized } from '../../contracts/memoized.ts';
import { capabilities as features } from '../../contracts/target.ts';
import type { TargetCapabilities } from '../protocol/sut.ts';
import { references } from './references.ts';

/** Makes something of a schema, a template (the minimal request) and what a target declares. */
type Enumerator<T> = (schema: ObjectSchema, template: JsonObject, capabilities: TargetCapabilities) => T;

/** Maximum number of results that are remembered of a schema: a long run draws many templates. */
const mostResults = 8;

const kinds = Object.keys(references) as ReferenceKind[];

/**
 * Returns everything that a target tells about a schema, as a text. It is asked once, because a target does not change.
 */
const told = memoized((target: TargetCapabilities) =>
  memoized((schema: ObjectSchema) => {
    const words = kinds.map(kind => [target.references(kind), target.learned?.(kind)]);
    const withheld = Object.keys(schema.properties ?? {}).map(field => target.withheld?.(field));
    return { text: JSON.stringify([words, features.map(feature => target.has(feature)), withheld]) };
  }),
);

/**
 * Returns a function that reuses its results. Several checks ask for the cases of one template, and successive runs in
 * one process for those of equal targets. Templates and targets are compared by content. The last results of each
 * schema are remembered.
 */
export function enumeratedOnce<T>(enumerate: Enumerator<T>): Enumerator<T> {
  const known = memoized((_: ObjectSchema) => lastResults<T>(mostResults));
  return (schema, template, capabilities) => {
    const key = `${JSON.stringify(template)} ${told(capabilities)(schema).text}`;
    return known(schema)(key, () => enumerate(schema, template, capabilities));
  };
}
