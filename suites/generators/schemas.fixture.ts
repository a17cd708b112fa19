import fc from 'fast-check';
import type { Conditional, ObjectSchema, Properties, Schema } from '../../contracts/dialect.ts';

/** Patterns for the random schemas on which the generators' properties are tested. Some value keeps each schema. */

const patterns = ['^[a-z]*$', '^[a-zA-Z0-9_\\-. ]+$', '^[0-9]+$', '^[a-zA-Z0-9_.\\-()/ %:]*$', '^[\\]\\\\^a-c-]*$'];

function typed<T extends string>(type: T, nullable: boolean): T | readonly [T, 'null'] {
  return nullable ? [type, 'null'] : type;
}

const rarely = fc.integer({ min: 0, max: 4 }).map(pick => pick === 4);

const text: fc.Arbitrary<Schema> = fc
  .record({
    nullable: rarely,
    least: fc.option(fc.nat({ max: 6 }), { nil: undefined }),
    room: fc.option(fc.nat({ max: 12 }), { nil: undefined }),
    pattern: fc.option(fc.constantFrom(...patterns), { nil: undefined }),
    formatHint: fc.option(fc.constantFrom('sentence', 'tag', 'url', 'slug', 'digits'), { nil: undefined }),
  })
  .map(({ nullable, least, room, pattern, formatHint }) => ({
    type: typed('string', nullable),
    ...(least === undefined ? {} : { minLength: least }),
    ...(room === undefined ? {} : { maxLength: (least ?? 1) + Math.max(room, least === 0 ? 1 : 0) }),
    ...(pattern === undefined ? {} : { pattern }),
    ...(formatHint === undefined ? {} : { annotation: { formatHint } }),
  }));

const number: fc.Arbitrary<Schema> = fc
  .record({
    nullable: rarely,
    whole: fc.boolean(),
    low: fc.option(fc.integer({ min: -500, max: 500 }), { nil: undefined }),
    room: fc.option(fc.integer({ min: 3, max: 900 }), { nil: undefined }),
    openLow: fc.boolean(),
    openHigh: fc.boolean(),
    scale: fc.constantFrom(1, 10, 1000),
  })
  .map(({ nullable, whole, low, room, openLow, openHigh, scale }): Schema => {
    const divisor = whole ? 1 : scale;
    const high = room === undefined ? undefined : ((low ?? 0) + room) / divisor;
    return {
      type: whole ? typed('integer', nullable) : typed('number', nullable),
      ...(low === undefined ? {} : { [openLow ? 'exclusiveMinimum' : 'minimum']: low / divisor }),
      ...(high === undefined ? {} : { [openHigh ? 'exclusiveMaximum' : 'maximum']: high }),
    };
  });

const closed: fc.Arbitrary<Schema> = fc
  .uniqueArray(fc.constantFrom('active', 'Setup', '80', 'in_control', 7, -1, true, null), {
    minLength: 1,
    maxLength: 4,
  })
  .map((members): Schema => ({ enum: members as [string, ...string[]] }));

const scalar: fc.Arbitrary<Schema> = fc.oneof(
  text,
  number,
  closed,
  fc.constantFrom('a', 3, true, null).map((constant): Schema => ({ const: constant })),
  rarely.map((nullable): Schema => ({ type: typed('boolean', nullable) })),
  fc.constant<Schema>({ type: 'null' }),
  fc.constant<Schema>({}),
);

const { schema } = fc.letrec<{ schema: Schema; object: ObjectSchema }>(tie => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    fc
      .record({
        nullable: rarely,
        items: fc.option(tie('schema'), { nil: undefined }),
        least: fc.option(fc.nat({ max: 2 }), { nil: undefined }),
        room: fc.option(fc.integer({ min: 1, max: 8 }), { nil: undefined }),
      })
      .map(
        ({ nullable, items, least, room }): Schema => ({
          type: typed('array', nullable),
          ...(items === undefined ? {} : { items }),
          ...(least === undefined ? {} : { minItems: least }),
          ...(room === undefined ? {} : { maxItems: (least ?? 0) + room }),
        }),
      ),
    tie('object'),
    fc.tuple(tie('schema'), tie('schema')).map(([one, other]): Schema => ({ anyOf: [one, other] })),
  ),
  object: fc
    .record({
      nullable: rarely,
      properties: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd/e', '~f'), tie('schema'), {
        maxKeys: 4,
        noNullPrototype: true,
      }),
      required: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
      additional: fc.option(fc.oneof(fc.boolean(), scalar), { nil: undefined }),
      condition: fc.option(fc.record({ narrow: scalar, narrows: fc.boolean(), requires: fc.boolean() }), {
        nil: undefined,
      }),
    })
    .map(({ nullable, properties, required, additional, condition }): ObjectSchema => {
      const names = Object.keys(properties);
      const guarded = condition === undefined ? {} : conditioned(condition.narrow, condition);
      const members: Properties = { ...properties, ...guarded.properties };
      return {
        type: typed('object', nullable),
        properties: members,
        required: names.filter((_, index) => required[index]),
        ...(additional === undefined ? {} : { additionalProperties: additional }),
        ...(guarded.allOf === undefined ? {} : { allOf: guarded.allOf }),
      };
    }),
}));

/** A member of two values, one of which narrows (or requires) another member. */
function conditioned(
  narrow: Schema,
  { narrows, requires }: { readonly narrows: boolean; readonly requires: boolean },
): { readonly properties?: Properties; readonly allOf?: readonly Conditional[] } {
  const wide: Schema = narrows ? {} : narrow;
  return {
    properties: { mode: { enum: ['wide', 'narrow'] }, subject: wide },
    allOf: [
      {
        if: { properties: { mode: { const: 'narrow' } }, required: ['mode'] },
        then: {
          ...(narrows ? { properties: { subject: narrow } } : {}),
          ...(requires ? { required: ['subject'] } : {}),
        },
      },
    ],
  };
}

/** Schemas of every kind, nested up to three deep. */
export const schemaArbitrary: fc.Arbitrary<Schema> = schema;

/** Schemas that constrain a text, a number or a closed set. */
export const constrainedArbitrary: fc.Arbitrary<Schema> = fc.oneof(text, number, closed);
