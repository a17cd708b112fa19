/**
 * The closed JSON Schema dialect of this project.
 *
 * A contract is a JSON Schema (draft 2020-12) written as `{…} as const satisfies Schema`, or by a function of
 * `object.ts`. `Schema` has only the keywords that the generators, the mutators, the validators and the emitters all
 * handle: any other keyword does not compile. What types cannot catch (a `required` that names no property, an invalid
 * pattern) a test does.
 */

/** How freely the suite may choose the value of a request field. Absent means `plain`. */
type Semantics =
  /** Any value of the schema is as good as another. */
  | 'plain'
  /** Must name something that exists at the target: drawn from fixtures and vocabulary only, else left out. */
  | 'reference'
  /** Needs a feature of the target: sent only when the target declares it. */
  | 'capability'
  /** A state, a permission or a destructive value: sent only by a check of its own. */
  | 'guarded';

/** What a `reference` field names: a list of the target's vocabulary or of its fixtures. */
export type ReferenceKind =
  | 'idType'
  | 'gate'
  | 'metric'
  | 'event'
  /** A group of an experiment by its id, by its key, and by its name. */
  | 'group'
  | 'groupKey'
  | 'groupName'
  /** A group of people that reviews changes (environments). */
  | 'reviewGroup'
  | 'user'
  | 'email'
  /** A team by its name, and by its id. */
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

/** What kind of value realistic examples of a field are drawn from. */
export type FormatHint =
  | 'sentence'
  | 'words'
  | 'name'
  | 'tag'
  | 'url'
  | 'email'
  | 'sql'
  | 'column'
  | 'iso-date-time'
  | 'digits'
  | 'header-name'
  | 'slug'
  /** Experiment groups: distinct names, sizes that add up to 100. */
  | 'groups'
  /** Milliseconds since 1970. */
  | 'timestamp';

/** How a sent value is compared with the one that comes back. Absent: exactly, member by member. */
type Comparison =
  /** Order, duplicates and letter case may differ (SHOULD only). */
  | 'tags'
  /** The same elements in any order; another order is a SHOULD only. */
  | 'unordered'
  /** Any rendering that loses nothing (gate `targetApps`: a text or a list). */
  | 'faithful'
  /** Merged, renormalised, request-only or otherwise not to be expected back. */
  | 'never';

/** What JSON Schema cannot express of a field. Emitted as `x-annotation`. */
export interface Annotation {
  readonly semantics?: Semantics;
  readonly refersTo?: ReferenceKind;
  readonly capability?: Capability;
  readonly formatHint?: FormatHint;
  /** Sensible values where the schema states no bounds, the most ordinary first. */
  readonly examples?: readonly unknown[];
  /** Ordinary values beyond the examples, which nothing states: sent where refusing them is open. */
  readonly furtherExamples?: readonly unknown[];
  /**
   * Fields (dotted from the root of the body, `name` or `name=value`) on which this one depends: it is sent only beside
   * them. Two fields may name each other.
   */
  readonly beside?: readonly string[];
  /** Of a closed set: the fields on which single values depend, in the form of `beside`. */
  readonly valueNeeds?: Readonly<Record<string, readonly string[]>>;
  /**
   * A target may refuse it for a reason that no table states (settings that must agree, a state it fits): to accept it is
   * a SHOULD. True of every value, or only of those named.
   */
  readonly uncertain?: true | readonly unknown[];
  /** Of a closed set in requests: values beyond it that answers show, and no request may carry. */
  readonly shownOnly?: readonly unknown[];
  /** Values of a plain field that only a check of its own sends: what they switch on may lock the entity. */
  readonly guardedValues?: readonly unknown[];
  /** Of a required member: how firmly a request without it is refused, where the specification states a shape alone. */
  readonly missed?: 'SHOULD' | 'OPEN';
  /** Of a list: more items than this are uncertain. */
  readonly certainItems?: number;
  /** Of a list of the template's objects: only the first item of which this holds (`name=value`) is varied. */
  readonly varies?: string;
  /** Of a reference: the field of the body whose value it must not have. */
  readonly differsFrom?: string;
  /** Names what the request creates: such a text carries the token of the run, so that no two creations collide. */
  readonly creates?: true;
  /** Of a member of list items: all items carry the same, as a service may hold them to the same keys. */
  readonly alike?: true;
  readonly compare?: Comparison;
}

interface Annotated {
  readonly description?: string;
  readonly annotation?: Annotation;
}

/** A scalar that may stand in `enum` or `const`. */
export type Scalar = string | number | boolean | null;

/** The keywords that bound a value beyond its type. */
// biome-ignore format: one kind a line
export const boundingKeywords = [
  'enum', 'const',
  'minLength', 'maxLength', 'pattern',
  'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum',
  'minItems', 'maxItems',
] as const;

/** Every keyword of the dialect that constrains a value. The mutators are tested over this list. */
// biome-ignore format: one line
export const constrainingKeywords = [
  'type', ...boundingKeywords, 'anyOf', 'items', 'properties', 'required', 'additionalProperties', 'allOf',
] as const;

/** A keyword that constrains a value. */
export type ConstrainingKeyword = (typeof constrainingKeywords)[number];

/** Forbids every keyword that constrains a value but those that the kind of a node has. */
type Only<Allowed extends ConstrainingKeyword> = Annotated & {
  readonly [Keyword in Exclude<ConstrainingKeyword | 'format', Allowed>]?: never;
};

/** Any JSON value: the specification gives no type. */
export interface AnySchema extends Only<never> {}

/** One of a closed set of scalars. `null` stands in the set where it is documented. */
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

/** An array whose items all keep one schema (any value, when `items` is absent). */
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
 * A condition: where the member that `if` names has its constant, the members of `then.required` are required too, and
 * the schemas of `then.properties` *replace* those of the same members by narrower ones.
 */
export interface Conditional {
  readonly if: {
    readonly properties: { readonly [name: string]: { readonly const: Scalar } };
    readonly required: readonly [string];
  };
  readonly then: { readonly properties?: Properties; readonly required?: readonly string[] };
}

/** An object. Members it does not name are legal unless `additionalProperties` says otherwise. */
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
