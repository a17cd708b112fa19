import type { Schema } from '../dialect.ts';
import { list } from '../object.ts';
import * as annotations from './annotations.ts';

/** The fields that are the same in several resources, and the shapes of section 2.1. */

/** A field for which the specification gives no type. */
export const untyped = {} as const satisfies Schema;
export const text = { type: 'string' } as const satisfies Schema;
export const textOrNull = { type: ['string', 'null'] } as const satisfies Schema;
export const texts = list(text);
export const flag = { type: 'boolean' } as const satisfies Schema;
export const integer = { type: 'integer' } as const satisfies Schema;
export const number = { type: 'number' } as const satisfies Schema;
/** An object whose members the specification does not name. */
export const freeForm = { type: 'object' } as const satisfies Schema;
/** An integer; its unit is not shown. */
export const timestamp = { type: 'integer', annotation: { formatHint: 'timestamp' } } as const satisfies Schema;
export const sentence = { type: 'string', annotation: annotations.sentence } as const satisfies Schema;
/** A description in a request, where section 8 limits it. */
export const description = {
  type: 'string',
  maxLength: 1000,
  annotation: annotations.sentence,
} as const satisfies Schema;
export const tags = {
  type: 'array',
  items: { type: 'string', annotation: { formatHint: 'tag' } },
  annotation: { compare: 'tags' },
} as const satisfies Schema;
export const idType = { type: 'string', annotation: annotations.idType } as const satisfies Schema;
export const team = { type: ['string', 'null'], annotation: annotations.team } as const satisfies Schema;
export const teamID = { type: ['string', 'null'], annotation: annotations.teamID } as const satisfies Schema;
export const creatorID = { type: ['string', 'null'], annotation: annotations.user } as const satisfies Schema;
export const creatorEmail = { type: ['string', 'null'], annotation: annotations.email } as const satisfies Schema;

/** The pagination object of a list answer (section 2.1). */
export const pagination = {
  type: 'object',
  description: 'Where a page of a list stands among its pages.',
  properties: {
    itemsPerPage: integer,
    pageNumber: integer,
    totalItems: integer,
    nextPage: textOrNull,
    previousPage: textOrNull,
    all: text,
  },
  required: ['itemsPerPage', 'pageNumber', 'totalItems', 'nextPage', 'previousPage', 'all'],
} as const satisfies Schema;

/** The owner of an entity (section 2.1). Entities that this API created may lack it; metrics may have `name` alone. */
export const owner = {
  type: 'object',
  description: 'Who owns the entity.',
  properties: { ownerID: text, ownerType: text, ownerName: text, ownerEmail: text, name: text },
  annotation: annotations.guarded,
} as const satisfies Schema;
