import { schemaDocument } from '../../contracts/emit/json-schema.ts';
import { openapiDocument } from '../../contracts/emit/openapi.ts';
import { schemaFiles } from '../../contracts/emit/schema-files.ts';
import { UsageError } from '../usage-error.ts';

const pretty = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** The OpenAPI 3.1 document of the API. */
export const openapiCommand = (): string => pretty(openapiDocument());

/** The names of the JSON Schemas that `schema` prints. */
export const schemaNames = (): readonly string[] => schemaFiles.map(({ name }) => name);

/** The JSON Schema of a name, or the list of names. */
export function schemaCommand(name: string | undefined): string {
  if (name === undefined)
    return schemaNames()
      .map(one => `${one}\n`)
      .join('');
  const file = schemaFiles.find(one => one.name === name);
  if (file === undefined)
    throw new UsageError(`there is no schema ${name}; \`console-conformance schema\` lists them all`);
  return pretty(schemaDocument(file));
}
