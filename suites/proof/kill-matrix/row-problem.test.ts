import { expect, test } from 'vitest';
import { type Fault, faultNamed } from '../../../reference-server/index.ts';
import { type Found, rowProblem } from './row-problem.fixture.ts';

const fault = faultNamed('gate-tags-null-when-empty');
const by = (requirement: string, level: Found['level'] = 'MUST'): Found => ({
  unit: 'patch-gate/some-check',
  requirement,
  level,
  pointer: '/data/tags',
  expected: '[]',
  actual: 'null',
});
const cites = (requirement: string): string =>
  `  patch-gate/some-check cites ${requirement} at /data/tags: expected [], found null`;

const otherwise = 'If it can, the suite accuses the server of something else: mend the check.';
const missed = { ...fault, missed: 'no check compares empty lists' };
const { alsoAs: _, ...alone } = fault;

// biome-ignore format: a table
const cases: readonly (readonly [what: string, row: Fault, found: readonly Found[], problem: readonly string[]])[] = [
  ['found by the requirement of its row', fault, [by('gate.tags')], []],
  ['found by one that the row names beside it', fault, [by('echo.sent-field')], []],
  ['found, with a warning besides', fault, [by('gate.tags'), by('presence.named', 'SHOULD')], []],
  ['not found', fault, [], ['gate-tags-null-when-empty is not found: nothing cites gate.tags. Mend the check, or say why in `missed`.']],
  ['found by others alone', alone, [by('state.patch-every-sent'), by('echo.sent-field')], [
    'gate-tags-null-when-empty is not found by gate.tags, but by what its row does not name:',
    cites('state.patch-every-sent'), cites('echo.sent-field'),
    "If the fault cannot help breaking echo.sent-field, state.patch-every-sent as well, write in its row: alsoAs: ['echo.sent-field', 'state.patch-every-sent']",
    otherwise,
  ]],
  ['lost, with a warning', alone, [by('echo.order-and-space', 'SHOULD')], [
    'gate-tags-null-when-empty is not found by gate.tags, but by what its row does not name:',
    cites('echo.order-and-space'),
    "If the fault cannot help breaking echo.order-and-space as well, write in its row: alsoAs: ['echo.order-and-space']",
    otherwise,
  ]],
  ['found as a warning with a doubt alone', alone, [by('gate.tags', 'SHOULD')], [
    'gate-tags-null-when-empty is not found by gate.tags, but by what its row does not name:',
    cites('gate.tags'),
  ]],
  ['found, and by another too', fault, [by('gate.tags'), by('state.neighbours')], [
    'gate-tags-null-when-empty is found, and also by what its row does not name:',
    cites('state.neighbours'),
    "If the fault cannot help breaking state.neighbours as well, write in its row: alsoAs: ['echo.sent-field', 'state.patch-every-sent', 'state.neighbours']",
    otherwise,
  ]],
  ['found, and by one that cannot be meant', fault, [by('gate.tags'), by('message.list-segments')], [
    'gate-tags-null-when-empty is found, and also by what its row does not name:',
    cites('message.list-segments'),
    'message.list-segments binds no endpoint of the fault: the suite accuses the server of something else.',
  ]],
  ['missed, as its row says', missed, [], []],
  ['missed no more', missed, [by('gate.tags')], ['gate-tags-null-when-empty is found now: remove `missed` from its row.']],
];

test.each(cases)('a fault that is %s', (_what, row, found, problem) => {
  expect(rowProblem(row, found)).toBe(problem.join('\n'));
});
