import { expect, test } from 'vitest';
import type { Report } from '../../contracts/report/report.ts';
import { thingsIn } from './selections.ts';

const left = (endpoint: string, id: string, count?: number) =>
  ({ event: 'left-behind', kind: 'experiment', endpoint, id, what: endpoint, ...(count && { count }) }) as const;

test('what two operations have left of one entity is one thing, and what was created is as many as were', () => {
  const residue = [
    left('update-experiment', 'a'),
    left('enable-groups', 'a'),
    left('enable-groups', 'b'),
    left('create-prompt-version', 'c', 23),
  ] as Report['leftBehind'];
  expect(thingsIn(residue)).toBe(25);
});
