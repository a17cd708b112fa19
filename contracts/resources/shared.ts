import type { Schema } from '../dialect.ts';
import * as means from './annotations.ts';

/**
 * The fields that read the same wherever they stand, and the shapes of section 2.1.
 */

/** A field of which the specification gives the name and no type. */
export const untyped = {} as const satisfies Schema;
export const text = { type: 'string' } as const satisfies Schema;
export const textOrNull = { type: ['string', 'null'] } as const satisfies Schema;
export const texts = { type: 'array', items: text } as const satisfies Schema;
export const flag = { type: 'boolean' } as const satisfies Schema;
export const integer = { type: 'integer' } as const satisfies Schema;
export const number = { type: 'number' } as const satisfies Schema;
/** An object whose members the specification does not name. */
export const freeForm = { type: 'object' } as const satisfies Schema;
/** An integer; its unit is not shown. */
export const timestamp = { type: 'integer', annotation: { formatHint: 'timestamp' } } as const satisfies Schema;
export const sentence = { type: 'string', annotation: means.sentence } as const satisfies Schema;
/** A description in a request, where section 8 limits it. */
export const description = { type: 'string', maxLength: 1000, annotation: means.sentence } as const satisfies Schema;
export const tags = {
  type: 'array',
  items: { type: 'string', annotation: { formatHint: 'tag' } },
  annotation: { compare: 'tags' },
} as const satisfies Schema;
export const idType = { type: 'string', annotation: means.idType } as const satisfies Schema;
export const team = { type: ['string', 'null'], annotation: means.team } as const satisfies Schema;
export const creatorID = { type: ['string', 'null'], annotation: means.user } as const satisfies Schema;
export const creatorEmail = { type: ['string', 'null'], annotation: means.email } as const satisfies Schema;

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

/** Who owns an entity (section 2.1). May be absent of what was created through this API; metrics also, or only, carry `name`. */
export const owner = {
  type: 'object',
  description: 'Who owns the entity.',
  properties: { ownerID: text, ownerType: text, ownerName: text, ownerEmail: text, name: text },
  annotation: means.guarded,
} as const satisfies Schema;
