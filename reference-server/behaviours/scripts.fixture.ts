import { expect } from 'vitest';
import type { BehaviourRequest } from '../../contracts/behaviour.ts';
import type { Started } from '../proof/testing/started.ts';
import { draw } from './draw.ts';

/** Random scripts by seed, and a small model of the expected answers. */

/** A behaviour in the model: how many requests to skip, and its remaining answers. */
interface Queue {
  skip: number;
  readonly waiting: string[];
}

const clients = 8;
const each = 3;

/** Returns a generator of integers below `end`, seeded by the round. */
const numbers = (round: number) => {
  let count = 0;
  return (end: number): number => Math.floor(draw(round, count++) * end);
};

/** Generates behaviours for patches, oldest first, with their model. */
const scripts = (round: number): readonly { readonly behaviour: BehaviourRequest; readonly queue: Queue }[] => {
  const below = numbers(round);
  return Array.from({ length: 1 + below(4) }, (_, index) => {
    const id = `b${index}`;
    const names = Array.from({ length: 1 + below(5) }, (_none, step) => (below(4) === 0 ? 'real' : `${id}/${step}`));
    const after = (['end', 'repeat', 'restart'] as const)[below(3)] ?? 'end';
    const [skip, times] = [below(4), below(2) === 0 ? undefined : 1 + below(8)];
    const last = names.at(-1) as string;
    const endless = { end: [], repeat: Array<string>(99).fill(last), restart: Array<string[]>(99).fill(names).flat() };
    return {
      behaviour: {
        id,
        match: { operation: 'patch-gate' },
        then: names.map(name => (name === 'real' ? name : { status: 418, headers: { 'X-Step': name } })),
        after,
        skip,
        ...(times !== undefined && { times }),
      },
      queue: { skip, waiting: [...names, ...endless[after]].slice(0, times ?? Infinity) },
    };
  });
};

/** Returns the expected answer to the next request: the newest behaviour with an answer left spends it. */
const modelled = (newestFirst: readonly Queue[]): string => {
  for (const queue of newestFirst) {
    if (queue.skip > 0) queue.skip -= 1;
    else {
      const met = queue.waiting.shift();
      if (met !== undefined) return met;
    }
  }
  return 'real';
};

/**
 * Asserts that two servers of one store follow the model under eight concurrent clients, and that no step is spent
 * twice.
 */
export const meetsModel = async (one: Started, other: Started, rounds: number): Promise<void> => {
  for (let round = 1; round <= rounds; round += 1) {
    const made = scripts(round);
    await one.server.control.behaviours.clear();
    for (const { behaviour } of made) await one.server.control.behaviours.add(behaviour);
    const newestFirst = made.map(({ queue }) => queue).toReversed();
    const expected = Array.from({ length: clients * each }, () => modelled(newestFirst));
    const seen = await Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        const { call } = client % 2 === 0 ? one : other;
        const met: string[] = [];
        for (let sent = 0; sent < each; sent += 1) {
          const { status, headers } = await call('patch-gate', 'dark_mode', {});
          met.push(status === 200 ? 'real' : String(headers['x-step']));
          // A request that does not match is neither answered nor counted.
          if (sent === 0) expect((await call('list-segments')).status).toBe(200);
        }
        return met;
      }),
    );
    expect([round, ...seen.flat().sort()]).toEqual([round, ...expected.sort()]);
  }
};
