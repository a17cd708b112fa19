import type { Schema } from '../../contracts/dialect.ts';
import { plainSchema } from '../../contracts/emit/json-schema.ts';
import { spelledOut } from '../../contracts/emit/openapi-schema.ts';
import type { JsonObject } from '../../contracts/json.ts';
import { list, record, recordBut } from '../../contracts/object.ts';
import { tool } from '../../contracts/report/tool.ts';
import { integer, text } from '../../contracts/scalars.ts';
import { controlKeyHeader } from './guard.ts';
import type { ControlRoute } from './route.ts';
import { controlPrefix, controlRoutes, controlVersion } from './routes.ts';

const written = (schema: Schema): JsonObject => plainSchema(schema, { refer: () => undefined, finish: spelledOut });

const json = (schema: JsonObject): JsonObject => ({ 'application/json': { schema } });

const refusal = recordBut(['errors'], {
  status: integer,
  message: text,
  errors: list(record({ pointer: text, message: text })),
});

const refusals: JsonObject = {
  '4XX': { description: 'A refusal, with all that is wrong.', content: json({ $ref: '#/components/schemas/Refusal' }) },
};

const world: JsonObject = {
  name: 'world',
  in: 'query',
  description: 'The name of the world of which the path is to speak; that of the key that is sent when absent.',
  schema: { type: 'string' },
};

const operationOf = ({ id, summary, path, query = {}, body, answer, stream, open }: ControlRoute): JsonObject => ({
  operationId: id,
  summary,
  parameters: [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    ...Object.entries(query).map(([name, schema]) => ({ name, in: 'query', schema: written(schema) })),
    world,
  ],
  ...(body !== undefined && { requestBody: { content: json(written(body)) } }),
  ...(open === true && { security: [] }),
  responses: {
    '200': {
      description: summary,
      content: stream === undefined ? json(written(answer)) : { 'text/event-stream': { schema: written(answer) } },
    },
    ...refusals,
  },
});

/** Builds the OpenAPI 3.1 document of the control paths from the table of their routes. */
export const controlDocument = (): JsonObject => {
  const paths: Record<string, JsonObject> = {};
  for (const route of controlRoutes) {
    const path = `${controlPrefix}/${controlVersion}${route.path}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control of the reference server of the Console Management API',
      version: tool.version,
      description:
        'State, snapshots, requests, behaviours and clock of the world of the key that is sent, else of the default one.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{}, { controlKey: [] }],
    paths,
    components: {
      securitySchemes: { controlKey: { type: 'apiKey', in: 'header', name: controlKeyHeader } },
      schemas: {
        Refusal: written(refusal),
      },
    },
  };
};
