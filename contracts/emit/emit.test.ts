import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { endpointIds, endpointsWhere } from '../endpoints.ts';
import type { JsonObject } from '../json.ts';
import { samples } from '../resources/samples.fixture.ts';
import { schemaDocument, writtenOut } from './json-schema.ts';
import { schemaFiles } from './schema-files.ts';

/** An ajv without the keywords of the dialect. Its validators are used too seldom to be worth optimising. */
const plain = new Ajv2020({ strict: false, code: { optimize: false } });
/** Compiles each document once, because many tests use the same ones. */
const compiled = (document: JsonObject) => plain.getSchema(String(document.$id)) ?? plain.compile(document);

describe('JSON Schema', () => {
  test('a file for every body, answer and resource, and for what the suite reads and writes', () => {
    const names = schemaFiles.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const bodies = endpointsWhere(row => row.body !== null);
    expect(names.filter(name => name.endsWith('.answer'))).toEqual(endpointIds.map(id => `${id}.answer`));
    expect(names.filter(name => name.endsWith('.request'))).toEqual(bodies.map(id => `${id}.request`));
    expect(names).toEqual(expect.arrayContaining(['journal-event', 'report', 'target-file', 'gate', 'experiment']));
  });

  test.each(schemaFiles)('$name is plain JSON Schema', file => {
    const document = schemaDocument(file);
    expect(document.$id).toBe(`${file.name}.schema.json`);
    expect(document.title).toBe(file.title);
    expect(() => compiled(document)).not.toThrow();
    expect(JSON.stringify(document)).not.toContain('"annotation":{');
  });

  test('what is emitted accepts and refuses as the contract does', () => {
    const file = (name: string) => {
      const found = schemaFiles.find(each => each.name === name);
      if (found === undefined) throw new Error(`no schema file ${name}`);
      return compiled(schemaDocument(found));
    };
    expect(file('gate')(samples.gate)).toBe(true);
    expect(file('gate')({ ...samples.gate, type: 'Permanent' })).toBe(false);
    expect(file('create-metric.request')(samples.metricRequest)).toBe(true);
    expect(
      file('create-metric.request')({ ...samples.metricRequest, metricEvents: [{ name: 'a', type: 'sum' }] }),
    ).toBe(false);
    expect(file('update-qualifying-event.request')(samples.qualifyingEventRequest)).toBe(true);
    expect(file('update-qualifying-event.request')({ ...samples.qualifyingEventRequest, all_columns: undefined })).toBe(
      false,
    );
    expect(file('target-file')({ baseUrl: 'http://localhost', nothing: 1 })).toBe(false);
  });

  test('annotations and nested schemas are written out, a property called annotation is left alone', () => {
    const schema = {
      type: 'object',
      properties: { annotation: { type: 'string', annotation: { formatHint: 'tag' } } },
    } as const;
    expect(writtenOut(schema)).toEqual({
      type: 'object',
      properties: { annotation: { type: 'string', 'x-annotation': { formatHint: 'tag' } } },
    });
  });
});
