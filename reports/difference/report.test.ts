import { describe, expect, test } from 'vitest';
import { acknowledgedSchema, differenceReport as schema } from '../../contracts/report/difference.ts';
import { validatorFor } from '../../contracts/validation.ts';
import {
  comparedServers,
  comparisonOf,
  openPlace,
  place,
  side,
  unsaidPlace,
} from '../testing/compared-servers.fixture.ts';
import { differences } from '../testing/differences.fixture.ts';
import { tooLong, wrongType } from '../testing/findings.fixture.ts';
import { reportOf, run } from '../testing/runs.fixture.ts';
import { differenceReport } from './report.ts';

const titles = (...places: Parameters<typeof comparedServers>[0]) =>
  differenceReport(comparedServers(places)).differences.map(({ id, title }) => `${id} ${title}`);

describe('the report of a comparison', () => {
  test.each(Object.entries(differences))('%s keeps its schema, and is the same once it was written', (_, report) => {
    expect(validatorFor(schema)(report)).toEqual([]);
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  });

  test('stands in the order in which to look at it: MUSTs of B, of A, SHOULDs, what is open, what nobody says', () => {
    expect(differences.mixed.differences.map(({ id, label, level }) => [id, label, level])).toEqual([
      ['D1', 'b-breaks', 'MUST'],
      ['D2', 'a-breaks', 'MUST'],
      ['D3', 'b-breaks', 'SHOULD'],
      ['D4', 'open', undefined],
      ['D5', 'open', undefined],
      ['D6', 'unsaid', undefined],
    ]);
  });

  test('names both sides, the symptom first', () => {
    expect(differences.mixed.differences.map(({ title }) => title)).toEqual([
      'B accepts (200) what A refuses (400), at patch-gate',
      'A shows `pagination.totalItems` as 31, B as 30, at list-events',
      'B shows the header `content-type` as text/plain, A as application/json, at disable-gate',
      'B answers 422 where A answers 400, at patch-gate, create-metric',
      'B leaves out `createdBy`, which A shows, at patch-gate',
      'B shows `data[*].etag`, which A leaves out, at patch-gate',
    ]);
  });

  test('is one where a server shows members that the other leaves out, however many', () => {
    const shows = (pointer: string, absent: 'a' | 'b') =>
      unsaidPlace({
        pointer,
        aspect: 'presence',
        a: 'a text',
        b: 'a text',
        [absent]: 'nothing (the member is absent)',
      });
    const added = [shows('/data/etag', 'a'), shows('/data/owner/links', 'a'), shows('/data/owner/etag', 'a')];
    expect(titles(...added, shows('/cursor', 'a'), shows('/data/team', 'b'))).toEqual([
      'D1 B shows `etag` and 1 other member, which A leaves out, at patch-gate',
      'D2 B shows `cursor`, which A leaves out, at patch-gate',
      'D3 B leaves out `team`, which A shows, at patch-gate',
    ]);
  });

  // biome-ignore format: a table
  test.each([
    ['a refusal of what the other accepts',  place({ a: 'status 200', b: 'status 422' }),                                      'B refuses (422) what A accepts (200), at patch-gate'],
    ['of A, told from A',                    place({ label: 'a-breaks', a: 'status 500', b: 'status 422', aspect: 'status' }), 'A answers 500 where B answers 422, at patch-gate'],
    ['an answer that never came',            place({ aspect: 'answered', a: 'status 200', b: 'no answer: socket hang up' }),    'B gives no answer where A answers 200, at patch-gate'],
    ['an answer that the other never gave',  openPlace({ aspect: 'answered', a: 'no answer', b: 'status 200' }),                'B answers 200 where A gives no answer, at patch-gate'],
    ['a value',                              openPlace({ aspect: 'value', pointer: '/data/version', a: '7', b: '8' }),          'B shows `version` as 8, A as 7, at patch-gate'],
    ['a type',                               place({ aspect: 'type', pointer: '/data/version', a: 'an integer', b: 'a string' }), 'B shows `version` as a string, A as an integer, at patch-gate'],
    ['an order',                             openPlace({ aspect: 'order', pointer: '/data/tags' }),                             'B shows `tags` in another order than A, at patch-gate'],
    ['the body as a whole',                  openPlace({ aspect: 'type', pointer: 'body', a: 'JSON', b: 'text' }),               'B shows the body as text, A as JSON, at patch-gate'],
  ])('says %s in a line', (_, one, title) => {
    expect(titles(one)).toEqual([`D1 ${title}`]);
  });

  test('counts endpoints where there are many', () => {
    const ids = ['patch-gate', 'create-metric', 'list-events', 'list-segments', 'disable-gate'] as const;
    expect(titles(...ids.map(endpoint => openPlace({ endpoint })))).toEqual([
      'D1 B answers 422 where A answers 400, at 5 endpoints',
    ]);
  });

  test('tells the places of one cause as one difference, and what no cause explains by its requirement', () => {
    const broken = run({
      'patch-gate/reject': ['fail', { findings: [tooLong] }],
      'disable-gate/reject': ['fail', { findings: [tooLong] }],
      'disable-gate/envelope': ['fail', { findings: [wrongType] }],
    });
    const { differences: own } = differenceReport(
      comparedServers(
        [
          place(),
          place({ endpoint: 'disable-gate' }),
          place({ endpoint: 'disable-gate', requirement: 'gate.isEnabled.type', pointer: '/data/isEnabled' }),
          place({ endpoint: 'create-metric', requirement: 'metric.id' }),
          place({ endpoint: 'list-events', requirement: 'metric.id' }),
        ],
        { reports: { b: reportOf(broken) } },
      ),
    );
    expect(own.map(({ cause, requirements, endpoints }) => [cause, requirements, endpoints.length])).toEqual([
      ['F1', ['gate.description.maxLength'], 2],
      [undefined, ['metric.id'], 2],
      ['F2', ['gate.isEnabled.type'], 1],
    ]);
  });

  test('never takes a cause of one side for a difference of the other', () => {
    const { differences: own } = differenceReport(comparedServers([place({ label: 'a-breaks' })]));
    expect(own).toMatchObject([{ label: 'a-breaks' }]);
    expect(own[0]).not.toHaveProperty('cause');
  });

  test('tells fields that are left open one by one, and statuses together', () => {
    const { differences: own } = differenceReport(
      comparedServers([
        ...['/data/a', '/data/b', '/data/*/a'].map(pointer =>
          openPlace({ requirement: 'open.extra-answer-fields', pointer, aspect: 'presence' }),
        ),
        openPlace(),
        openPlace({ pointer: 'body', aspect: 'type' }),
        unsaidPlace(),
        unsaidPlace({ endpoint: 'list-events' }),
        unsaidPlace({ aspect: 'type' }),
      ]),
    );
    expect(own.map(({ label, places }) => [label, places.length]).toSorted()).toEqual([
      ['open', 1],
      ['open', 2],
      ['open', 2],
      ['unsaid', 1],
      ['unsaid', 2],
    ]);
  });

  test('findings that both servers have never fail it', () => {
    const broken = run({ 'patch-gate/reject': ['fail', { findings: [tooLong] }] });
    const reports = { a: reportOf(broken), b: reportOf(broken) };
    expect(differenceReport(comparedServers([], { reports }))).toMatchObject({ verdict: 'alike', exitCode: 0 });
  });

  // biome-ignore format: a table
  test.each([
    ['a broken MUST',     place(),                    1, 1, 1],
    ['a broken SHOULD',   place({ level: 'SHOULD' }), 0, 1, 1],
    ['what is left open', openPlace(),                0, 1, 1],
    ['what nobody says',  unsaidPlace(),              0, 0, 1],
  ])('%s fails it by what --fail-on says', (_, one, must, open, any) => {
    const codes = (['must', 'open', 'any'] as const).map(failOn => {
      const { options } = comparedServers([]);
      return differenceReport(comparedServers([one], { options: { ...options, failOn } })).exitCode;
    });
    expect(codes).toEqual([must, open, any]);
  });

  test('a side that died makes it incomplete, and is told', () => {
    expect(differences.incomplete).toMatchObject({
      verdict: 'incomplete',
      exitCode: 3,
      because: 'B stopped answering, or could not be gone on with: it stopped answering (ECONNREFUSED)',
    });
    const nothing = comparisonOf([], {
      compared: 0,
      alike: 0,
      notCompared: [{ because: 'no list holds still', count: 3, endpoints: [] }],
    });
    expect(differenceReport(comparedServers([], { comparison: nothing }))).toMatchObject({
      exitCode: 3,
      because: 'nothing could be compared: no list holds still',
    });
    expect(differenceReport(comparedServers([], { a: side('a', { outcome: 'interrupted' }) }))).toMatchObject({
      exitCode: 130,
    });
  });

  test('the file of acknowledged differences has a schema of its own', () => {
    expect(validatorFor(acknowledgedSchema)({ version: 1, acknowledged: [] })).toEqual([]);
    expect(validatorFor(acknowledgedSchema)({ version: 1, acknowledged: [], more: 1 })).not.toEqual([]);
  });
});
