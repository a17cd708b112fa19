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

/** A named schema of the OpenAPI document, and a description of one instance. */
type Component = readonly [name: string, schema: Schema, description: string | undefined];

/** Returns the noun for an instance of a schema, from its table of fields, as a sentence. */
function nounOf(schema: Schema): string | undefined {
  const table = tableOf(schema);
  if (!table) return undefined;
  const [, noun] = tables[table];
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1)}.`;
}

/** Joins the words of an id to the name of a type: `patch-gate` becomes `PatchGate`. */
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

/** The style of the OpenAPI document: every named schema is written once, under its name. */
const style: Style = {
  refer: schema => {
    const name = names.get(schema);
    return name === undefined ? undefined : `#/components/schemas/${name}`;
  },
  finish: spelledOut,
};

/** Returns the schemas of the OpenAPI document by name: resources, their parts, closed sets, bodies and answers. */
const components = (): JsonObject =>
  Object.fromEntries(
    named.map(([name, schema, description]) => [
      pascal(name),
      { ...(description !== undefined && { description }), ...writtenOut(schema, style) },
    ]),
  );

/** The subject of each collection's operations, in a line. */
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

/** Returns a description of an endpoint's path parameter. */
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

/** Returns the pagination of a list whose items are all on its first page. */
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
      // One code for all operations, so that generators name all answers alike.
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

/** Any JSON, one branch a type: the specification does not show what a refusal says (section 7). */
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

/** Returns the whole API as an OpenAPI 3.1 document. The `operationId` of each operation is the id of the endpoint. */
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
