import type {
  AnySchema,
  ArraySchema,
  ConstSchema,
  EnumSchema,
  NumberSchema,
  ObjectSchema,
  Schema,
  StringSchema,
  UnionSchema,
} from '../../contracts/dialect.ts';
import type { Json } from '../../contracts/json.ts';

interface SchemaByKind {
  readonly any: AnySchema;
  readonly enum: EnumSchema;
  readonly const: ConstSchema;
  readonly union: UnionSchema;
  readonly null: Schema;
  readonly boolean: Schema;
  readonly string: StringSchema;
  readonly number: NumberSchema;
  readonly array: ArraySchema;
  readonly object: ObjectSchema;
}

type Kind = keyof SchemaByKind;

/** A schema by the kind of value that it describes; `nullable` if null is allowed beside a type. */
export type Node = {
  [K in Kind]: { readonly kind: K; readonly schema: SchemaByKind[K]; readonly nullable: boolean };
}[Kind];

function kindOf({ enum: members, const: constant, anyOf, type }: Schema): Kind {
  if (members !== undefined) return 'enum';
  if (constant !== undefined) return 'const';
  if (anyOf !== undefined) return 'union';
  const own = typeof type === 'object' ? type[0] : type;
  return own === 'integer' ? 'number' : (own ?? 'any');
}

/** Returns the kind of a schema of the dialect; an integer is a number. */
export const nodeOf = (schema: Schema): Node =>
  ({ kind: kindOf(schema), schema, nullable: typeof schema.type === 'object' }) as Node;

/** True if a schema documents null. */
export const takesNull = (schema: Schema): boolean =>
  typeof schema.type === 'object' ||
  schema.type === 'null' ||
  schema.const === null ||
  schema.enum?.includes(null) === true ||
  schema.anyOf?.some(takesNull) === true;

/** Returns the members that a schema names, each with its schema; none if it does not describe objects. */
export const memberSchemas = (schema: Schema | undefined): [name: string, member: Schema][] =>
  Object.entries(schema?.properties ?? {});

/** Returns the schema of a member; undefined if the schema does not name it. */
export const memberSchema = ({ properties = {} }: Schema, name: string): Schema | undefined =>
  Object.hasOwn(properties, name) ? properties[name] : undefined;

/** Returns the values of a closed set that do not depend on another field. */
export const valuesAlone = ({ enum: values, annotation }: EnumSchema): readonly Json[] =>
  values.filter(value => annotation?.valueNeeds?.[String(value)] === undefined);

/** Returns the booleans that may be sent for a node. */
export const sendableBooleans = ({ annotation }: Schema): readonly boolean[] =>
  [true, false].filter(value => annotation?.guardedValues?.includes(value) !== true);

/** Returns the examples that the contract gives of a node. */
export const exampleValues = ({ annotation }: Schema): readonly Json[] =>
  (annotation?.examples ?? []) as readonly Json[];
