import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { givenAnswer } from '../proof/testing/answers.ts';
import { violation } from '../protocol/check.ts';
import { createAttribution, mostTries, type Suspicion, type Trial } from './attribution.ts';

const suspicion = (key: string, more: Partial<Suspicion> = {}): Suspicion => ({
  key,
  violation: violation(givenAnswer({}), 'state.neighbours', `/data/${key}`, 'as it was', 'changed'),
  ...more,
});

/** A trial whose n-th attempt shows the n-th list of suspicions, and which records its calls. */
function trialOf(attempts: readonly (readonly Suspicion[])[], more: Partial<Trial> = {}) {
  const steps: string[] = [];
  const trial: Trial = {
    async attempt(round) {
      steps.push(`try ${round}`);
      return { suspicions: attempts[round] ?? [], covers: ['state.neighbours'] };
    },
    async watch(readings) {
      steps.push(`watch ${readings}`);
      return [];
    },
    async putBack() {
      steps.push('put back');
      return true;
    },
    ...more,
  };
  return { trial, steps };
}

/** Returns the accusations of an attribution, each with its doubt. */
const accused = async (trial: Trial, attribute = createAttribution(), session = {}) =>
  (await attribute(session, trial)).violations.map(({ pointer, doubt }) => [
    pointer,
    ...(doubt === undefined ? [] : [doubt]),
  ]);

const [tags, owner] = [suspicion('tags'), suspicion('owner')];

test('where nothing is suspected, a trial is made once and nothing more is sent', async () => {
  const { trial, steps } = trialOf([[]]);
  expect(await createAttribution()({}, trial)).toMatchObject({ violations: [], proved: true });
  expect(steps).toEqual(['try 0']);
});

test('what changes with the write, is put back and changes with it again is a violation', async () => {
  const { trial, steps } = trialOf([[tags], [tags]]);
  expect(await accused(trial)).toEqual([['/data/tags']]);
  expect(steps).toEqual(['try 0', 'put back', 'watch 2', 'try 1', 'watch 20', 'put back']);
});

test('what a write does every other time is a violation all the same', async () => {
  const { trial, steps } = trialOf([[tags], [], [tags]]);
  expect(await accused(trial)).toEqual([['/data/tags']]);
  expect(steps.filter(step => step.startsWith('watch'))).toEqual(['watch 2', 'watch 3', 'watch 20']);
});

test('the last watch outlasts the tries, so that what others do at equal distances shows in it', async () => {
  let count = 0;
  const asked: number[] = [];
  // Somebody acts with every sixtieth request, and a try takes thirty.
  const acts = (times: number): boolean => {
    const before = Math.floor(count / 60);
    count += times;
    return Math.floor(count / 60) > before;
  };
  count = 45;
  const trial: Trial = {
    attempt: async () => ({ suspicions: acts(30) ? [tags] : [], covers: [] }),
    async watch(readings) {
      asked.push(readings);
      return acts(readings) ? ['tags'] : [];
    },
    putBack: async () => true,
  };
  // The watches between the tries are shorter than the gap between two acts, so they see nothing.
  const between: Trial = {
    ...trial,
    watch: async readings => (readings < 20 ? [] : ((await trial.watch?.(readings)) ?? [])),
  };
  const { violations } = await createAttribution()({ answers: () => count }, between);
  expect(violations).toEqual([]);
  expect(asked.length).toBeGreaterThan(1);
});

test('what others wrote while it was put back is put back once more', async () => {
  const { trial } = trialOf([[tags], []]);
  const backs = [false, true];
  expect(await accused({ ...trial, putBack: async () => backs.shift() ?? true })).toEqual([]);
});

test('what others do between the last reading of a watch and the first of the next is not missed', async () => {
  let count = 0;
  let shown = 0;
  /** Reads once, and tells whether the value changed: somebody acts with every fortieth request. */
  const reads = (): boolean => {
    count += 1;
    const before = shown;
    shown = Math.floor(count / 40);
    return shown !== before;
  };
  const trial: Trial = {
    attempt: async () => ({
      suspicions: Array.from({ length: 40 }, reads).includes(true) ? [tags] : [],
      covers: [],
    }),
    async watch(readings) {
      if (readings < 20) return [];
      reads();
      return Array.from({ length: readings - 1 }, reads).includes(true) ? ['tags'] : [];
    },
    putBack: async () => true,
  };
  expect(await accused(trial, createAttribution(), { answers: () => count })).toEqual([]);
});

test('a target that stands still is watched as long as the case took, at one go, and no longer', async () => {
  let count = 0;
  const { trial, steps } = trialOf([[tags], [tags]]);
  const counting: Trial = {
    ...trial,
    async attempt(round) {
      count += 25;
      return trial.attempt(round);
    },
    async watch(readings) {
      count += readings;
      return (await trial.watch?.(readings)) ?? [];
    },
  };
  expect(await accused(counting, createAttribution(), { answers: () => count })).toEqual([['/data/tags']]);
  expect(steps.filter(step => step.startsWith('watch'))).toEqual(['watch 2', 'watch 20', 'watch 52']);
});

