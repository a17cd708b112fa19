import type { Schema } from '../dialect.ts';
import { type Collection, type Endpoint, resourceNames } from '../endpoint.ts';
import { answerSchema, type EndpointId, endpointIds, endpointRow, endpoints, paging } from '../endpoints.ts';
import type { Json, JsonObject } from '../json.ts';
import { tableOf, tables } from '../requirements/tables.ts';
import { namedParts, namedResources } from '../resources/named.ts';
import { specificationNaming } from '../target.ts';
import { examples } from './examples.ts';
import { plainSchema, type Style, writtenOut } from './json-schema.ts';
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
const style: Style = {
  refer: schema => {
    const name = names.get(schema);
    return name === undefined ? undefined : `#/components/schemas/${name}`;
  },
  finish: spelledOut,
};

/** The schemas of the OpenAPI document by their names: resources, their parts, closed sets, bodies and answers. */
const components = (): JsonObject =>
  Object.fromEntries(
    named.map(([name, schema, description]) => [
      pascal(name),
      { ...(description !== undefined && { description }), ...writtenOut(schema, style) },
    ]),
  );

/** What the operations of a collection are about, in a line. */
const tags: Readonly<Record<Collection, string>> = {
  environments: 'Where gates, configs and experiments are in force (section 2.2).',
  configs: 'Dynamic configs and their versions (section 2.4).',
  'qualifying-events': 'Qualifying events, that is metric sources (section 2.6).',
  experiments: 'Experiments and their groups (section 2.5).',
  gates: 'Feature gates (section 2.3).',
  metrics: 'Metrics (section 2.7).',
  segments: 'Segments (section 2.8).',
  prompts: 'Versions of prompts (section 2.9).',
  events: 'Logged events (section 2.10).',
};

/** What the path parameter of an endpoint names. */
const paramOf = ({ param, resource }: Endpoint): string => {
  if (param === 'eventName') return 'The name of an event.';
  const entity = { ...resourceNames, 'config-version': resourceNames.config, 'prompt-version': 'prompt' }[resource];
  return `The ${param} of the ${entity}.`;
};

function parametersOf(id: EndpointId): JsonObject[] {
  const endpoint = endpointRow(id);
  const inPath: JsonObject[] =
    endpoint.param === null
      ? []
      : [
          {
            name: endpoint.param,
            in: 'path',
            required: true,
            description: paramOf(endpoint),
            schema: { type: 'string' },
            example: examples[id].param,
          },
        ];
  const asked = endpoint.query ?? (endpoint.list ? paging : undefined);
  const why = endpoint.query === null ? ' Not stated for this list: known from the links of its answers alone.' : '';
  const inQuery = Object.entries(asked?.properties ?? {}).map(([name, { description = '', ...schema }]) => ({
    name,
    in: 'query',
    required: false,
    description: description + why,
    schema: plainSchema(schema, style),
    example: (schema.annotation?.examples?.[0] ?? null) as Json,
  }));
  return [...inPath, ...inQuery];
}

const jsonContent = (schema: JsonObject, example: Json): JsonObject => ({ 'application/json': { schema, example } });

/** The pagination of a list that has so many items, all on its first page. */
const onePage = (totalItems: number, path: string): JsonObject => ({
  itemsPerPage: 10,
  pageNumber: 1,
  totalItems,
  nextPage: null,
  previousPage: null,
  all: path,
});

function answerExample(id: EndpointId): JsonObject {
  const { message, title, path } = endpointRow(id);
  const { param, data } = examples[id];
  return {
    message: message ?? `${title}: done.`,
    data: data as Json,
    ...(Array.isArray(data) && { pagination: onePage(data.length, path.replace(/\{\w+\}/, param ?? '')) }),
  };
}

function operation(id: EndpointId): JsonObject {
  const { title, section, collection, body, success } = endpointRow(id);
  const parameters = parametersOf(id);
  const request = body !== null && {
    requestBody: { required: true, content: jsonContent(plainSchema(body, style), examples[id].body as Json) },
  };
  const content = jsonContent(plainSchema(answerSchema(id), style), answerExample(id));
  return {
    operationId: id,
    summary: title,
    description: `Section ${section} of the specification.`,
    tags: [collection],
    ...(parameters.length > 0 && { parameters }),
    ...request,
    responses: {
      // Under one code of every operation, so that generators call all answers alike.
      200: { description: 'Success.', content },
      ...(success !== 200 && { '2XX': { description: 'Success. Which code it has is not shown.', content } }),
      '4XX': { $ref: '#/components/responses/Refused' },
    },
  };
}

function paths(): JsonObject {
  const byPath: Record<string, Record<string, JsonObject>> = {};
  for (const id of endpointIds) {
    const { method, path } = endpointRow(id);
    byPath[path] ??= {};
    byPath[path][method.toLowerCase()] = operation(id);
  }
  return byPath;
}

/** Any JSON, told apart by its type: what a refusal says is not shown (section 7). */
const refusal: JsonObject = {
  description: 'What a refusal says. The specification does not show it: any JSON, most often an object.',
  anyOf: [
    { $ref: '#/components/schemas/RefusalDetails' },
    { type: 'array', items: {} },
    { type: 'string' },
    { type: 'number' },
    { type: 'boolean' },
    { type: 'null' },
  ],
};

const refusalDetails: JsonObject = {
  type: 'object',
  description: 'A refusal that is an object, with whatever members it has.',
  additionalProperties: true,
};

/** The whole API as an OpenAPI 3.1 document. The `operationId` of each operation is the id of the endpoint. */
export function openapiDocument(): JsonObject {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Console Management API',
      version: '1',
      description:
        'Feature gates, dynamic configs, experiments, qualifying events, metrics, segments, environments, prompt versions and logged events. Generated from the contracts of console-conformance; do not edit.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    tags: [...new Set(endpointIds.map(id => endpoints[id].collection))].map(name => ({
      name,
      description: tags[name],
    })),
    paths: paths(),
    components: {
      schemas: { ...components(), RefusalDetails: refusalDetails, Refusal: refusal },
      responses: {
        Refused: {
          description: 'Refused. Which code and body an error has is not shown.',
          content: jsonContent({ $ref: '#/components/schemas/Refusal' }, { message: 'There is no gate new_chekout.' }),
        },
      },
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: specificationNaming.apiKeyHeader },
      },
    },
  };
}
