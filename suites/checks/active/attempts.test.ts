import { describe, expect, test } from 'vitest';
import { type Json, type JsonObject, membersOf } from '../../../contracts/json.ts';
import type { AcceptCase } from '../../generators/index.ts';
import { type Given, onePage } from '../../proof/testing/answers.ts';
import { contextOf, modelSession } from '../../proof/testing/judged-by.ts';
import { createModel, type Wrong } from '../../proof/testing/model.ts';
import { createAttempts } from './attempts.ts';
import { createTurns } from './turns.ts';

const context = contextOf('patch-gate');
const minimal = context.minimal.body as JsonObject;
const isMinimal = (body: Json | undefined): boolean => JSON.stringify(body) === JSON.stringify(minimal);

/** A case that sends a tag on top of the minimal request. */
const tagged = (tag: string): AcceptCase => ({
  title: tag,
  pointer: '/tags',
  value: [tag],
  body: { ...minimal, tags: [tag] },
  level: 'MUST',
  keyword: 'example',
});

/** Gives these answers in order; the model answers for `undefined`, and all later requests. */
const inOrder =
  (of: (body: Json | undefined) => boolean, answers: readonly (Given | undefined)[]): Wrong =>
  model => {
    let number = -1;
    return (request, body) => {
      if (!of(body)) return model(request, body);
      number += 1;
      return answers[number] ?? model(request, body);
    };
  };
const always =
  (of: (body: Json | undefined) => boolean, answer: Given): Wrong =>
  model =>
  (request, body) =>
    of(body) ? answer : model(request, body);
const both =
  (one: Wrong, other: Wrong): Wrong =>
  model =>
    one(other(model));

const refused: Given = { status: 422, value: { message: 'No such tag.' } };
const quota: Given = { status: 402, value: { message: 'Your plan allows 60 changes.' } };
const isTagged = (body: Json | undefined): boolean => !isMinimal(body) && JSON.stringify(body) !== '{}';

function attempting(wrong: Wrong, mostExamined = 3) {
  const session = modelSession(wrong(createModel()));
  const attempts = createAttempts({
    context,
    turns: createTurns(),
    requirementOf: () => 'accept.plain-value',
    mostExamined,
    asSent: body => body,
  });
  const attempt = async (tag: string) => {
    const { violations, because, proved } = await attempts.attempt(tagged(tag), session);
    return { found: violations.map(({ requirement, doubt }) => [requirement, doubt]), because, proved };
  };
  return { attempt, attempts, sent: session.sent };
}

