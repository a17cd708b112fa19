import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../contracts/json.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { contextOf, type Judgement, judgedBy } from '../../proof/testing/judged-by.ts';
import { instead, type Wrong } from '../../proof/testing/model.ts';
import { type ActiveCheck, type CheckContext, isNothingToDo } from '../../protocol/check.ts';
import { targetOf } from '../../sut/target.ts';
import { accepts } from './accepts.ts';
import { ruleBreaches, ruleInstances } from './field-rules.ts';
import { rejects } from './rejects.ts';

type Endpoint = 'update-qualifying-event' | 'update-experiment' | 'create-metric';

const capabilities: ('skip-validation' | 'warehouse-native')[] = ['skip-validation', 'warehouse-native'];

/** A target that declares all that the rules need, and whose group keys were learned. */
function declared(endpoint: Endpoint): Partial<CheckContext> {
  const { target } = contextOf(endpoint);
  const metrics = [{ name: 'signup', type: 'event_count' }];
  const { fixtures, vocabulary } = target;
  const own = targetOf(
    { fixtures, vocabulary: { ...vocabulary, metrics }, capabilities },
    target.baseUrl,
    target.apiKey,
  );
  const references: typeof own.references = kind => (kind === 'groupKey' ? ['Control', 'Test'] : own.references(kind));
  return { target: { ...own, references } };
}

const sizeOf = (value: Json | undefined): number => (Array.isArray(value) ? value.length : -1);
const isAligned = ({ all_columns, column_types }: JsonObject): boolean =>
  sizeOf(all_columns) >= 0 && sizeOf(all_columns) === sizeOf(column_types);
const skips = (body: JsonObject): boolean => body.skip_validation === true;
const isManual = (body: JsonObject): boolean => body.sprtBaselineMode === 'manual';
const isComplete = (body: JsonObject): boolean => {
  const text = JSON.stringify(body.sprtMDESettings ?? []);
  const count = (name: string): number => text.split(`"${name}"`).length;
  return count('groupKey') === count('mean') && count('groupKey') === count('stdDev');
};
const refusing = (when: (body: JsonObject) => boolean, status = 400): Wrong =>
  instead({ status, value: { message: 'Not like this' } }, (_request, body) => when(body));
const both =
  (one: Wrong, other: Wrong): Wrong =>
  model =>
    one(other(model));

/** A service that keeps every rule; the model of the tests checks only the schemas. */
const sound = both(
  refusing(body => skips(body) && !isAligned(body)),
  refusing(body => isManual(body) && !isComplete(body)),
);

/** Runs the cases of a check that are about rules against a service. */
async function judged<I>(check: ActiveCheck<I>, endpoint: Endpoint, wrong: Wrong): Promise<Judgement> {
  const context = contextOf(endpoint, declared(endpoint));
  const titles = [...ruleBreaches(context), ...ruleInstances(context)].map(({ title }) => title);
  return judgedBy(check, endpoint, wrong, declared(endpoint), ['the minimal request', ...titles]);
}

/** Returns the requirements that the rule cases cite, and those that they show to be kept. */
async function told(endpoint: Endpoint, wrong: Wrong) {
  const all = [await judged(accepts, endpoint, wrong), await judged(rejects, endpoint, wrong)];
  const kept = new Set(all.flatMap(({ results }) => results.flatMap(({ covers = [] }) => [...covers])));
  const isRule = (id: RequirementId): boolean => /skip-validation|sprt-baseline|ratio-aggregation/.test(id);
  return { cited: all.flatMap(({ cited }) => cited), kept: [...kept].filter(isRule).sort() };
}

