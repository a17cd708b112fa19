import type { Annotation, ReferenceKind, Schema } from '../dialect.ts';
import { ofEach, requiring } from '../object.ts';
import { integer, text } from '../scalars.ts';
import * as annotations from './annotations.ts';

export * from '../scalars.ts';

/** The fields that are the same in several resources, and the shapes of section 2.1. */

/** A field for which the specification gives no type. */
export const untyped = {} as const satisfies Schema;
export const textOrNull = { type: ['string', 'null'] } as const satisfies Schema;
/** An object whose members the specification does not name. */
export const freeForm = { type: 'object' } as const satisfies Schema;

/** Returns a function that makes an annotated schema of one type. */
const typed =
  <const Type extends string | readonly string[]>(type: Type) =>
  <const A extends Annotation>(annotation: A) =>
    ({ type, annotation }) as const;

export const textOf = typed('string');
export const textOrNullOf = typed(['string', 'null']);
export const numberOf = typed('number');
export const flagOf = typed('boolean');
/** A text that names something that exists. */
export const nameOf = <const Kind extends ReferenceKind>(kind: Kind) => textOf(annotations.reference(kind));
export const nameOrNullOf = <const Kind extends ReferenceKind>(kind: Kind) => textOrNullOf(annotations.reference(kind));
/** An object for whose members the specification gives only names. */
export const untypedObject = <const Name extends string>(...names: readonly Name[]) =>
  ({ type: 'object', properties: ofEach(names, untyped) }) as const;
/** A list whose items share a schema, with an annotation of the whole. */
export const listOf = <const Items extends Schema, const A extends Annotation>(items: Items, annotation: A) =>
  ({ type: 'array', items, annotation }) as const;
/** A list whose order says nothing. */
export const unorderedOf = <const Items extends Schema, const A extends Annotation>(items: Items, annotation?: A) =>
  listOf(items, { ...annotation, compare: 'unordered' });
/** A number for which any of these stands. */
export const numberLike = <const Examples extends readonly number[]>(...examples: Examples) => numberOf({ examples });
/** The name of a new entity. */
export const newNameOf = <const Most extends number, const Pattern extends string>(maxLength: Most, pattern: Pattern) =>
  ({ type: 'string', minLength: 3, maxLength, pattern, annotation: annotations.newName }) as const;

/** An integer; the specification does not show its unit. */
export const timestamp = { type: 'integer', annotation: { formatHint: 'timestamp' } } as const satisfies Schema;
export const sentence = textOf(annotations.sentence);
/** A description in a request, as limited by section 8. */
export const description = {
  type: 'string',
  maxLength: 1000,
  annotation: annotations.sentence,
} as const satisfies Schema;
export const tags = listOf(textOf({ formatHint: 'tag' }), { compare: 'tags' });
export const idType = nameOf('idType');
export const team = textOrNullOf(annotations.team);
export const teamID = textOrNullOf(annotations.teamID);
export const creatorID = nameOrNullOf('user');
export const creatorEmail = nameOrNullOf('email');

/** The pagination object of a list answer (section 2.1). */
export const pagination = requiring(
  'Where a page of a list stands among its pages.',
  {
    itemsPerPage: integer,
    pageNumber: integer,
    totalItems: integer,
    nextPage: textOrNull,
    previousPage: textOrNull,
    all: text,
  },
  ['itemsPerPage', 'pageNumber', 'totalItems', 'nextPage', 'previousPage', 'all'],
);

/** The owner of an entity (section 2.1). Entities created by this API may lack it; metrics may have only `name`. */
export const owner = {
  type: 'object',
  description: 'Who owns the entity.',
  properties: { ownerID: text, ownerType: text, ownerName: text, ownerEmail: text, name: text },
  annotation: { ...annotations.guarded, compare: 'shared' },
} as const satisfies Schema;
