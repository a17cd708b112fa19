import { expect, test } from 'vitest';
import { targetOf } from '../sut/target.ts';
import { configOf, runDefaults } from './config.ts';

const target = targetOf({}, new URL('http://127.0.0.1:9'), 'a-key-of-tests');

test('a target alone is a run of everything, as the defaults have it', () => {
  const config = configOf({ target });
  expect(config).toMatchObject({ ...runDefaults, target });
  expect(config.token).toMatch(/^[0-9a-f]{8}$/);
  expect(configOf({ target }).token).not.toBe(config.token);
});

test('what is given counts, and what is given as undefined does not', () => {
  const config = configOf({ target, seed: 7, token: 'mine', settleMs: undefined, path: undefined });
  expect(config).toMatchObject({ seed: 7, token: 'mine', settleMs: runDefaults.settleMs });
  expect('path' in config).toBe(false);
});
