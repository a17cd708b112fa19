import { expect, test } from 'vitest';
import { boundingKeywords, type ObjectSchema, type Schema } from './dialect.ts';
import { schemaFiles } from './emit/schema-files.ts';
import { answerSchema, endpointIds, endpointRow } from './endpoints.ts';
import { fieldTables, tables } from './requirements/tables.ts';
import { validatorFor } from './validation.ts';
import { nodesOf } from './walk.ts';

const everyNode = schemaFiles.flatMap(({ name, schema }) =>
  nodesOf(schema).map(([path, node]) => ({ at: `${name}${path}`, node })),
);
const isObject = (node: Schema): node is ObjectSchema => 'properties' in node && node.properties !== undefined;

/** Returns the faults in a schema of the dialect that types cannot catch. */
function faultsOf(node: Schema): string[] {
  const faults: string[] = [];
  if ('pattern' in node && node.pattern !== undefined) {
    try {
      new RegExp(node.pattern, 'u');
    } catch {
      faults.push(`pattern ${node.pattern}`);
    }
    if (!/^\^\[.+\][*+]\$$/.test(node.pattern)) faults.push(`pattern ${node.pattern} cannot be generated`);
  }
  if (isObject(node)) {
    const names = Object.keys(node.properties ?? {});
    const required = [
      ...(node.required ?? []),
      ...(node.allOf ?? []).flatMap(({ if: when, then }) => [
        ...when.required,
        ...Object.keys(when.properties),
        ...(then.required ?? []),
        ...Object.keys(then.properties ?? {}),
      ]),
    ];
    for (const name of required) if (!names.includes(name)) faults.push(`required ${name}`);
  }
  return faults;
}

test('every required member is a property and every pattern is one that can be generated', () => {
  expect(everyNode.flatMap(({ at, node }) => faultsOf(node).map(fault => `${at}: ${fault}`))).toEqual([]);
});

test('a required member that is none and a pattern that is none are faults', () => {
  expect(faultsOf({ type: 'object', properties: {}, required: ['name'] })).toEqual(['required name']);
  expect(faultsOf({ type: 'string', pattern: '^[a-\\d]*$' })).toEqual(['pattern ^[a-\\d]*$']);
});

test.each(schemaFiles)('$name compiles in the strict mode of ajv', ({ schema }) => {
  expect(() => validatorFor(schema)(null)).not.toThrow();
});

test('every object with named members has a table of fields, and every node only one', () => {
  const nodes = Object.values(tables).flatMap(([, , ...held]) => held);
  expect(new Set(nodes).size).toBe(nodes.length);
  const known = new Set<Schema>(nodes);
  const roots = endpointIds.flatMap(id => {
    const { body, data } = endpointRow(id);
    return [...(body ? [{ id, schema: body }] : []), { id, schema: data }];
  });
  const strangers = roots.flatMap(({ id, schema }) =>
    nodesOf(schema)
      .filter(([, node]) => isObject(node) && !known.has(node))
      .map(([path]) => `${id}${path}`),
  );
  expect(strangers).toEqual([]);
});

test('every table stands somewhere in a request or an answer', () => {
  const reachable = new Set(
    endpointIds.flatMap(id => {
      const { body } = endpointRow(id);
      return [answerSchema(id), ...(body ? [body] : [])].flatMap(root => nodesOf(root).map(([, node]) => node));
    }),
  );
  const lost = fieldTables.filter(name => tables[name].some(node => typeof node === 'object' && !reachable.has(node)));
  expect(lost).toEqual([]);
});

test('every field that must stand beside another names one of its body', () => {
  const strangers = endpointIds.flatMap(id => {
    const { body } = endpointRow(id);
    const members = body?.properties ?? {};
    return Object.entries(members).flatMap(([field, node]) =>
      (node.annotation?.beside ?? [])
        .filter(other => !((other.split('=')[0] ?? '') in members))
        .map(other => `${id} ${field} beside ${other}`),
    );
  });
  expect(strangers).toEqual([]);
});

test('every example is valid', () => {
  const wrong = everyNode.flatMap(({ at, node }) =>
    (node.annotation?.examples ?? [])
      .filter(value => validatorFor(node)(value).length > 0)
      .map(value => `${at}: ${value}`),
  );
  expect(wrong).toEqual([]);
});

test('no answer states a bound, a length or a pattern, but for the digits of a logged event', () => {
  const bounding = boundingKeywords.filter(keyword => keyword !== 'enum' && keyword !== 'const');
  const stated = endpointIds.flatMap(id =>
    nodesOf(answerSchema(id))
      .filter(([, node]) => bounding.some(keyword => keyword in node))
      .map(([path]) => `${id}${path}`),
  );
  expect(stated).toEqual(['list-events/properties/data/items/properties/timestamp']);
});

test('unknown members are legal in every request and answer', () => {
  const closed = endpointIds.flatMap(id => {
    const { body } = endpointRow(id);
    return [answerSchema(id), ...(body ? [body] : [])]
      .flatMap(root => nodesOf(root))
      .filter(([, node]) => 'additionalProperties' in node)
      .map(([path]) => `${id}${path}`);
  });
  expect(closed).toEqual([]);
});
