import type { ConstrainingKeyword, ObjectSchema, Properties, Schema } from './dialect.ts';

/** Never, for a schema with a keyword outside the dialect. Deeper nodes are checked where they are built. */
type Known<S> = [Exclude<keyof S, ConstrainingKeyword | 'description' | 'annotation'>] extends [never]
  ? S extends { readonly items: infer Items }
    ? Known<Items>
    : unknown
  : never;
type AllKnown<P> = { readonly [Name in keyof P]: Known<P[Name]> };

/** Returns the schema of an object without required members. */
export function object<const P extends Properties>(properties: P & AllKnown<P>) {
  return { type: 'object', properties: properties as P } as const;
}

/** Returns the same schema with a description. */
export function described<const P extends Properties>(description: string, properties: P & AllKnown<P>) {
  return { type: 'object', description, properties: properties as P } as const;
}

/** Returns the same schema with a description and required members. */
export function requiring<const P extends Properties, const Required extends keyof P & string>(
  description: string,
  properties: P & AllKnown<P>,
  required: readonly Required[],
) {
  return { ...described<P>(description, properties), required } as const;
}

/** Returns the schema of an object whose members are all required, in order. */
export function record<const P extends Properties>(properties: P & AllKnown<P>) {
  return recordBut<P, never>([], properties);
}

/** Returns the schema of an object whose members are all required, in order, except those in `optional`. */
export function recordBut<const P extends Properties, Optional extends keyof P & string>(
  optional: readonly Optional[],
  properties: P & AllKnown<P>,
) {
  type Required = Exclude<keyof P & string, Optional>;
  const isRequired = (name: string): name is Required => !optional.some(one => one === name);
  return { ...object<P>(properties), required: Object.keys(properties).filter(isRequired) } as const;
}

/** Returns members that all have one schema. */
export const ofEach = <const Name extends string, const S extends Schema>(names: readonly Name[], schema: S) =>
  Object.fromEntries(names.map(name => [name, schema])) as Readonly<Record<Name, S>>;

/** Returns the schema of an array whose items all match one schema. */
export function list<const S extends Schema>(items: S & Known<S>) {
  return { type: 'array', items: items as S } as const;
}

/** Returns the same schema of an object, without other members. */
export function closed<const S extends ObjectSchema>(schema: S) {
  return { ...schema, additionalProperties: false } as const;
}
