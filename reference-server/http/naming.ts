import { isObject, type JsonObject } from '../../contracts/json.ts';
import { type Naming, specificationNaming } from '../../contracts/target.ts';
import type { ErrorBody, HandlerResponse } from '../api/response.ts';

/** Renames at the edge of the server: within, the unit-id field has the name of the specification (section 2.6). */
export interface Translation {
  /** A request's body, from the server's names to those of the specification. */
  readonly inward: (body: unknown) => unknown;
  /** A response, the other way round. */
  readonly outward: (response: HandlerResponse) => HandlerResponse;
}

const standard = specificationNaming.unitIdField;

/** Renames one member in place of another. A member that has the new name already is unknown under it, and dropped. */
const renamed = (item: unknown, from: string, to: string): unknown =>
  isObject(item)
    ? Object.fromEntries(
        Object.entries(item).flatMap(([name, value]) =>
          name === from ? [[to, value]] : name === to ? [] : [[name, value]],
        ),
      )
    : item;

/** Renames in the mapping of one metric source, or of each of a list. */
const withMapping = (value: unknown, from: string, to: string): unknown => {
  if (Array.isArray(value)) return value.map(item => withMapping(item, from, to));
  return isObject(value) && Array.isArray(value.idTypeMapping)
    ? { ...value, idTypeMapping: value.idTypeMapping.map(item => renamed(item, from, to)) }
    : value;
};

const withErrors = (body: JsonObject, to: string): unknown => {
  const { errors = [] } = body as unknown as ErrorBody;
  return { ...body, errors: errors.map(error => ({ ...error, property: error.property.replace(standard, () => to) })) };
};

const outwardBody = (body: unknown, to: string): unknown => {
  if (!isObject(body)) return body;
  return Array.isArray(body.errors) ? withErrors(body, to) : { ...body, data: withMapping(body.data, standard, to) };
};

const none: Translation = { inward: body => body, outward: response => response };

/** The translation for the names of a server; it does nothing where they are those of the specification. */
export const translation = ({ unitIdField }: Naming): Translation =>
  unitIdField === standard
    ? none
    : {
        inward: body => withMapping(body, unitIdField, standard),
        outward: response => ({ ...response, body: outwardBody(response.body, unitIdField) }),
      };
