import type { Schema } from '../../contracts/dialect.ts';
import type { Json } from '../../contracts/json.ts';
import { isValid } from '../../contracts/validation.ts';

/** Whether ajv accepts the value: the judge of every generated case whose validity construction alone does not settle. */
export function conforms(schema: Schema, value: Json): boolean {
  return isValid(schema, value);
}