describe('a case that must be accepted', () => {
  test('is sent alone where it is accepted', async () => {
    const { attempt, sent } = attempting(model => model);
    expect(await attempt('a')).toEqual({ found: [], because: undefined, proved: true });
    expect(sent).toHaveLength(1);
  });

  test('and is refused each time is a failure: between two minimal requests that are accepted', async () => {
    const { attempt, sent } = attempting(always(isTagged, refused));
    expect((await attempt('a')).found).toEqual([['accept.plain-value', undefined]]);
    const withTag = { ...minimal, tags: ['a'] };
    expect(sent.map(({ body }) => body)).toEqual([withTag, minimal, withTag, minimal]);
  });

  test('and is refused once is a warning, and nothing where the circumstances refused it', async () => {
    const doubt = 'refused at first (status 422: "No such tag."), accepted when sent again';
    expect((await attempting(inOrder(isTagged, [refused])).attempt('a')).found).toEqual([
      ['accept.plain-value', doubt],
    ]);
    const conflict = await attempting(inOrder(isTagged, [{ ...refused, status: 409 }])).attempt('a');
    expect(conflict).toMatchObject({ found: [], proved: true });
  });

  test('and is refused for a plan or a permission, while others are accepted, is a warning', async () => {
    const isNew = (body: Json | undefined): boolean => JSON.stringify(membersOf(body).tags) === '["new"]';
    const doubt = 'its status is that of a plan or a permission, which may be about this value alone';
    const statuses = async (status: number) => (await attempting(always(isNew, { status })).attempt('new')).found;
    for (const status of [402, 403]) expect(await statuses(status)).toEqual([['accept.plain-value', doubt]]);
    expect(await statuses(400)).toEqual([['accept.plain-value', undefined]]);
  });

  test('proves nothing once the minimal request is refused too, and neither does any that follows', async () => {
    const { attempt, sent } = attempting(both(always(isMinimal, quota), always(isTagged, quota)));
    const because = 'the minimal request was refused (status 402: "Your plan allows 60 changes.")';
    expect(await attempt('a')).toEqual({ found: [], because, proved: false });
    const before = sent.length;
    expect(await attempt('b')).toEqual({ found: [], because, proved: false });
    expect(sent).toHaveLength(before);
  });

  test('proves nothing where the target had enough between the two tries', async () => {
    const { attempt } = attempting(both(inOrder(isMinimal, [undefined, quota]), always(isTagged, quota)));
    const because = 'the minimal request, accepted before, is refused now (status 402: "Your plan allows 60 changes.")';
    expect(await attempt('a')).toEqual({ found: [], because, proved: false });
  });

  test('is a warning where its refusal is not examined, for the requests around it would leave something', async () => {
    const { attempt, sent } = attempting(always(isTagged, refused), 1);
    await attempt('a');
    const before = sent.length;
    const doubt = 'not sent again, as the minimal requests around it would leave something';
    expect((await attempt('b')).found).toEqual([['accept.plain-value', doubt]]);
    expect(sent).toHaveLength(before + 1);
  });

  test('and is refused beside or without an optional field that the refusal names is a warning', async () => {
    const own = contextOf('create-metric');
    const citedWhere = async (
      isRefused: (body: Json | undefined) => boolean,
      answer = refused,
      keyword = 'example',
    ) => {
      const attempts = createAttempts({
        context: own,
        turns: createTurns(),
        requirementOf: () => 'accept.plain-value',
        mostExamined: 3,
        asSent: body => body,
      });
      const session = modelSession(always(isRefused, answer)(createModel()));
      const body = { ...own.minimal.body, tags: ['case'] };
      const { violations } = await attempts.attempt({ ...tagged('case'), body, keyword }, session);
      return violations.map(({ requirement, expected }) => [requirement, expected]);
    };
    const isBare = (body: Json | undefined): boolean => hasTag(body) && membersOf(body).description === undefined;
    const hasTag = (body: Json | undefined): boolean => membersOf(body).tags !== undefined;
    expect(Object.keys(own.minimal.body ?? {})).toContain('metricEvents');
    const isBeside = (body: Json | undefined): boolean => hasTag(body) && membersOf(body).metricEvents !== undefined;
    const excluding: Given = { status: 400, value: { message: 'no metric_events beside tags' } };
    expect(await citedWhere(isBeside, excluding)).toEqual([
      ['accept.combination', 'a success, as without metricEvents'],
    ]);
    expect(await citedWhere(isBeside)).toEqual([['accept.plain-value', 'a success: case']]);
    const naming: Given = { status: 400, value: { message: 'tags need a description' } };
    expect(await citedWhere(isBare, naming)).toEqual([['accept.combination', 'a success, as with description']]);
    // No other field makes a stated bound wrong.
    expect(await citedWhere(isBare, naming, 'maxItems')).toEqual([['accept.plain-value', 'a success: case']]);
    expect(await citedWhere(isBare)).toEqual([['accept.plain-value', 'a success: case']]);
    expect(await citedWhere(hasTag)).toEqual([['accept.plain-value', 'a success: case']]);
  });

  test.each([
    ['/all_columns', undefined],
    ['/idTypeMapping', 'a_column'],
  ])(
    'and is refused beside a learned name gives that up, unless a declared feature may be refused (%s)',
    async (pointer, given) => {
      const isOfCase = (body: Json | undefined): boolean => JSON.stringify(body)?.includes('"tags":["case"]') ?? false;
      const own = contextOf('update-qualifying-event');
      const session = modelSession(always(isOfCase, refused)(createModel()));
      const requirementOf = () => 'accept.plain-value' as const;
      const attempts = createAttempts({
        context: own,
        turns: createTurns(),
        requirementOf,
        mostExamined: 3,
        asSent: one => one,
      });
      const word = { kind: 'columns' as const, value: 'a_column', origin: 'an answer' };
      const learned = { what: 'column', value: 'a_column', word };
      const body = { ...own.minimal.body, tags: ['case'] };
      const { violations, refusedWord } = await attempts.attempt(
        { ...tagged('case'), body, pointer, learned },
        session,
      );
      expect([violations, refusedWord?.value]).toEqual([[], given]);
    },
  );

  describe('with a control', () => {
    const isControl = (body: Json | undefined): boolean => JSON.stringify(body)?.includes('control') ?? false;
    const judged = async (wrong: Wrong) => {
      const session = modelSession(wrong(createModel()));
      const requirementOf = ({ level }: AcceptCase) =>
        level === 'MUST' ? ('accept.stated-boundary' as const) : ('accept.combination' as const);
      const attempts = createAttempts({
        context,
        turns: createTurns(),
        requirementOf,
        mostExamined: 3,
        asSent: one => one,
      });
      const input = {
        ...tagged('case'),
        level: 'SHOULD' as const,
        controls: [tagged('none').body, tagged('control').body],
      };
      const first = await attempts.attempt(input, session);
      await attempts.attempt(input, session);
      const controls = session.sent.filter(({ body }) => isControl(body as Json)).length;
      return [first.violations.map(({ requirement }) => requirement), controls];
    };

    test('breaks what is stated where the control is accepted, which is sent once', async () => {
      const wrong = always(body => isTagged(body) && !isControl(body), refused);
      expect(await judged(wrong)).toEqual([['accept.stated-boundary'], 1]);
    });

    test('is a warning where the control is refused as well', async () => {
      expect(await judged(always(isTagged, refused))).toEqual([['accept.combination'], 2]);
    });

    test('is sent without it where it is accepted', async () => {
      expect(await judged(model => model)).toEqual([[], 0]);
    });
  });

  test('and ends in a 500 is a failure at once', async () => {
    const { attempt, sent } = attempting(always(isTagged, { status: 500 }));
    expect((await attempt('a')).found).toEqual([['accept.plain-value', undefined]]);
    expect(sent).toHaveLength(1);
  });
});

