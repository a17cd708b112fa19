import { expect, test } from 'vitest';
import { faults } from '../../reference-server/index.ts';
import type { ServeFlags } from '../definitions/server.ts';
import { UsageError } from '../input.ts';
import { listCommand } from './list.ts';
import { serveCommand } from './serve.ts';

test('`list faults` has a line for each fault: id, kind, requirement, endpoints, title', () => {
  const lines = listCommand('faults').trimEnd().split('\n');
  expect(lines.map(line => line.split(/\s{2,}/)[0])).toEqual(faults.map(({ id }) => id));
  expect(lines[0]?.split(/\s{2,}/)).toEqual([
    'patch-gate-201',
    'envelope',
    'envelope.status-200',
    'patch-gate',
    'A patch of a gate is answered with 201.',
  ]);
});

test('`serve --fault` of something that is no fault is a mistake of the caller', async () => {
  const flags = {
    port: 0,
    key: [],
    corsHeader: [],
    dialect: [],
    fault: ['patch-gate-201', 'nope'],
  } as unknown as ServeFlags;
  await expect(serveCommand(flags, {})).rejects.toThrow(
    new UsageError('there is no fault called nope; `list faults` shows them all'),
  );
});
