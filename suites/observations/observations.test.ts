import { describe, expect, test } from 'vitest';
import { endpointRow } from '../../contracts/endpoints.ts';
import { type Given, givenAnswer } from '../proof/testing/answers.ts';
import { createObservations, observers, shapeOf } from './observers.ts';

const seen = (given: Given): readonly string[] => {
  const answer = givenAnswer(given);
  return Object.entries(observers).flatMap(([requirement, see]) =>
    [see(answer, endpointRow(answer.request.endpoint)) ?? []].flat().map(({ value }) => `${requirement}: ${value}`),
  );
};
const segments = (pagination: object) => ({
  message: '',
  data: [],
  pagination: { itemsPerPage: 10, pageNumber: 1, totalItems: 20, nextPage: null, previousPage: null, ...pagination },
});

// biome-ignore format: a table
test.each<readonly [what: string, given: Given, seen: readonly string[]]>([
  ['a success as documented',       { value: { data: { id: 'a', isEnabled: true } } },                                     []],
  ['a field beyond the documents',  { value: { data: { id: 'a', shiny: 1 } } },                                            ['open.extra-answer-fields: shiny']],
  ['one in the items of a list',    { endpoint: 'list-segments', value: { data: [{ shiny: 1 }] } },                        ['open.extra-answer-fields: shiny']],
  ['one in a refusal',              { status: 400, value: { data: { shiny: 1 } } },                                        ['open.error-body: { data: { shiny: number } }']],
  ['the unit of a time',            { value: { data: { createdTime: 1_760_000_000_000 } } },                               ['open.timestamp-unit: 13 digits']],
  ['a refusal in JSON',             { status: 400, value: { status: 400, errors: [{ property: 'name' }] } },               ['open.error-body: { status: number, errors: [{ property: string }] }']],
  ['a refusal without a body',      { status: 404 },                                                                       ['open.error-body: empty']],
  ['no answer',                     { failure: { kind: 'timeout', message: '' } },                                         []],
  ['no key',                        { status: 401, value: [], request: { key: { kind: 'none' } } },                        ['open.missing-key-status: status 401', 'open.error-body: []']],
  ['a key in another place',        { status: 401, value: [], request: { key: { kind: 'none' }, headers: { a: 'b' } } },   ['open.error-body: []']],
  ['a wrong key',                   { status: 403, value: [], request: { key: { kind: 'value', value: 'x' } } },           ['open.wrong-key-status: status 403', 'open.error-body: []']],
  ['an empty key',                  { status: 403, value: [], request: { key: { kind: 'value', value: '' } } },            ['open.error-body: []']],
  ['a limit that is obeyed',        { endpoint: 'list-segments', request: { query: { limit: 20 } }, value: segments({ itemsPerPage: 20 }) }, ['open.limit-cap: obeyed']],
  ['a limit that is capped',        { endpoint: 'list-segments', request: { query: { limit: 20 } }, value: segments({}) }, ['open.limit-cap: capped at 10']],
  ['a limit that is refused',       { endpoint: 'list-segments', request: { query: { limit: 20 } }, status: 400 },         ['open.error-body: empty', 'open.limit-cap: status 400']],
  ['a limit of ten',                { endpoint: 'list-segments', request: { query: { limit: 10 } }, value: segments({}) }, []],
  ['the path of a link',            { endpoint: 'list-segments', value: segments({ nextPage: '/v2?page=2&limit=10&sort=a' }) }, ['open.link-path: /v2, also sort']],
  ['a config that was disabled',    { endpoint: 'disable-config', value: { data: { isEnabled: false } } },                 ['open.config-disable-effect: false']],
  ['a config that was archived',    { endpoint: 'archive-config', value: { data: {} } },                                   ['open.config-archive-effect: null']],
  ['a gate that was disabled',      { endpoint: 'disable-gate', value: { data: { isEnabled: false, status: 'Launched' } } }, ['open.gate-status-values: "Launched"']],
  ['the message of a dry run',      { endpoint: 'create-metric', sent: { dryRun: true }, value: { message: 'Tried.', data: {} } }, ['open.dry-run-message: "Tried."']],
])('%s', (_what, given, expected) => {
  expect(seen(given)).toEqual(expected);
});

test.each([
  [null, 'null'],
  [[], '[]'],
  [{}, '{  }'],
  [{ a: { b: { c: { d: 1 } } } }, '{ a: { b: { c: {…} } } }'],
  [[[[[1]]]], '[[[[…]]]]'],
  [
    Object.fromEntries(Array.from({ length: 13 }, (_, index) => [`m${index}`, 1])),
    expect.stringMatching(/m11: number, … }$/),
  ],
  [{ ['x'.repeat(99)]: '' }, `{ ${'x'.repeat(39)}…: string }`],
])('the shape of %j', (value, shape) => {
  expect(shapeOf(value)).toEqual(shape);
});

describe('the observations of a run', () => {
  test('are counted, and sorted whatever came first', () => {
    const observations = createObservations();
    for (const status of [404, 400, 404]) observations.note(givenAnswer({ status }));
    observations.note(
      givenAnswer({
        status: 404,
        request: { asks: { requirement: 'open.unknown-id-status', subject: 'an id' }, rawPath: '/x' },
      }),
    );
    expect(observations.all()).toEqual([
      {
        event: 'observation',
        requirement: 'open.error-body',
        endpoint: 'patch-gate',
        subject: 'body of a refusal',
        value: 'empty',
        count: 3,
      },
      {
        event: 'observation',
        requirement: 'open.unknown-id-status',
        endpoint: 'patch-gate',
        subject: 'an id',
        value: 'status 404',
        count: 1,
      },
    ]);
  });

  test('keep a bounded number of values of one subject, and go on counting those', () => {
    const observations = createObservations();
    const note = (field: string) => observations.note(givenAnswer({ value: { data: { [field]: 1 } } }));
    for (let field = 0; field < 30; field += 1) note(`field ${field}`);
    note('field 0');
    note('field 29');
    const kept = observations.all();
    expect(kept).toHaveLength(12);
    expect(kept.find(({ value }) => value === 'field 0')?.count).toBe(2);
  });
});