describe('a refused request with a metric source of the target file', () => {
  const doubt = 'no list shows the metric source "orders" of the target file, and nothing with it was accepted';
  const ofMetric = contextOf('create-metric');
  const body = { ...ofMetric.minimal.body, warehouseNative: { metricSourceName: 'orders', cap: 1 } };
  const input: AcceptCase = { ...tagged('a'), pointer: '/warehouseNative/cap', value: 1, body };

  /** Returns the doubts of the violations: `refusedBy` says which bodies are refused. */
  async function doubts(listed: string, refusedBy: string, before: readonly AcceptCase[] = []) {
    const isList = { status: 200, value: onePage([{ name: listed }]) };
    const wrong: Wrong = model => (request, sent) => {
      if (request.endpoint === 'list-qualifying-events') return isList;
      return JSON.stringify(sent ?? {}).includes(refusedBy) ? refused : model(request, sent);
    };
    const session = modelSession(wrong(createModel()));
    const common = { context: ofMetric, turns: createTurns(), mostExamined: Infinity };
    const attempts = createAttempts({ ...common, requirementOf: () => 'accept.plain-value', asSent: one => one });
    for (const one of before) await attempts.attempt(one, session);
    return (await attempts.attempt(input, session)).violations.map(one => one.doubt);
  }

  test('that no list shows is a warning', async () => {
    expect(await doubts('purchases', '"orders"')).toEqual([doubt]);
  });

  test('that a list shows is a failure', async () => {
    expect(await doubts('orders', '"orders"')).toEqual([undefined]);
  });

  test('that was accepted beside another field is a failure', async () => {
    const other = { ...body, warehouseNative: { metricSourceName: 'orders', valueColumn: 'v' } };
    expect(await doubts('purchases', '"cap"', [{ ...input, body: other }])).toEqual([undefined]);
  });
});

describe('a refused request with a gate of the target file', () => {
  const ofExperiment = contextOf('update-experiment');
  const body = { ...ofExperiment.minimal.body, targetingGateID: 'gate_b' };
  const input: AcceptCase = { ...tagged('a'), pointer: '/targetingGateID', value: 'gate_b', body };

  test.each<[what: string, status: number, doubts: readonly unknown[]]>([
    [
      'that somebody removed is a warning',
      404,
      [expect.stringContaining('the gate "gate_b" of the target file is not there')],
    ],
    ['that may not be read is a failure', 403, [undefined]],
    ['that is there is a failure', 200, [undefined]],
  ])('%s', async (_what, status, doubts) => {
    const wrong: Wrong = model => (request, sent) => {
      if (request.endpoint === 'patch-gate') return { status, value: {} };
      return JSON.stringify(sent ?? {}).includes('gate_b') ? refused : model(request, sent);
    };
    const common = { context: ofExperiment, turns: createTurns(), mostExamined: Infinity };
    const attempts = createAttempts({ ...common, requirementOf: () => 'accept.plain-value', asSent: one => one });
    const { violations } = await attempts.attempt(input, modelSession(wrong(createModel())));
    expect(violations.map(({ doubt }) => doubt)).toEqual(doubts);
  });
});
