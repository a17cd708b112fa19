import { describe, expect, test } from 'vitest';
import { type JsonObject, membersOf } from '../../contracts/json.ts';
import { openSession } from '../sut/session.ts';
import { type Answers, runDouble } from './run.fixture.ts';
import { listSources, readByDryRun } from './source-reading.ts';

/** Answers with a list of `count` sources, in pages of at most `cap`; limits above `refused` are refused. */
const listOf =
  (count: number, cap: number, refused = Number.POSITIVE_INFINITY): Answers =>
  ({ path }) => {
    const query = new URLSearchParams(path.split('?')[1]);
    const limit = Number(query.get('limit') ?? 10);
    if (limit > refused) return { status: 400 };
    const size = Math.min(limit, cap);
    const page = Number(query.get('page') ?? 1);
    const from = (page - 1) * size;
    const data = Array.from({ length: Math.min(size, count - from) }, (_, index) => ({ name: `s${from + index}` }));
    const nextPage = page * size < count ? `/anywhere?page=${page + 1}&limit=${size}` : null;
    const pagination = {
      itemsPerPage: size,
      pageNumber: page,
      totalItems: count,
      nextPage,
      previousPage: null,
      all: '',
    };
    return { value: { message: 'listed', data, pagination } };
  };
const listing = async (answers: Answers, names: readonly string[]) => {
  const run = runDouble({ answers });
  const { sources, ...rest } = await listSources(openSession(run.wire, 'preflight'), names);
  return { ...rest, found: [...sources.keys()], requests: run.sent.length };
};

describe('the list of sources', () => {
  test.each([
    ['in large pages where the target offers them', listOf(700, 100), 8],
    ['in small ones where it does not', listOf(700, 10), 71],
    ['in small ones where a larger limit is refused', listOf(700, 100, 10), 73],
  ])('is read to the one that is looked for, %s', async (_how, answers, requests) => {
    expect(await listing(answers, ['s699'])).toMatchObject({ found: ['s699'], requests });
  });

  test('is read to its end where one is not there, and no further than it takes where all are', async () => {
    expect(await listing(listOf(26, 10), ['s3', 'none'])).toMatchObject({ found: ['s3'], complete: true, read: 26 });
    expect(await listing(listOf(700, 10), ['s3'])).toMatchObject({ found: ['s3'], requests: 1 });
  });

  test('that never ends is read a bounded number of pages', async () => {
    const { complete, requests } = await listing(listOf(1_000_000, 10), ['none']);
    expect(complete).toBe(false);
    expect(requests).toBeLessThanOrEqual(1_000);
  });
});

describe('a dry run', () => {
  const listed = {
    name: 'a',
    sql: 'SELECT 1',
    timestampColumn: 'ts',
    idTypeMapping: [],
    description: 'old',
    tags: ['b', 'a'],
  };
  const shown = async (data: JsonObject | null, source: JsonObject = listed, keeps = false) => {
    const answers: Answers = ({ body }) =>
      data === null
        ? { status: 400 }
        : { value: { data: keeps ? { ...data, ...membersOf(JSON.parse(String(body))) } : data } };
    const run = runDouble({ answers });
    return { ...(await readByDryRun(openSession(run.wire, 'preflight'), 'a', source)), sent: run.sent };
  };
  const more = { isVerified: true, team: null };

  test('sends what the list shows, and learns what it does not', async () => {
    const result = await shown({ ...listed, tags: ['a', 'b'], ...more });
    expect(result).toMatchObject({ more, accepted: true, replaces: false });
    expect(result.sent).toEqual([
      'POST /experiments/qualifying_events/a {"sql":"SELECT 1","timestampColumn":"ts","idTypeMapping":[],"dryRun":true}',
    ]);
  });

  test('that shows another value of what was not sent tells that an update replaces, and nothing else', async () => {
    const reset = { ...listed, description: '', ...more };
    expect(await shown(reset, listed, true)).toMatchObject({ more: {}, replaces: true });
  });

  describe('that shows another value of what was not sent, while other fields are kept,', () => {
    const source = { ...listed, timestampAsDay: true, sourceType: 'query' };
    const read = async (dry: Readonly<Record<string, JsonObject>>, others: readonly JsonObject[] = []) => {
      const answers: Answers = ({ path, body: text }) => {
        const { dryRun: _, ...sent } = membersOf(JSON.parse(String(text))) as JsonObject;
        return { value: { data: { ...source, ...dry[path?.split('/').at(-1) ?? ''], ...sent } } };
      };
      const run = runDouble({ answers });
      const beside = new Map(others.map(other => [String(other.name), other]));
      return readByDryRun(openSession(run.wire, 'preflight'), 'a', source, beside);
    };

    test('tells that the list is wrong, where another source shows it at another value', async () => {
      const other = { ...source, name: 'b', timestampAsDay: false };
      const flipped = { a: { timestampAsDay: false }, b: { timestampAsDay: true } };
      expect(await read(flipped, [other])).toMatchObject({ more: { timestampAsDay: false }, replaces: false });
      const isReset = { a: { timestampAsDay: false }, b: { timestampAsDay: false } };
      expect(await read(isReset, [other])).toMatchObject({ more: {}, replaces: true });
      const former = { a: { sourceType: 'table' }, b: { sourceType: 'query' } };
      expect(await read(former, [other])).toMatchObject({ more: { sourceType: 'table' }, replaces: false });
      // Nobody else can tell.
      expect(await read(flipped)).toMatchObject({ more: {}, replaces: true });
    });
  });

  test('that shows it so although it was sent tells no more than that the answer is wrong', async () => {
    const { sent, ...result } = await shown({ ...listed, description: '', ...more });
    expect(result).toEqual({ more, accepted: true, replaces: false });
    expect(sent.at(-1)).toContain('"description":"old"');
  });

  test.each([
    ['shows nothing that the list shows', { name: 'a', ...more }, listed],
    [
      'agrees in what says nothing alone',
      { ...listed, description: '', tags: [], ...more },
      { ...listed, description: '', tags: [] },
    ],
    ['shows another source', { ...listed, name: 'b', ...more }, listed],
  ])('that %s tells nothing', async (_what, data, source) => {
    expect(await shown(data, source)).toMatchObject({ more: {}, accepted: true, replaces: false });
  });

  test('that is refused, or cannot be made, tells nothing', async () => {
    expect(await shown(null)).toMatchObject({ more: {}, accepted: false });
    expect(await shown({ ...listed }, { name: 'a' })).toMatchObject({ accepted: false, sent: [] });
  });
});
