import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { answerSchema, endpointIds, endpointRow, endpointsWhere } from '../endpoints.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { samples } from '../resources/samples.fixture.ts';
import { validatorFor } from '../validation.ts';
import { examples } from './examples.ts';
import { openapiDocument } from './openapi.ts';
import { spelledOut } from './openapi-schema.ts';

interface Media {
  readonly schema: { readonly $ref: string };
  readonly example: Json;
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly description: string; readonly example: Json }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content: Record<string, Media> }>>;
}

const document = openapiDocument();
const { schemas } = document.components as { schemas: Readonly<Record<string, JsonObject>> };
const operations = Object.values(document.paths as unknown as Record<string, Record<string, Operation>>).flatMap(item =>
  Object.values(item),
);
const success = ({ responses }: Operation) => responses['200'] ?? responses['2XX'];

/** Returns the schemas in keywords whose value is a schema, a map of schemas or a list of schemas. */
const nestedIn = (schema: JsonObject): [at: string, node: JsonObject][] =>
  Object.entries(schema).flatMap(([keyword, value]): [string, JsonObject][] => {
    if (keyword === 'properties') return Object.entries(value as Record<string, JsonObject>);
    if (keyword === 'items' || keyword === 'then') return [[keyword, value as JsonObject]];
    return keyword === 'anyOf' ? (value as JsonObject[]).map(branch => ['anyOf', branch]) : [];
  });

/** Returns every node of a schema below its root, by its path. */
function below(schema: JsonObject, at: string): [at: string, node: JsonObject][] {
  return nestedIn(schema).flatMap(([step, node]): [string, JsonObject][] => [
    [`${at}/${step}`, node],
    ...below(node, `${at}/${step}`),
  ]);
}

const roots = Object.entries(schemas);
const inner = roots.flatMap(([name, schema]) => below(schema, name));

