import type { Endpoint } from '../endpoint.ts';
import { answerSchema, type EndpointId, endpointIds, endpointRow, endpoints } from '../endpoints.ts';
import type { JsonObject } from '../json.ts';
import { namedResources } from '../resources/named.ts';
import { specificationNaming } from '../target.ts';
import { plainSchema, type Refer, writtenOut } from './json-schema.ts';

function pascal(name: string): string {
  return name
    .split('-')
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

const bodies = endpointIds.flatMap(id => {
  const { body } = endpointRow(id);
  return body === null ? [] : [[`${id}-request`, body] as const];
});
const components = [...namedResources, ...bodies];
const componentNames = new Map(components.map(([name, schema]) => [schema, pascal(name)]));

const refer: Refer = schema => {
  const name = componentNames.get(schema as (typeof components)[number][1]);
  return name === undefined ? undefined : `#/components/schemas/${name}`;
};

function parametersOf({ param, query }: Endpoint): JsonObject[] {
  const inPath = param === null ? [] : [{ name: param, in: 'path', required: true, schema: { type: 'string' } }];
  const inQuery = Object.entries(query?.properties ?? {}).map(([name, { description = '', ...schema }]) => ({
    name,
    in: 'query',
    description,
    schema: plainSchema(schema, refer),
  }));
  return [...inPath, ...inQuery];
}

function jsonContent(schema: JsonObject): JsonObject {
  return { 'application/json': { schema } };
}

function operation(id: EndpointId): JsonObject {
  const endpoint = endpointRow(id);
  const { title, section, collection, body, success } = endpoint;
  const parameters = parametersOf(endpoint);
  return {
    operationId: id,
    summary: title,
    description: `Section ${section} of the specification.`,
    tags: [collection],
    ...(parameters.length > 0 && { parameters }),
    ...(body !== null && { requestBody: { required: true, content: jsonContent(plainSchema(body, refer)) } }),
    responses: {
      200: {
        description: success === 200 ? 'Success.' : 'Success. The code is not shown; any 2xx with this body will do.',
        content: jsonContent(plainSchema(answerSchema(id), refer)),
      },
      '4XX': { description: 'Refused. Codes and bodies of errors are not shown.' },
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
    tags: [...new Set(endpointIds.map(id => endpoints[id].collection))].map(name => ({ name })),
    paths: paths(),
    components: {
      schemas: Object.fromEntries(components.map(([name, schema]) => [pascal(name), writtenOut(schema, refer)])),
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: specificationNaming.apiKeyHeader },
      },
    },
  };
}