// biome-ignore format: a table
test.each<readonly [what: string, endpoint: Endpoint, wrong: Wrong, cited: readonly string[], kept: readonly string[]]>([
  ['keeps all rules',                     'update-qualifying-event', sound,                                                         [], ['accept.skip-validation', 'reject.skip-validation-columns']],
  ['keeps all rules',                     'update-experiment',       sound,                                                         [], ['reject.sprt-baseline']],
  ['keeps all rules',                     'create-metric',           sound,                                                         [], ['reject.ratio-aggregation']],
  ['refuses aligned, takes misaligned',   'update-qualifying-event', refusing(body => skips(body) && isAligned(body)),              ['accept.skip-validation', 'reject.skip-validation-columns'], []],
  ['refuses whatever skips validation',   'update-qualifying-event', refusing(skips),                                               ['accept.skip-validation'], []],
  ['takes types that do not align',       'update-qualifying-event', refusing(body => skips(body) && sizeOf(body.all_columns) < 0),  ['reject.skip-validation-columns'], ['accept.skip-validation']],
  ['fails where validation is skipped',   'update-qualifying-event', instead({ status: 500 }, (_request, body) => skips(body)),     ['accept.skip-validation', 'reject.never-5xx'], []],
  ['demands columns beside false',        'update-qualifying-event', both(sound, refusing(body => body.skip_validation === false && !('all_columns' in body))), ['accept.plain-value'], ['accept.skip-validation', 'reject.skip-validation-columns']],
  ['lets nobody skip validation',         'update-qualifying-event', refusing(skips, 403),                                          [], []],
  ['takes a baseline without mean',       'update-experiment',       refusing(body => isManual(body) && !JSON.stringify(body).includes('stdDev')), ['reject.sprt-baseline'], []],
  ['refuses each manual baseline',        'update-experiment',       refusing(isManual),                                            ['accept.stated-boundary'], []],
  ['fails on complete settings',          'update-experiment',       instead({ status: 500 }, (_request, body) => isManual(body)),  ['reject.never-5xx', 'robust.never-5xx'], []],
  ['demands mean in every mode',          'update-experiment',       both(sound, refusing(body => 'sprtMDESettings' in body && !JSON.stringify(body).includes('"mean"'))), ['accept.stated-boundary'], ['reject.sprt-baseline']],
  ['has no sequential tests',             'update-experiment',       refusing(body => 'sprtMDESettings' in body),                   ['accept.combination'], []],
])('a service that %s (%s)', async (_what, endpoint, wrong, cited, kept) => {
  const { cited: found, kept: shown } = await told(endpoint, wrong);
  expect([...new Set(found)].sort()).toEqual(cited);
  // A rule does not count as kept if one of its breaches was accepted.
  expect(shown.filter(id => !found.includes(id))).toEqual(kept);
});

test('each breach differs from the request that keeps the rule in one place, and each rule has one that is sent', () => {
  for (const endpoint of ['update-qualifying-event', 'update-experiment', 'create-metric'] as const) {
    const breaches = ruleBreaches(contextOf(endpoint, declared(endpoint)));
    expect(breaches.length).toBeGreaterThan(3);
    for (const { body, control, pointer } of breaches) {
      const [field = ''] = pointer.slice(1).split('/');
      const { [field]: _own, ...rest } = body;
      const { [field]: _kept, column_types: types, ...others } = control;
      // Without any columns, their types are left out as well.
      const isWhole = types === undefined || (field === 'all_columns' && !('column_types' in body));
      expect(rest).toEqual({ ...others, ...(isWhole || field === 'column_types' ? {} : { column_types: types }) });
      expect(body).not.toEqual(control);
    }
  }
});

test('nothing of a rule is sent without its capability, or without what it must name', () => {
  expect(ruleBreaches(contextOf('update-qualifying-event'))).toEqual([]);
  expect(ruleInstances(contextOf('update-qualifying-event'))).toEqual([]);
  expect(ruleBreaches(contextOf('update-experiment'))).toEqual([]);
  const plan = accepts.plan(contextOf('update-qualifying-event'));
  const titles = isNothingToDo(plan) ? [] : (plan.cases ?? []).map(({ title }) => title);
  expect(titles.filter(title => title.includes('skip_validation'))).toEqual([]);
});