describe('the OpenAPI document', () => {
  test('a validator finds no error, and would find one', async () => {
    expect(await new Validator().validate(openapiDocument())).toMatchObject({ valid: true });
    expect((await new Validator().validate({ ...openapiDocument(), info: {} })).valid).toBe(false);
  });

  test('has every operation, named by its endpoint', () => {
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual([...endpointIds].sort());
  });

  test('says 200 of every operation, and any 2xx besides where the specification gives no code', () => {
    expect(operations.every(({ responses }) => responses['200'] !== undefined)).toBe(true);
    const stated = operations.filter(({ responses }) => responses['2XX'] === undefined);
    expect(stated.map(({ operationId }) => operationId).sort()).toEqual(
      [...endpointsWhere(row => row.success === 200)].sort(),
    );
    const others = operations.filter(operation => !stated.includes(operation));
    expect(others.map(({ responses }) => Object.keys(responses))).toEqual(others.map(() => ['200', '2XX', '4XX']));
  });

  test('leads every reference somewhere, and refers to every component', () => {
    const text = JSON.stringify(document);
    const used = new Set([...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(match => match[1] ?? ''));
    expect([...used].sort()).toEqual(Object.keys(schemas).sort());
  });

  test('sends the key in a header', () => {
    const { securitySchemes } = document.components as { securitySchemes: unknown };
    expect(securitySchemes).toEqual({ apiKey: { type: 'apiKey', in: 'header', name: 'SERVICE-API-KEY' } });
  });
});

describe('what a generator makes types of', () => {
  test('every object with members, every closed set and every body and answer has a name of its own', () => {
    const unnamed = inner.filter(
      ([at, { enum: closed, properties }]) =>
        closed !== undefined || (properties !== undefined && !at.endsWith('/then')),
    );
    expect(unnamed.map(([at]) => at)).toEqual([]);
    const written = operations.flatMap(operation => [
      ...Object.values(operation.requestBody?.content ?? {}),
      ...Object.values(success(operation)?.content ?? {}),
    ]);
    expect(written.filter(({ schema }) => schema.$ref === undefined)).toEqual([]);
  });

  test('every component says what it is', () => {
    expect(roots.filter(([, { description }]) => description === undefined).map(([name]) => name)).toEqual([]);
  });

  test('no closed set is without its type, no free-form object without members, no list without items', () => {
    const vague = [...roots, ...inner].filter(([, { type, enum: closed, ...node }]) => {
      if (closed !== undefined || node.const !== undefined) return type === undefined;
      if ([type].flat().includes('array')) return node.items === undefined;
      return [type].flat().includes('object') && node.properties === undefined && node.additionalProperties !== true;
    });
    expect(vague.map(([at]) => at)).toEqual([]);
  });

  // biome-ignore format: a table
  test.each<[what: string, written: JsonObject, spelled: JsonObject]>([
    ['a closed set of texts',          { enum: ['a', 'b'] },                   { type: 'string', enum: ['a', 'b'] }],
    ['a closed set with null',         { enum: ['a', null] },                  { type: ['string', 'null'], enum: ['a', null] }],
    ['a closed set of numbers',        { enum: [1, 2] },                       { type: 'integer', enum: [1, 2] }],
    ['a constant',                     { const: 'a' },                         { type: 'string', const: 'a' }],
    ['an object of any members',       { type: 'object' },                     { type: 'object', additionalProperties: true }],
    ['an object or null',              { type: ['object', 'null'] },           { type: ['object', 'null'], additionalProperties: true }],
    ['an object with members',         { type: 'object', properties: {} },     { type: 'object', properties: {} }],
    ['a closed object',                { type: 'object', additionalProperties: false }, { type: 'object', additionalProperties: false }],
    ['a list of anything',             { type: 'array' },                      { type: 'array', items: {} }],
    ['any value',                      {},                                     {}],
    ['a condition',                    { allOf: [{ if: {}, then: { required: ['a'] } }] }, { if: {}, then: { required: ['a'], properties: { a: {} } } }],
  ])('%s is spelled out', (_what, written, spelled) => {
    expect(spelledOut(written)).toEqual(spelled);
  });

  test('two conditions stay side by side', () => {
    const condition = { if: {}, then: { properties: {} } };
    expect(spelledOut({ allOf: [condition, condition] })).toEqual({ allOf: [condition, condition] });
  });
});

describe('the schemas of the document', () => {
  const ajv = new Ajv2020({ strict: false }).addSchema(document, 'openapi.json');
  const accepts = (name: string, value: unknown): boolean =>
    ajv.validate({ $ref: `openapi.json#/components/schemas/${name}` }, value) as boolean;

  // biome-ignore format: a table
  test.each<[name: string, sample: object, broken: object]>([
    ['Gate',                         samples.gate,                   { type: 'Permanent' }],
    ['Gate',                         samples.gate,                   { rules: {} }],
    ['Experiment',                   samples.experiment,             { groups: [{ size: '50' }] }],
    ['Experiment',                   samples.experiment,             { analyticsType: 'Bayesian' }],
    ['DynamicConfig',                samples.dynamicConfig,          { defaultValue: [] }],
    ['CreateMetricRequest',          samples.metricRequest,          { metricEvents: [{ name: 'a', type: 'sum' }] }],
    ['UpdateQualifyingEventRequest', samples.qualifyingEventRequest, { all_columns: undefined }],
  ])('%s accepts and refuses as the contract does', (name, sample, broken) => {
    expect(accepts(name, sample)).toBe(true);
    expect(accepts(name, JSON.parse(JSON.stringify({ ...sample, ...broken })))).toBe(false);
  });

  test.each([{ message: 'no', code: 7 }, 'no', ['no'], null, 4, false])('a refusal may say %j', said => {
    expect(accepts('Refusal', said)).toBe(true);
  });
});

describe('the examples of the document', () => {
  test.each(operations.map(operation => [operation.operationId, operation] as const))(
    'of %s are there, for request, parameters and answer, and valid',
    (operationId, operation) => {
      const id = endpointIds.find(one => one === operationId);
      if (id === undefined) throw new Error(operationId);
      const { body } = endpointRow(id);
      const answer = success(operation)?.content['application/json']?.example;
      expect(validatorFor(answerSchema(id))(answer)).toEqual([]);
      if (body !== null)
        expect(validatorFor(body)(operation.requestBody?.content['application/json']?.example)).toEqual([]);
      for (const { description, example } of operation.parameters ?? []) {
        expect(description).not.toBe('');
        expect(example).not.toBeNull();
      }
    },
  );

  test('show an answer to their own request', () => {
    for (const id of endpointIds) {
      const { identity } = endpointRow(id);
      const { param, data } = examples[id];
      if (identity?.is !== 'param') continue;
      const items = [data].flat() as readonly JsonObject[];
      expect(items.map(item => (isObject(item) ? item[identity.member] : null))).toEqual(items.map(() => param));
    }
  });
});
