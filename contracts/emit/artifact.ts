import { type Json, schemaDocument } from './json-schema.ts';
import { openapiDocument } from './openapi.ts';
import { schemaFiles } from './schema-files.ts';

/** A file that is generated, committed, and tested for freshness. */
export interface Artifact {
  /** Relative to the root of the repository. */
  readonly path: string;
  /** The whole content, with its trailing newline. The same on every machine and every day. */
  readonly content: () => string;
}

function written(document: Json): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** The schema files and the OpenAPI document. */
export const contractArtifacts: readonly Artifact[] = [
  ...schemaFiles.map(file => ({
    path: `contracts/json/${file.name}.schema.json`,
    content: () => written(schemaDocument(file)),
  })),
  { path: 'contracts/openapi.json', content: () => written(openapiDocument()) },
];
