import { expect, test } from 'vitest';
import { type Json, membersOf, objectsIn } from '../../../contracts/json.ts';
import { contextOf, judgedBy } from '../../proof/testing/judged-by.ts';
import { answering, instead, right, type Wrong } from '../../proof/testing/model.ts';
import { experimentNeighbours } from './experiment-neighbours.ts';

const groups = ['Control', 'Test'];
const { target } = contextOf('update-experiment');
const two = {
  ...target,
  fixtures: {
    ...target.fixtures,
    experiments: [
      { id: 'an_experiment', groups },
      { id: 'an_experiment_too', groups },
    ],
  },
};

/** Writes an update of one experiment to the other too. */
const twice: Wrong = model => (request, body) => {
  if (request.endpoint === 'update-experiment' && request.param === 'an_experiment')
    model({ ...request, param: 'an_experiment_too' }, body);
  return model(request, body);
};

test('a right server leaves the other experiment alone', async () => {
  const { found, results, because } = await judgedBy(experimentNeighbours, 'update-experiment', right, { target: two });
  expect({ found, because }).toEqual({ found: [], because: [] });
  expect(results.flatMap(({ covers = [] }) => [...covers])).toContain('state.neighbours');
});

test('an update that hits every experiment makes them alike, which is suspected as a whole', async () => {
  const { suspected } = await judgedBy(experimentNeighbours, 'update-experiment', twice, { target: two });
  expect(suspected).toEqual(['state.concurrent-answers /data']);
});

/** Shows the `sequentialTesting` of one experiment in the answers about the other too. */
const reaches: Wrong = model => {
  let last: Json | undefined;
  const spoiled = answering('enable-groups', (data, { param }) =>
    last === undefined || param !== 'an_experiment_too' ? data : { ...data, sequentialTesting: last },
  )(model);
  return (request, body) => {
    const given = spoiled(request, body);
    if (request.endpoint !== 'update-experiment' || given.status !== 200) return given;
    last = request.param === 'an_experiment' ? (membersOf(body).sequentialTesting as Json) : undefined;
    return given;
  };
};

test('a field that reaches the other experiment is seen there, whichever it is', async () => {
  const { suspected } = await judgedBy(experimentNeighbours, 'update-experiment', reaches, { target: two });
  expect(suspected).toEqual(['state.neighbours /data/sequentialTesting']);
});

test('a target file with one experiment is told what this takes', () => {
  expect(experimentNeighbours.plan(contextOf('update-experiment'))).toMatchObject({
    because: 'the target file names one experiment, and this takes two',
  });
});

test('a target file whose other experiments are disposable is told that this takes one that is not', () => {
  const spared = { ...two, disposable: { experiments: ['an_experiment_too'] } };
  expect(experimentNeighbours.plan(contextOf('update-experiment', { target: spared }))).toMatchObject({
    because: 'this takes another experiment that is not disposable, and the target file names none',
    remedy: 'under fixtures.experiments one more that is not under disposable.experiments',
  });
});

const three = ['Control', 'Second', 'Third'];
const beside = {
  ...two,
  fixtures: {
    ...two.fixtures,
    experiments: [
      { id: 'an_experiment', groups },
      { id: 'of_three', groups: three },
    ],
  },
};

test('another experiment of three groups gets a third that is none of the first two, or fewer changes if that is refused', async () => {
  const sentTo = async (wrong: Wrong) => {
    const { sent } = await judgedBy(experimentNeighbours, 'update-experiment', wrong, { target: beside });
    const own = sent.filter(({ endpoint, param }) => endpoint === 'update-experiment' && param === 'of_three');
    return own.map(({ body }) => objectsIn(membersOf(body).groups));
  };
  const [first = []] = await sentTo(right);
  expect(first.map(({ size }) => Number(size) % 1 === 0)).toEqual([false, false, false]);
  expect(new Set(first.map(({ parameterValues }) => JSON.stringify(parameterValues))).size).toBe(3);
  const isUneven = ({ param }: { param?: string | undefined }, body: unknown): boolean =>
    param === 'of_three' && objectsIn(membersOf(body).groups).some(({ size }) => Number(size) % 1 !== 0);
  const wholeOnly = await sentTo(instead({ status: 400 }, isUneven));
  expect(wholeOnly.at(-1)?.map(({ size }) => size)).toEqual([34, 33, 33]);
});
