import { schemaDocument } from '../../contracts/emit/json-schema.ts';
import { openapiDocument } from '../../contracts/emit/openapi.ts';
import { schemaFiles } from '../../contracts/emit/schema-files.ts';
import type { schema } from '../definitions/documents.ts';
import type { Work } from '../flags.ts';
import { refuse } from '../input.ts';
import { didYouMean } from '../suggestion.ts';

const pretty = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Returns the OpenAPI 3.1 document of the API. */
export const openapiCommand = (): string => pretty(openapiDocument());

/** Returns the JSON Schema of a name, or the list of names. Throws a `UsageError` if there is none of that name. */
export const schemaCommand: Work<typeof schema> = (_, [name]) => {
  if (name === undefined) return schemaFiles.map(file => `${file.name}\n`).join('');
  const file = schemaFiles.find(one => one.name === name);
  if (file === undefined)
    refuse(
      `there is no schema ${name}; \`console-conformance schema\` lists them all${didYouMean(
        name,
        schemaFiles.map(one => one.name),
      )}`,
    );
  return pretty(schemaDocument(file));
};
