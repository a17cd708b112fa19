import { expect, test } from 'vitest';
import { faults } from '../../reference-server/index.ts';
import { conform } from '../testing/command.fixture.ts';

test('`list faults` has a line for each fault: id, kind, requirement, endpoints, title', async () => {
  const { out } = await conform(['list', 'faults']);
  const lines = out.trimEnd().split('\n');
  expect(lines.map(line => line.split(/\s{2,}/)[0])).toEqual(faults.map(({ id }) => id));
  expect(lines[0]?.split(/\s{2,}/)).toEqual([
    'patch-gate-201',
    'envelope',
    'envelope.status-200',
    'patch-gate',
    'Success is answered with 201.',
  ]);
});

test('`serve --fault` of something that is no fault is a mistake of the caller', async () => {
  expect(await conform(['serve', '--fault', 'patch-gate-201', '--fault', 'nope'])).toMatchObject({
    code: 2,
    err: 'conform: there is no fault called nope; `list faults` shows them all\n',
  });
});
