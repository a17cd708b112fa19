import { describe, expect, test } from 'vitest';
import { RunStopped } from '../protocol/stop.ts';
import { type DoubleOptions, runDouble } from './run.fixture.ts';
import { summarize } from './run.ts';

const told = (double: DoubleOptions, cut: RunStopped | null = null, extended = 0) => {
  const run = runDouble(double);
  run.counts.extended = extended;
  summarize(run, cut);
  return run.events;
};
const limit = new RunStopped('limit', 'enough was sent', 'more');
const gone = new RunStopped('unreachable', 'nobody is there');
const interrupted = new RunStopped('interrupted', 'the run was interrupted');

describe('the end', () => {
  // biome-ignore format: a table
  test.each([
    ['complete',    undefined,                 null,        null],
    ['complete',    'enough was sent',         limit,       null],
    ['complete',    undefined,                 null,        limit],
    ['complete',    'enough was sent',         limit,       limit],
    ['unreachable', 'nobody is there',         gone,        null],
    ['unreachable', 'nobody is there',         limit,       gone],
    ['interrupted', 'the run was interrupted', null,        interrupted],
  ] as const)('is %s because of %s where the phases were cut by %o, and the monitor stopped with %o', (outcome, because, cut, stopped) => {
    const end = told(stopped === null ? {} : { stopped }, cut).at(-1);
    expect(end).toMatchObject({ event: 'run-end', outcome });
    expect((end as { because?: string }).because).toBe(because);
  });

  test('comes after a notice, where something can be done', () => {
    expect(told({}, limit).map(event => event.event)).toEqual(['notice', 'run-end']);
    expect(told({}, gone).map(event => event.event)).toEqual(['run-end']);
  });

  test.each([
    [1, { options: { timeMs: 1000 } }, 0],
    [0, { options: { timeMs: 1000 } }, 5],
    [0, { options: { timeMs: 1000 }, stopped: limit }, 0],
    [0, {}, 0],
  ])('has %i notice of time that was left over (%o, %i extended cases)', (count, double, extended) => {
    const notices = told(double, null, extended).filter(({ event }) => event === 'notice');
    expect(notices).toHaveLength(count);
  });
});

test('what the observers noted is told in their order, without secrets', () => {
  const note = () => {};
  const key = 'a-key-of-tests';
  const events = told({
    observers: [
      { note },
      { note, all: () => [{ event: 'notice', severity: 'warning', text: `refused with ${key}` }] },
      {
        note,
        all: () => [
          {
            event: 'observation',
            requirement: 'r',
            endpoint: 'patch-gate',
            subject: key,
            value: `the ${key}`,
            count: 1,
          },
          { event: 'left-behind', endpoint: 'create-metric', kind: 'metric', id: `${key}_1`, what: 'created' },
        ],
      },
    ],
  });
  expect(events.map(({ event }) => event)).toEqual(['notice', 'observation', 'left-behind', 'run-end']);
  expect(JSON.stringify(events)).not.toContain(key);
  expect(events[1]).toMatchObject({ requirement: 'r', subject: '«the API key»', value: 'the «the API key»', count: 1 });
});
