import { schemaDocument } from '../../contracts/emit/json-schema.ts';
import { schemaFiles } from '../../contracts/emit/schema-files.ts';
import type { schema } from '../definitions/documents.ts';
import type { Work } from '../flags.ts';
import { refuse } from '../input.ts';
import { didYouMean } from '../suggestion.ts';

/** Returns the JSON Schema of a name, or the list of names. Throws a `UsageError` if there is none of that name. */
export const command: Work<typeof schema> = (_, [name]) => {
  const names = schemaFiles.map(file => file.name);
  if (name === undefined) return names.map(one => `${one}\n`).join('');
  const file = schemaFiles.find(one => one.name === name);
  if (!file) refuse(`there is no schema ${name}; \`npx conform schema\` lists them all${didYouMean(name, names)}`);
  return `${JSON.stringify(schemaDocument(file), null, 2)}\n`;
};
