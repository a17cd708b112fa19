import { expectTypeOf, test } from 'vitest';
import type { Schema } from './dialect.ts';
import type { BodyOf, DataOf } from './endpoints.ts';
import type { Infer } from './infer.ts';

const name = { type: 'string' } as const satisfies Schema;

test('scalars, nullables and closed sets', () => {
  expectTypeOf<Infer<typeof name>>().toEqualTypeOf<string>();
  expectTypeOf<Infer<{ type: 'integer'; minimum: 1 }>>().toEqualTypeOf<number>();
  expectTypeOf<Infer<{ type: readonly ['string', 'null'] }>>().toEqualTypeOf<string | null>();
  expectTypeOf<Infer<{ type: 'null' }>>().toEqualTypeOf<null>();
  expectTypeOf<Infer<{ enum: readonly ['a', 1, null] }>>().toEqualTypeOf<'a' | 1 | null>();
  expectTypeOf<Infer<{ const: true }>>().toEqualTypeOf<true>();
});

test('unions, and values of which nothing is known', () => {
  expectTypeOf<
    Infer<{ anyOf: readonly [{ type: 'string' }, { type: 'array'; items: { type: 'string' } }] }>
  >().toEqualTypeOf<string | string[]>();
  expectTypeOf<Infer<Record<never, never>>>().toEqualTypeOf<unknown>();
  expectTypeOf<Infer<Schema>>().toEqualTypeOf<unknown>();
  expectTypeOf<Infer<{ type: 'array' }>>().toEqualTypeOf<unknown[]>();
  expectTypeOf<Infer<{ type: 'object' }>>().toEqualTypeOf<{ [key: string]: unknown }>();
  expectTypeOf<Infer<{ type: 'object'; additionalProperties: { type: 'number' } }>>().toEqualTypeOf<{
    [key: string]: number;
  }>();
});

test('objects: required, optional, nested arrays', () => {
  const schema = {
    type: 'object',
    properties: {
      id: name,
      grid: { type: 'array', items: { type: 'array', items: { type: ['integer', 'null'] } } },
      inner: { type: 'object', properties: { flag: { type: 'boolean' } } },
    },
    required: ['id', 'grid'],
  } as const satisfies Schema;
  expectTypeOf<Infer<typeof schema>>().toEqualTypeOf<{
    id: string;
    grid: (number | null)[][];
    inner?: { flag?: boolean };
  }>();
});

test('bodies and data of endpoints', () => {
  expectTypeOf<BodyOf<'disable-gate'>>().toEqualTypeOf<never>();
  expectTypeOf<BodyOf<'enable-groups'>>().toEqualTypeOf<{ group_names: string[] }>();
  expectTypeOf<BodyOf<'patch-gate'>['targetApps']>().toEqualTypeOf<string | string[] | undefined>();
  expectTypeOf<BodyOf<'patch-gate'>['type']>().toEqualTypeOf<'PERMANENT' | 'TEMPORARY' | undefined>();
  expectTypeOf<BodyOf<'update-experiment'>['targetingGateID']>().toEqualTypeOf<string | null>();
  expectTypeOf<BodyOf<'update-experiment'>['scheduledReloadDays']>().toEqualTypeOf<number[] | null | undefined>();
  expectTypeOf<DataOf<'disable-gate'>['isEnabled']>().toEqualTypeOf<boolean>();
  expectTypeOf<DataOf<'list-segments'>[number]['id']>().toEqualTypeOf<string>();
  expectTypeOf<DataOf<'update-environments'>['environments'][number]['isProduction']>().toEqualTypeOf<boolean>();
  expectTypeOf<DataOf<'list-event-metrics'>[number]['lineage']>().toEqualTypeOf<
    { events?: string[]; metrics?: string[] } | undefined
  >();
});
