import standalone from 'ajv/dist/standalone/index.js';
import { createCompiler } from '../contracts/compiler.ts';
import type { Properties, Schema } from '../contracts/dialect.ts';
import { schemaFiles } from '../contracts/emit/schema-files.ts';
import { endpointIds, endpointRow, endpoints } from '../contracts/endpoints.ts';
import { fingerprint, moduleFile, precompiledIndex } from '../contracts/precompiled.ts';
import { recordedBreach, recordedExchange, recordingHead } from '../contracts/report/recording.ts';
import { namedResources } from '../contracts/resources/named.ts';
import { seedSchema, spelledOutSeedSchema } from '../contracts/seed.ts';
import { namingSchema } from '../contracts/target.ts';
import { nodesOf } from '../contracts/walk.ts';
import { comparedFields } from '../suites/model/compare.ts';
import { bundledModule } from './bundled.ts';

/** A schema with which the program validates, and its name. */
export type NamedSchema = readonly [name: string, schema: Schema];

/**
 * Returns the parts of a request body by which generators and ledger validate values: unions and their branches,
 * objects with and without their conditions, members that a condition narrows.
 */
function partsOf(body: Schema): readonly NamedSchema[] {
  const narrowed = (at: string, properties: Properties = {}, wide: Properties = {}): NamedSchema[] =>
    Object.entries(properties).flatMap(([name, node]) => [
      [`${at}.then.${name}`, node],
      ...(wide[name] === undefined ? [] : [[`${at}.${name}`, wide[name]] as const]),
    ]);
  return nodesOf(body).flatMap(([path, node]): NamedSchema[] => {
    const at = path.replaceAll('/', '.');
    if ('anyOf' in node && node.anyOf !== undefined)
      return [[at, node], ...node.anyOf.map((branch, index) => [`${at}.branch.${index}`, branch] as const)];
    if (!('allOf' in node) || node.allOf === undefined) return [];
    const { allOf, properties } = node;
    const free: NamedSchema = [`${at}.unconditional`, { ...node, allOf: [] } as Schema];
    return [
      [at, node],
      free,
      ...allOf.flatMap(({ then }, index) => narrowed(`${at}.${index}`, then.properties, properties)),
    ];
  });
}

// No answer is validated by a resource's schema alone.
const resources = new Set(namedResources.map(([name]) => name));

const all = schemaFiles.flatMap(({ name, schema }): NamedSchema[] => {
  const parts = name.endsWith('.request') ? partsOf(schema) : [];
  // A seed is validated after its entities are spelled out.
  if (schema === seedSchema) return [[name, spelledOutSeedSchema]];
  return resources.has(name) ? [] : [[name, schema], ...parts.map(([at, node]) => [`${name}${at}`, node] as const)];
});

/** The values of fields in answers are only compared if they have the right type. */
const shown = endpointIds.flatMap(id => {
  const row = endpointRow(id);
  return [...comparedFields(row)].flatMap(([name, field]): NamedSchema[] =>
    field.shown === undefined ? [] : [[`shown-${row.resource}.${name}`, field.shown]],
  );
});

const { properties: metric } = endpoints['create-metric'].data;

/** Values that the answer to a creation shows unasked are only compared if they have the right type. */
const created = Object.entries(metric).map(([name, schema]): NamedSchema => [`created-metric.${name}`, schema]);

/** The lines of a recording. */
const recorded: readonly NamedSchema[] = [
  ['recording-head', recordingHead],
  ['recorded-exchange', recordedExchange],
  ['recorded-breach', recordedBreach],
];

/** Every schema with which the program validates during a run; equal ones once, under the first of their names. */
export const shippedSchemas: readonly NamedSchema[] = [
  ...new Map(
    [...all, ...shown, ...created, ...recorded, ['naming', namingSchema] as const]
      .toReversed()
      .map(row => [fingerprint(row[1]), row]),
  ).values(),
];

/** A file of the folder of precompiled validators. */
export interface PrecompiledFile {
  readonly name: string;
  readonly text: string;
}

function moduleOf(schema: Schema): Promise<string> {
  // A compiler for each schema, so that a module's text does not depend on the other schemas.
  const compiler = createCompiler({ source: true, optimize: true });
  return bundledModule(standalone.default(compiler, compiler.compile(schema)));
}

/** Returns the files that validate by these schemas: a module for each, and their index. */
export async function precompiledFiles(schemas: readonly NamedSchema[]): Promise<readonly PrecompiledFile[]> {
  const index = Object.fromEntries(schemas.map(([name, schema]) => [fingerprint(schema), name]));
  return [
    ...(await Promise.all(
      schemas.map(async ([name, schema]) => ({ name: moduleFile(name), text: await moduleOf(schema) })),
    )),
    { name: precompiledIndex, text: `${JSON.stringify(index, null, 2)}\n` },
  ];
}
