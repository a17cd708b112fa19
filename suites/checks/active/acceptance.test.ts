import { expect, test } from 'vitest';
import type { EndpointId } from '../../../contracts/endpoints.ts';
import type { JsonObject } from '../../../contracts/json.ts';
import { contextOf, judgedBy, modelSession } from '../../proof/testing/judged-by.ts';
import { answering, createModel, fixtures, instead, type Wrong } from '../../proof/testing/model.ts';
import { isNothingToDo } from '../../protocol/check.ts';
import { targetOf } from '../../sut/target.ts';
import { accepts } from './accepts.ts';
import { combinations } from './combinations.ts';
import { metricTypes } from './metric-types.ts';

const saying = (status: number, message: string) => ({ status, value: { message } });

/** Takes `most` writes, and refuses all later ones. */
const full =
  (most: number, status: number): Wrong =>
  model => {
    let taken = 0;
    return (request, body) => {
      const given = model(request, body);
      if (given.status === 200) taken += 1;
      return taken > most ? saying(status, 'Your plan allows no more') : given;
    };
  };

/** Refuses each third write with a status, whatever its content. */
const eachThird =
  (status: number): Wrong =>
  model => {
    let count = 0;
    return (request, body) => {
      count += 1;
      return count % 3 === 0 ? saying(status, 'Somebody else was faster') : model(request, body);
    };
  };

/** Always refuses bodies that meet a condition. */
const refusing = (status: number, when: (body: JsonObject) => boolean): Wrong =>
  instead(saying(status, 'Not with your plan'), (_request, body) => when(body));

test.each([402, 403, 404, 409, 422, 423, 429, 400])(
  'a target that has had enough (%s) is accused of nothing',
  async status => {
    const { cited, because, results } = await judgedBy(accepts, 'patch-gate', full(20, status));
    expect(cited).toEqual([]);
    expect(because).toEqual([
      `the minimal request, accepted before, is refused now (status ${status}: "Your plan allows no more")`,
    ]);
    expect(results.filter(({ proved }) => proved).length).toBeGreaterThan(10);
  },
);

test('where the target has had enough, hardly anything more is sent', async () => {
  const { sent } = await judgedBy(accepts, 'patch-gate', full(20, 402));
  expect(sent.length).toBeLessThan(25);
});

test.each([402, 403, 404, 409, 422, 423, 429])(
  'a first minimal request that is refused (%s) is untested in the words of the target',
  async status => {
    const { cited, because } = await judgedBy(
      accepts,
      'patch-gate',
      refusing(status, () => true),
    );
    expect(cited).toEqual([]);
    expect(because.join()).toContain(`status ${status}: "Not with your plan"`);
  },
);

test('a conflict that happens once in three is no violation', async () => {
  const { cited, because } = await judgedBy(accepts, 'patch-gate', eachThird(409));
  expect(cited).toEqual([]);
  expect(because.join()).toContain(
    'refused at first (status 409: "Somebody else was faster"), accepted when sent again',
  );
});

test('a refusal as invalid that happens only once is a warning that says so', async () => {
  let refusals = 0;
  const isFirst = (body: JsonObject): boolean => {
    if ('tags' in body) refusals += 1;
    return 'tags' in body && refusals === 1;
  };
  const { results } = await judgedBy(accepts, 'patch-gate', refusing(400, isFirst));
  const found = results.flatMap(({ violations }) => violations);
  expect(found).toMatchObject([{ doubt: expect.stringContaining('accepted when sent again') }]);
});

