import type { Schema } from '../dialect.ts';
import { answerSchema, endpointIds, endpointRow } from '../endpoints.ts';
import type { JsonObject } from '../json.ts';
import { tableOf, tables } from '../requirements/tables.ts';
import { namedParts, namedResources } from '../resources/named.ts';
import { type Style, writtenOut } from './json-schema.ts';
import { spelledOut } from './openapi-schema.ts';

/** A schema with a name of its own in the OpenAPI document, and what one of it is. */
type Component = readonly [name: string, schema: Schema, description: string | undefined];

/** What the table of fields of a schema calls one of it, as a sentence. */
function nounOf(schema: Schema): string | undefined {
  const table = tableOf(schema);
  if (table === undefined) return undefined;
  const [, noun] = tables[table];
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1)}.`;
}

/** The words of an id as one name of a type: `patch-gate` is `PatchGate`. */
function pascal(name: string): string {
  return name
    .split('-')
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

const ofEndpoints = endpointIds.flatMap((id): Component[] => {
  const { title, section, body } = endpointRow(id);
  const request = [`${id}-request`, body as Schema, `The body of ${title} (section ${section}).`] as const;
  const answer = [`${id}-answer`, answerSchema(id), `A successful answer of ${title} (section ${section}).`] as const;
  return body === null ? [answer] : [request, answer];
});

const named: readonly Component[] = [
  ...namedResources.map(([name, schema]) => [name, schema, schema.description] as const),
  ...namedParts.map(([name, schema, description]) => [name, schema, description ?? nounOf(schema)] as const),
  ...ofEndpoints,
];

const names = new Map(named.map(([name, schema]) => [schema, pascal(name)]));

/** How the OpenAPI document writes its schemas: whatever has a name stands under it, once. */
export const style: Style = {
  refer: schema => {
    const name = names.get(schema);
    return name === undefined ? undefined : `#/components/schemas/${name}`;
  },
  finish: spelledOut,
};

/** The schemas of the OpenAPI document by their names: resources, their parts, closed sets, bodies and answers. */
export const components = (): JsonObject =>
  Object.fromEntries(
    named.map(([name, schema, description]) => [
      pascal(name),
      { ...(description !== undefined && { description }), ...writtenOut(schema, style) },
    ]),
  );
