/**
 * The closed JSON Schema dialect of this project.
 *
 * A contract is a JSON Schema (draft 2020-12) written as `{…} as const satisfies Schema`, or by a function of
 * `object.ts`. `Schema` has only the keywords that the generators, the mutators, the validators and the emitters all
 * handle. Any other keyword does not compile. A test catches what types cannot: a `required` without its property, an
 * invalid pattern.
 */

/** How freely the suite may choose the value of a request field. Absent: `plain`. */
type Semantics =
  /** Any value of the schema will do. */
  | 'plain'
  /** Must name something that exists at the target. Drawn only from fixtures and vocabulary, otherwise left out. */
  | 'reference'
  /** Needs a feature of the target; sent only if the target declares it. */
  | 'capability'
  /** A state, a permission or a destructive value; sent only by a check dedicated to it. */
  | 'guarded';

/** The vocabulary list or the fixtures of the target that a `reference` field names. */
export type ReferenceKind =
  | 'idType'
  | 'gate'
  | 'metric'
  | 'event'
  /** A group of an experiment, by id, by key and by name. */
  | 'group'
  | 'groupKey'
  | 'groupName'
  /** A group of people who review changes (environments). */
  | 'reviewGroup'
  | 'user'
  | 'email'
  /** A team, by name and by id. */
  | 'team'
  | 'teamID'
  | 'app'
  | 'pipeline'
  | 'environment'
  | 'model'
  | 'provider'
  | 'metricSource'
  | 'assignmentSource'
  | 'assignmentExperiment'
  | 'identitySource'
  | 'column'
  | 'layer';

/** Features that not every target has (`capabilities` of the target file). */
export type Capability = 'warehouse-native' | 'enterprise' | 'skip-validation';

/** The kind of realistic examples for a field. */
// biome-ignore format: a list
export type FormatHint =
  | 'sentence' | 'words' | 'name' | 'tag' | 'url' | 'email' | 'sql' | 'column' | 'iso-date-time' | 'digits'
  | 'header-name' | 'slug'
  /** Experiment groups: distinct names, sizes that add up to 100. */
  | 'groups'
  /** Milliseconds since 1970. */
  | 'timestamp';

/** How a sent value is compared with the returned one. Absent: exactly, member by member. */
type Comparison =
  /** Order, duplicates and letter case may differ (SHOULD only). */
  | 'tags'
  /** The same elements in any order; another order is a SHOULD only. */
  | 'unordered'
  /** Any rendering that loses nothing (gate `targetApps`: a text or a list). */
  | 'faithful'
  /**
   * Only the sent members, at every depth, except ids and timestamps, because the specification does not show the
   * value's structure.
   */
  | 'members'
  /** Of two answers, only the members that both carry: some operations show less of it. */
  | 'shared'
  /** Not expected back: merged, renormalised, or only for requests. */
  | 'never';

/** The properties of a field that JSON Schema cannot express. Emitted as `x-annotation`. */
export interface Annotation {
  readonly semantics?: Semantics;
  readonly refersTo?: ReferenceKind;
  readonly capability?: Capability;
  readonly formatHint?: FormatHint;
  /** Sensible values for a schema without bounds, the most ordinary first. */
  readonly examples?: readonly unknown[];
  /** Ordinary values beyond the examples that the specification does not mention. A target may refuse them. */
  readonly furtherExamples?: readonly unknown[];
  /**
   * Fields on which this one depends, so that it is sent only with them: dotted from the root of the body, as `name` or
   * `name=value`. Two fields may name each other.
   */
  readonly beside?: readonly string[];
  /** For a member of an object: the member beside it without which it means nothing, as `name=value`. */
  readonly sibling?: string;
  /** Other fields of the body that a service may change because of this one, at once or by and by. */
  readonly opens?: readonly string[];
  /** For a list of names: other fields of the body whose names it holds as well, as `field` or `list.member`. */
  readonly covers?: readonly string[];
  /** For an enum: the fields on which single values depend, in the form of `beside`. */
  readonly valueNeeds?: Readonly<Record<string, readonly string[]>>;
  /**
   * A target may refuse it for unstated reasons, such as settings that must agree or a state that must match. Accepting
   * it is therefore a SHOULD: for every value, or only for those named.
   */
  readonly uncertain?: true | readonly unknown[];
  /** May be refused at every value: sent without other optional fields, and judged beside an accepted value. */
  readonly alone?: true;
  /** For an enum in requests: further values that answers show but no request may carry. */
  readonly shownOnly?: readonly unknown[];
  /** Values of a plain field that only a dedicated check sends, because their effect may lock the entity. */
  readonly guardedValues?: readonly unknown[];
  /** For a required member: the level of refusing a request without it, if the specification states only a shape. */
  readonly missed?: 'SHOULD' | 'OPEN';
  /** For a list: more items than this are uncertain. */
  readonly certainItems?: number;
  /** For a list: two items may name the same thing, as a column has several conditions. */
  readonly repeatable?: true;
  /** For a list of objects of the template: only the first item that matches `name=value` is varied. */
  readonly varies?: string;
  /** For a reference: the field of the body whose value it must not equal. */
  readonly differsFrom?: string;
  /** Names what the request creates. The text carries the token of the run, so that creations never collide. */
  readonly creates?: true;
  /** For a member of list items: all items get the same, because a service may demand equal keys. */
  readonly alike?: true;
  readonly compare?: Comparison;
  /** What null means, if a section states it: an answer may show that instead, and null instead of it. */
  readonly nullMeans?: readonly Scalar[];
}

