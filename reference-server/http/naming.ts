import { isObject, type JsonObject } from '../../contracts/json.ts';
import { type Naming, specificationNaming } from '../../contracts/target.ts';
import type { ErrorBody, HandlerResponse } from '../api/response.ts';

/**
 * Translates renamed fields at the HTTP boundary; internally the unit-id field has the specification's name (section
 * 2.6).
 */
export interface Translation {
  /** Renames in a request's body, from the server's names to the specification's. */
  readonly inward: (body: unknown) => unknown;
  /** Renames in a response, in the opposite direction. */
  readonly outward: (response: HandlerResponse) => HandlerResponse;
}

const standard = specificationNaming.unitIdField;

/**
 * Renames a member. An existing member with the new name is dropped, because it is unknown under the server's names.
 */
const renamed = (item: unknown, from: string, to: string): unknown =>
  isObject(item)
    ? Object.fromEntries(
        Object.entries(item).flatMap(([name, value]) =>
          name === from ? [[to, value]] : name === to ? [] : [[name, value]],
        ),
      )
    : item;

/** Renames in the mapping of a metric source, or of each in a list. */
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

/** Returns the translation for the names of a server; it does nothing for those of the specification. */
export const translation = ({ unitIdField }: Naming): Translation =>
  unitIdField === standard
    ? none
    : {
        inward: body => withMapping(body, unitIdField, standard),
        outward: response => ({ ...response, body: outwardBody(response.body, unitIdField) }),
      };