// biome-ignore format: a table
test.each<readonly [what: string, endpoint: EndpointId, wrong: Wrong, cited: readonly string[]]>([
  ['a field that is refused at every value with 403',     'patch-gate', refusing(403, body => 'measureMetricLifts' in body),                 []],
  ['a field that is refused at every value with 423',     'patch-gate', refusing(423, body => 'name' in body),                               []],
  ['a field that is refused at every value with 400',     'patch-gate', refusing(400, body => 'measureMetricLifts' in body),                 ['accept.stated-boundary']],
  ['a field that is refused at every value with 422',     'patch-gate', refusing(422, body => 'measureMetricLifts' in body),                 ['accept.stated-boundary']],
  ['one value of a closed set that is refused with 403',  'patch-gate', refusing(403, body => body.type === 'TEMPORARY'),                    ['accept.stated-boundary']],
  ['one value of a closed set that is refused with 422',  'patch-gate', refusing(422, body => body.type === 'TEMPORARY'),                    ['accept.stated-boundary']],
  ['a bound that is refused with 409',                    'patch-gate', refusing(409, body => String(body.name).length === 100),             ['accept.stated-boundary']],
  ['a creation without a field that a plan lacks',        'create-metric', refusing(402, body => 'tags' in body),                            []],
  ['a bound of a creation that is refused with 402',      'create-metric', refusing(402, body => String(body.description).length === 1000),  ['accept.stated-boundary']],
])('%s', async (_what, endpoint, wrong, cited) => {
  expect((await judgedBy(accepts, endpoint, wrong)).cited).toEqual(cited);
});

test('a locked field is told in the words of the target', async () => {
  const { because } = await judgedBy(
    accepts,
    'patch-gate',
    refusing(403, body => 'tags' in body),
  );
  expect(because).toContain('tags is refused at every value (status 403: "Not with your plan")');
});

test('a field that takes its present value only is not locked', async () => {
  const { cited } = await judgedBy(
    accepts,
    'patch-gate',
    refusing(403, ({ type }) => type !== undefined && type !== 'PERMANENT'),
  );
  expect(cited).toEqual(['accept.stated-boundary']);
});

/** True of a body that gives the gate another type of unit than it has. */
const pointsElsewhere = ({ idType }: JsonObject): boolean => idType !== undefined && idType !== 'userID';

/** Refuses to take the creator away from gates that all have the one that the target file names. */
const keepingCreator =
  (status: number): Wrong =>
  model =>
    refusing(
      status,
      ({ creatorID }) => creatorID === null,
    )(answering('patch-gate', data => ({ ...data, creatorID: 'user-1' }))(model));

// biome-ignore format: a table
test.each<readonly [what: string, wrong: Wrong, cited: readonly string[]]>([
  ['a conflict at every unit type but the present one',            refusing(409, pointsElsewhere), []],
  ['a lock of every unit type but the present one',                refusing(423, pointsElsewhere), []],
  ['a permission missing for every unit type but the present one', refusing(403, pointsElsewhere), ['accept.plain-value']],
  ['a documented null that is refused with 409',                   keepingCreator(409),            ['accept.documented-null']],
  ['a documented null that is refused with 404',                   keepingCreator(404),            ['accept.documented-null']],
])('%s', async (_what, wrong, cited) => {
  const vocabulary = { idTypes: ['userID', 'deviceID'], users: [{ id: 'user-1', email: 'ada@example.com' }] };
  const target = targetOf({ fixtures, vocabulary }, new URL('http://model.invalid'), 'Model-Key');
  const judged = await judgedBy(accepts, 'patch-gate', wrong, { target });
  expect(judged.cited).toEqual(cited);
  if (cited.length === 0) expect(judged.because.join()).toContain('idType is refused at every other value');
});

test('a combination with a locked field is not accused, one with two fields that do not agree is warned of', async () => {
  const locked = await judgedBy(
    combinations,
    'patch-gate',
    refusing(403, body => 'tags' in body),
  );
  expect(locked.cited).toEqual([]);
  const together = refusing(403, body => 'type' in body && 'name' in body);
  expect((await judgedBy(combinations, 'patch-gate', together)).cited).toEqual(['accept.combination']);
});

test('the types of metrics stand on the minimal request as well', async () => {
  const { cited, because } = await judgedBy(metricTypes, 'create-metric', full(2, 402));
  expect(cited).toEqual([]);
  expect(because.join()).toContain('Your plan allows no more');
});

test('many creations at once that meet a plan that is used up are accused of nothing', async () => {
  const context = contextOf('create-prompt-version');
  const session = modelSession(full(3, 402)(createModel()));
  const plan = accepts.plan(context);
  if (isNothingToDo(plan)) throw new Error(plan.because);
  const results = await Promise.all((plan.cases ?? []).map(input => plan.run(input, session)));
  expect(results.flatMap(({ violations }) => violations)).toEqual([]);
  expect(results.map(({ because = '' }) => because).join()).toContain('Your plan allows no more');
});
