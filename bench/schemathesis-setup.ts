import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ReferenceKind, Schema } from '../contracts/dialect.ts';
import { type EndpointId, endpointIds, endpointRow } from '../contracts/endpoints.ts';
import { references } from '../suites/generators/index.ts';
import type { WireRequest } from '../suites/protocol/reply.ts';
import type { Target } from '../suites/protocol/sut.ts';
import { isBlockedRequest, minimalRequest } from '../suites/sut/minimal-request.ts';
import { steadyRequests } from './steady-requests.ts';

type Node = Record<string, unknown>;

/** Returns the words of a target file for a reference that is a text; for groups, those of the first experiment. */
function textsOf(target: Target, kind: ReferenceKind): readonly string[] {
  if (kind === 'group') return target.fixtures.experiments?.[0]?.groups ?? [];
  return target.references(kind).filter(word => typeof word === 'string');
}

/** True if a schema allows a text, or a text or null. */
const takesText = ({ type }: { readonly type?: unknown }): boolean => [type].flat().includes('string');

/** Gives every reference field the words of the target file as examples. */
function withWords(target: Target, node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  const { 'x-annotation': annotation } = node as { 'x-annotation'?: { refersTo?: ReferenceKind } };
  const words = annotation?.refersTo === undefined ? [] : textsOf(target, annotation.refersTo);
  if (words.length > 0 && takesText(node)) (node as Node).examples = words;
  for (const child of Object.values(node)) withWords(target, child);
}

/** Returns the reference fields of a body, as paths in the syntax of Schemathesis, and the kind of each. */
function referencesIn(schema: Schema, path: string): readonly (readonly [path: string, kind: ReferenceKind])[] {
  const own = schema.annotation?.refersTo;
  const children = [
    ...Object.entries(schema.properties ?? {}).map(([name, child]) => [`${path}.${name}`, child] as const),
    ...(schema.items === undefined ? [] : [[`${path}[*]`, schema.items] as const]),
    ...(schema.anyOf ?? []).map(child => [path, child] as const),
  ];
  return [
    ...(own !== undefined && takesText(schema) ? [[path, own] as const] : []),
    ...children.flatMap(([at, child]) => referencesIn(child, at)),
  ];
}

/** Values of a stated query parameter that every server accepts; which others are refused is not specified. */
const words: Readonly<Record<string, readonly number[]>> = { limit: [10, 1, 2, 5], page: [1, 2, 3] };

function pageWords(name: string): readonly number[] {
  const found = words[name];
  if (found === undefined) throw new Error(`there are no values for the query parameter ${name}`);
  return found;
}

/** Returns the body of a minimal request: an example that a server accepts. */
const exampleOf = ({ body }: WireRequest): unknown => (typeof body === 'string' ? JSON.parse(body) : undefined);

/** Returns the OpenAPI document with a target file's examples, for all parameters and bodies, and reference words. */
function documentFor(target: Target): unknown {
  const document = JSON.parse(
    readFileSync(fileURLToPath(new URL('../contracts/openapi.json', import.meta.url)), 'utf8'),
  );
  withWords(target, document);
  for (const [id, request] of steadyRequests(target)) {
    const { method, path, body } = endpointRow(id);
    const { required = [] } = body ?? {};
    const operation = document.paths[path][method.toLowerCase()];
    const example = exampleOf(request);
    if (example !== undefined) {
      operation.requestBody.content['application/json'].example = example;
      // If no field is required, the specification leaves open what an absent body means.
      operation.requestBody.required = required.length > 0;
    }
    const minimal = minimalRequest(target, { qualifyingEvents: new Map() }, id);
    for (const parameter of operation.parameters ?? []) {
      if (parameter.in === 'query') {
        delete parameter.example;
        parameter.examples = Object.fromEntries(pageWords(parameter.name).map(value => [`${value}`, { value }]));
      } else if (!isBlockedRequest(minimal)) parameter.example = minimal.param;
    }
  }
  return document;
}

const text = (value: unknown): string => JSON.stringify(value);

function operationSettings(target: Target, id: EndpointId): string[] {
  const { param, query, body } = endpointRow(id);
  const minimal = minimalRequest(target, { qualifyingEvents: new Map() }, id);
  const found = body === null ? [] : referencesIn(body, 'body').filter(([, kind]) => textsOf(target, kind).length > 0);
  return [
    '[[operations]]',
    `include-operation-id = ${text(id)}`,
    '[operations.parameters]',
    ...(param === null || isBlockedRequest(minimal) ? [] : [`${text(`path.${param}`)} = ${text(minimal.param)}`]),
    ...Object.keys(query?.properties ?? {}).map(name => `${text(`query.${name}`)} = { dictionary = ${text(name)} }`),
    ...[...new Map(found)].map(([at, kind]) => `${text(at)} = { dictionary = ${text(kind)} }`),
  ];
}

/** Returns the configuration file of Schemathesis: the ids to use, and the words of references in bodies. */
function configurationFor(target: Target): string {
  const hooks = fileURLToPath(new URL('./schemathesis_hooks.py', import.meta.url));
  const kinds = Object.keys(references) as ReferenceKind[];
  const dictionaries = kinds.flatMap(kind => {
    const words = textsOf(target, kind);
    return words.length === 0 ? [] : [`[dictionaries.${kind}]`, `values = ${text(words)}`];
  });
  return [
    `hooks = ${text(hooks)}`,
    '[cache]',
    'enabled = false',
    ...dictionaries,
    ...Object.keys(words).flatMap(name => [`[dictionaries.${name}]`, `values = ${text(pageWords(name))}`]),
    ...endpointIds.flatMap(id => operationSettings(target, id)),
    '',
  ].join('\n');
}

/** Writes the OpenAPI document and the configuration that give Schemathesis the information in our target file. */
export function writeSetup(directory: string, target: Target): void {
  writeFileSync(join(directory, 'openapi.json'), text(documentFor(target)));
  writeFileSync(join(directory, 'schemathesis.toml'), configurationFor(target));
}
