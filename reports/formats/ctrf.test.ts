import { describe, expect, test } from 'vitest';
import type { Schema } from '../../contracts/dialect.ts';
import { validatorFor } from '../../contracts/validation.ts';
import { type ExampleName, examples } from '../testing/examples.fixture.ts';
import { reportOf, written } from '../testing/runs.fixture.ts';
import { ctrf } from './ctrf.ts';

const text = { type: 'string' } as const satisfies Schema;
const count = { type: 'integer', minimum: 0 } as const satisfies Schema;

/**
 * The part of the format's schema that concerns our output: required members, types, closed sets, and no unknown
 * members.
 */
const format = {
  type: 'object',
  properties: {
    reportFormat: { const: 'CTRF' },
    specVersion: { const: '0.0.0' },
    generatedBy: text,
    results: {
      type: 'object',
      properties: {
        tool: {
          type: 'object',
          properties: { name: { type: 'string', minLength: 1 }, version: text },
          required: ['name'],
          additionalProperties: false,
        },
        summary: {
          type: 'object',
          properties: {
            tests: count,
            passed: count,
            failed: count,
            skipped: count,
            pending: count,
            other: count,
            suites: count,
            start: count,
            stop: count,
          },
          required: ['tests', 'passed', 'failed', 'skipped', 'pending', 'other', 'start', 'stop'],
          additionalProperties: false,
        },
        tests: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              name: { type: 'string', minLength: 1 },
              status: { enum: ['passed', 'failed', 'skipped', 'pending', 'other'] },
              duration: { type: 'integer' },
              suite: { type: 'array', minItems: 1, items: text },
              message: text,
              trace: text,
              rawStatus: text,
            },
            required: ['name', 'status', 'duration'],
            additionalProperties: false,
          },
        },
        environment: {
          type: 'object',
          properties: { testEnvironment: text, extra: { type: 'object' } },
          additionalProperties: false,
        },
      },
      required: ['tool', 'summary', 'tests'],
      additionalProperties: false,
    },
  },
  required: ['reportFormat', 'specVersion', 'results'],
  additionalProperties: false,
} as const satisfies Schema;

interface Test {
  readonly name: string;
  readonly status: string;
  readonly message?: string;
  readonly trace?: string;
  readonly rawStatus: string;
}

function write(name: ExampleName) {
  const document = JSON.parse(written(ctrf, examples[name])) as {
    results: { summary: Record<string, number>; tests: Test[] };
  };
  return { document, ...document.results };
}

const names = Object.keys(examples) as ExampleName[];

describe('CTRF', () => {
  test.each(names)('a run that is %s keeps the schema, and its counts are right', name => {
    const { document, summary, tests } = write(name);
    expect(validatorFor(format)(document)).toEqual([]);
    const of = (status: string) => tests.filter(one => one.status === status).length;
    expect(summary).toMatchObject({
      tests: tests.length,
      passed: of('passed'),
      failed: of('failed'),
      skipped: of('skipped'),
    });
    expect(new Set(tests.map(one => one.name)).size).toBe(tests.length);
  });

  test('no run but one that exits with 0 is without a failed test', () => {
    for (const name of names)
      expect([name, write(name).summary.failed === 0]).toEqual([name, reportOf(examples[name]).exitCode === 0]);
  });

  // biome-ignore format: a table
  test.each<[ExampleName, id: string, status: string, raw: string]>([
    ['green',     'patch-gate/reject',          'passed',  'pass'],
    ['failing',   'patch-gate/reject',          'failed',  'fail'],
    ['warned',    'list-segments/headers',      'passed',  'warn'],
    ['untested',  'patch-gate/reject',          'skipped', 'untested'],
    ['untested',  'patch-gate/verdict',         'failed',  'incomplete'],
    ['untested',  'update-environments/reject', 'skipped', 'not-applicable'],
    ['fault',     'list-events/envelope',       'failed',  'error'],
    ['truncated', 'run/verdict',                'failed',  'non-conformant'],
    ['empty',     'run/verdict',                'failed',  'incomplete'],
  ])('in a run that is %s, %s is %s (%s)', (name, id, status, raw) => {
    expect(write(name).tests.find(one => one.name === id)).toMatchObject({ status, rawStatus: raw });
  });
});
