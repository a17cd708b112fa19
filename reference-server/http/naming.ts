import { type Naming, specificationNaming } from '../../contracts/target.ts';
import type { Answer, ErrorBody } from '../api/answer.ts';

/** Renames at the edge of the server: within, the unit-id field has the name of the specification (section 2.6). */
export interface Translation {
  /** A request's body, from the server's names to those of the specification. */
  readonly inward: (body: unknown) => unknown;
  /** An answer, the other way round. */
  readonly outward: (answer: Answer) => Answer;
}

const standard = specificationNaming.unitIdField;

type Item = Record<string, unknown>;
const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Renames one member in place of another. A member that has the new name already is unknown under it, and dropped. */
const renamed = (item: unknown, from: string, to: string): unknown =>
  isItem(item)
    ? Object.fromEntries(
        Object.entries(item).flatMap(([name, value]) =>
          name === from ? [[to, value]] : name === to ? [] : [[name, value]],
        ),
      )
    : item;

const withMapping = (value: unknown, from: string, to: string): unknown =>
  isItem(value) && Array.isArray(value.idTypeMapping)
    ? { ...value, idTypeMapping: value.idTypeMapping.map(item => renamed(item, from, to)) }
    : value;

const outwardBody = (body: unknown, to: string): unknown => {
  if (!isItem(body)) return body;
  if (Array.isArray(body.errors)) {
    const errors = (body as unknown as ErrorBody).errors ?? [];
    return {
      ...body,
      errors: errors.map(error => ({ ...error, property: error.property.replace(standard, () => to) })),
    };
  }
  const data = Array.isArray(body.data)
    ? body.data.map(item => withMapping(item, standard, to))
    : withMapping(body.data, standard, to);
  return { ...body, data };
};

const none: Translation = { inward: body => body, outward: answer => answer };

/** The translation for the names of a server; it does nothing where they are those of the specification. */
export const translation = ({ unitIdField }: Naming): Translation =>
  unitIdField === standard
    ? none
    : {
        inward: body => withMapping(body, unitIdField, standard),
        outward: answer => ({ ...answer, body: outwardBody(answer.body, unitIdField) }),
      };
