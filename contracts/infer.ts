import type { Schema } from './dialect.ts';

type Simplify<T> = { [K in keyof T]: T[K] };

type Members<P, R extends string, Optional extends boolean> = Optional extends true
  ? { -readonly [K in keyof P as K extends R ? never : K]?: Infer<P[K]> }
  : { -readonly [K in keyof P as K extends R ? K : never]: Infer<P[K]> };

type ObjectOf<S> = S extends { readonly properties: infer P }
  ? S extends { readonly required: readonly (infer R extends string)[] }
    ? Simplify<Members<P, R, false> & Members<P, R, true>>
    : Simplify<Members<P, never, true>>
  : S extends { readonly additionalProperties: infer A extends Schema }
    ? { [key: string]: Infer<A> }
    : { [key: string]: unknown };

type OfType<T, S> = T extends 'string'
  ? string
  : T extends 'number' | 'integer'
    ? number
    : T extends 'boolean'
      ? boolean
      : T extends 'null'
        ? null
        : T extends 'array'
          ? S extends { readonly items: infer I }
            ? Infer<I>[]
            : unknown[]
          : T extends 'object'
            ? ObjectOf<S>
            : never;

/**
 * The TypeScript type of the values that a schema accepts.
 *
 * The first branch stops at the type `Schema` itself, which would recurse forever. Conditions (`allOf`) do not narrow
 * it: the type is that of the unconditional part.
 */
export type Infer<S> = Schema extends S
  ? unknown
  : S extends { readonly enum: readonly (infer E)[] }
    ? E
    : S extends { readonly const: infer C }
      ? C
      : S extends { readonly anyOf: readonly (infer U)[] }
        ? U extends unknown
          ? Infer<U>
          : never
        : S extends { readonly type: infer T }
          ? T extends readonly (infer K)[]
            ? OfType<K, S>
            : OfType<T, S>
          : unknown;