interface Annotated {
  readonly description?: string;
  readonly annotation?: Annotation;
}

/** A scalar allowed in `enum` or `const`. */
export type Scalar = string | number | boolean | null;

/** The keywords that bound a value beyond its type. */
// biome-ignore format: one kind a line
export const boundingKeywords = [
  'enum', 'const',
  'minLength', 'maxLength', 'pattern',
  'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum',
  'minItems', 'maxItems',
] as const;

/** Every keyword of the dialect that constrains a value. Tests run the mutators over this list. */
// biome-ignore format: one line
export const constrainingKeywords = [
  'type', ...boundingKeywords, 'anyOf', 'items', 'properties', 'required', 'additionalProperties', 'allOf',
] as const;

/** A keyword that constrains a value. */
export type ConstrainingKeyword = (typeof constrainingKeywords)[number];

/** Forbids all constraining keywords except those of the node's kind. */
type Only<Allowed extends ConstrainingKeyword> = Annotated & {
  readonly [Keyword in Exclude<ConstrainingKeyword | 'format', Allowed>]?: never;
};

/** Any JSON value: the specification gives no type. */
export interface AnySchema extends Only<never> {}

/** One of a closed set of scalars, including `null` where it is documented. */
export interface EnumSchema extends Only<'enum'> {
  readonly enum: readonly [Scalar, ...Scalar[]];
}

/** Exactly one scalar. */
export interface ConstSchema extends Only<'const'> {
  readonly const: Scalar;
}

/** Any of several schemas. */
export interface UnionSchema extends Only<'anyOf'> {
  readonly anyOf: readonly [Schema, Schema, ...Schema[]];
}

/** A type, or that type or null where the specification documents null. */
type Typed<T extends string> = T | readonly [T, 'null'];

/** A string; lengths count code points, as JSON Schema does. */
export interface StringSchema extends Only<'type' | 'minLength' | 'maxLength' | 'pattern'> {
  readonly type: Typed<'string'>;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** An ECMAScript pattern, read with the `u` flag. Only `^[class]*$` and `^[class]+$` can be generated. */
  readonly pattern?: string;
}

/** A number, or an integer. */
export interface NumberSchema extends Only<'type' | 'minimum' | 'maximum' | 'exclusiveMinimum' | 'exclusiveMaximum'> {
  readonly type: Typed<'number'> | Typed<'integer'>;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
}

/** A boolean. */
interface BooleanSchema extends Only<'type'> {
  readonly type: Typed<'boolean'>;
}

/** Null alone. */
interface NullSchema extends Only<'type'> {
  readonly type: 'null';
}

/** An array whose items all match one schema; any values if `items` is absent. */
export interface ArraySchema extends Only<'type' | 'items' | 'minItems' | 'maxItems'> {
  readonly type: Typed<'array'>;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** The members of an object, by name. */
export interface Properties {
  readonly [name: string]: Schema;
}

/**
 * A condition. If the member that `if` names has its constant, the members of `then.required` are also required. The
 * schemas of `then.properties` then *replace* those of the same members by narrower ones.
 */
export interface Conditional {
  readonly if: {
    readonly properties: { readonly [name: string]: { readonly const: Scalar } };
    readonly required: readonly [string];
  };
  readonly then: { readonly properties?: Properties; readonly required?: readonly string[] };
}

/** An object. Other members are allowed unless `additionalProperties` says otherwise. */
export interface ObjectSchema extends Only<'type' | 'properties' | 'required' | 'additionalProperties' | 'allOf'> {
  readonly type: Typed<'object'>;
  readonly properties?: Properties;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly allOf?: readonly Conditional[];
}

/** A schema of the dialect. */
export type Schema =
  | AnySchema
  | EnumSchema
  | ConstSchema
  | UnionSchema
  | StringSchema
  | NumberSchema
  | BooleanSchema
  | NullSchema
  | ArraySchema
  | ObjectSchema;
