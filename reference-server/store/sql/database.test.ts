import { describe, expect, it } from 'vitest';
import { retried, Superseded } from './database.ts';

const failing = (times: number, error: unknown) => {
  let done = 0;
  return {
    work: async () => {
      done += 1;
      if (done <= times) throw error;
      return 'kept';
    },
    done: () => done,
  };
};

describe('work that meets conflicts', () => {
  it.each(['40001', '40P01', '23503'])('is done again where PostgreSQL says so: %s', async code => {
    const { work, done } = failing(7, Object.assign(new Error('conflict'), { code }));
    expect(await retried(work)).toBe('kept');
    expect(done()).toBe(8);
  });

  it('is done eight times at most, and then its error is passed on', async () => {
    const { work, done } = failing(9, new Superseded('gone'));
    await expect(retried(work)).rejects.toThrow('gone');
    expect(done()).toBe(8);
  });

  it.each([new Error('no'), null, { code: '23505' }])('is not done again for any other reason', async error => {
    const { work, done } = failing(1, error);
    await expect(retried(work)).rejects.toBe(error);
    expect(done()).toBe(1);
  });
});