test('before each new try what is late has the time to settle', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { trial, steps } = trialOf([[tags], []]);
  const attribute = createAttribution(2000);
  const done = attribute({}, trial);
  await vi.advanceTimersByTimeAsync(1999);
  expect(steps.filter(step => step.startsWith('try'))).toEqual(['try 0']);
  await vi.advanceTimersByTimeAsync(6001);
  expect((await done).violations).toEqual([]);
  expect(steps.filter(step => step.startsWith('try'))).toHaveLength(mostTries);
});

test('a violation says how often it was seen', async () => {
  const { violations } = await createAttribution()({}, trialOf([[tags], [], [tags]]).trial);
  expect(violations).toMatchObject([{ seen: { times: 2, of: 3 } }]);
});

test('what is seen once, and not again although it was put back, was somebody else', async () => {
  const { trial, steps } = trialOf([[tags]]);
  expect(await accused(trial)).toEqual([]);
  expect(steps.filter(step => step.startsWith('try'))).toHaveLength(mostTries);
});

test('what is seen once and cannot be put back is a violation with a doubt', async () => {
  const doubt = 'nothing moved without the write, but what was there could not be put back to try again';
  expect(await accused(trialOf([[tags]], { putBack: async () => false }).trial)).toEqual([['/data/tags', doubt]]);
  const { putBack: _, ...without } = trialOf([[tags]]).trial;
  expect(await accused(without)).toEqual([['/data/tags', doubt]]);
});

test('what moves without the write is not accused, in this trial and in all further ones', async () => {
  const attribute = createAttribution();
  const always = [[tags], [tags], [tags], [tags]];
  expect(await accused(trialOf(always, { watch: async () => ['tags'] }).trial, attribute)).toEqual([]);
  const { trial, steps } = trialOf(always);
  expect(await accused(trial, attribute)).toEqual([]);
  expect(steps).toEqual(['try 0', 'put back']);
  expect(await accused(trialOf([[owner], [owner]]).trial, attribute)).toEqual([['/data/owner']]);
});

test('what moves in the long watch before an accusation is not accused; the watch is held once for a kind', async () => {
  const attribute = createAttribution();
  const late = trialOf([[owner], [owner]], { watch: async readings => (readings > 10 ? ['owner'] : []) });
  expect(await accused(late.trial, attribute)).toEqual([]);
  for (const watches of [1, 0]) {
    const { trial, steps } = trialOf([[tags], [tags]]);
    expect(await accused(trial, attribute)).toEqual([['/data/tags']]);
    expect(steps.filter(step => step === 'watch 20')).toHaveLength(watches);
  }
});

test('of two suspicions each is judged by itself', async () => {
  expect(await accused(trialOf([[tags, owner], [owner]]).trial)).toEqual([['/data/owner']]);
});

test('where every try is to show it, three of four are not enough', async () => {
  const most = [[tags], [tags], [tags]];
  expect(await accused(trialOf(most, { sightings: mostTries }).trial)).toEqual([]);
  expect(await accused(trialOf([...most, [tags]], { sightings: mostTries }).trial)).toEqual([['/data/tags']]);
});

describe('a trial that cannot be made', () => {
  test('proves nothing', async () => {
    const result = await createAttribution()({}, { attempt: async () => ({ because: 'refused' }) });
    expect(result).toEqual({ violations: [], proved: false, because: 'refused' });
  });

  test.each([
    [0, []],
    [1, [suspicion('tags')]],
  ])('because no answer came, or a 5xx, at try %i is a violation of its own', async (at, suspicions) => {
    for (const answer of [
      givenAnswer({ status: 500 }),
      givenAnswer({ failure: { kind: 'dropped', message: 'closed' } }),
    ]) {
      const { trial } = trialOf([]);
      const failing: Trial = {
        ...trial,
        attempt: async round => (round < at ? { suspicions, covers: [] } : { because: 'refused', answer }),
      };
      const { violations } = await createAttribution()({}, failing);
      expect(violations.map(({ requirement }) => requirement)).toEqual([
        answer.status === 500 ? 'robust.never-5xx' : 'robust.no-drop',
      ]);
    }
  });

  test('again leaves a doubt', async () => {
    const { trial } = trialOf([]);
    const refusing: Trial = {
      ...trial,
      attempt: async round => (round === 0 ? { suspicions: [tags], covers: [] } : { because: 'the quota is used up' }),
    };
    expect(await accused(refusing)).toEqual([['/data/tags', expect.any(String)]]);
  });
});
