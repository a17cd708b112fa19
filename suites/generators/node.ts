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

/** A schema by the kind of value that it describes; `nullable` if null is allowed beside a type. */
export type Node =
  | { readonly kind: 'any'; readonly schema: AnySchema; readonly nullable: false }
  | { readonly kind: 'enum'; readonly schema: EnumSchema; readonly nullable: false }
  | { readonly kind: 'const'; readonly schema: ConstSchema; readonly nullable: false }
  | { readonly kind: 'union'; readonly schema: UnionSchema; readonly nullable: false }
  | { readonly kind: 'null'; readonly schema: Schema; readonly nullable: false }
  | { readonly kind: 'boolean'; readonly schema: Schema; readonly nullable: boolean }
  | { readonly kind: 'string'; readonly schema: StringSchema; readonly nullable: boolean }
  | { readonly kind: 'number' | 'integer'; readonly schema: NumberSchema; readonly nullable: boolean }
  | { readonly kind: 'array'; readonly schema: ArraySchema; readonly nullable: boolean }
  | { readonly kind: 'object'; readonly schema: ObjectSchema; readonly nullable: boolean };

/** Returns the kind of a schema of the dialect. */
export function nodeOf(schema: Schema): Node {
  if (schema.enum !== undefined) return { kind: 'enum', schema: schema as EnumSchema, nullable: false };
  if (schema.const !== undefined) return { kind: 'const', schema: schema as ConstSchema, nullable: false };
  if (schema.anyOf !== undefined) return { kind: 'union', schema: schema as UnionSchema, nullable: false };
  if (schema.type === undefined) return { kind: 'any', schema: schema as AnySchema, nullable: false };
  const kind = typeof schema.type === 'string' ? schema.type : schema.type[0];
  return { kind, schema, nullable: typeof schema.type !== 'string' } as Node;
}

/** True if a schema documents null. */
export function takesNull(schema: Schema): boolean {
  const node = nodeOf(schema);
  if (node.kind === 'enum') return node.schema.enum.includes(null);
  if (node.kind === 'const') return node.schema.const === null;
  if (node.kind === 'union') return node.schema.anyOf.some(takesNull);
  return node.kind === 'null' || node.nullable;
}

/** Returns the booleans that may be sent of a node. */
export const sendableBooleans = ({ annotation }: Schema): readonly boolean[] =>
  [true, false].filter(value => annotation?.guardedValues?.includes(value) !== true);

/** Returns the examples that the contract gives of a node. */
export function exampleValues(schema: Schema): readonly Json[] {
  return (schema.annotation?.examples ?? []) as readonly Json[];
}
