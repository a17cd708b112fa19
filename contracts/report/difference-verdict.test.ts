import { describe, expect, test } from 'vitest';
import type { DifferenceLimit } from './difference.ts';
import { type ComparedBehaviours, differenceVerdict, failsAt, type Labelled } from './difference-verdict.ts';

// biome-ignore format: a table
const limits: readonly [what: string, difference: Labelled, failsFrom: readonly DifferenceLimit[]][] = [
  ['a MUST that B breaks',    { label: 'b-breaks', level: 'MUST' },   ['must', 'open', 'any']],
  ['a MUST that A breaks',    { label: 'a-breaks', level: 'MUST' },   ['must', 'open', 'any']],
  ['a SHOULD that B breaks',  { label: 'b-breaks', level: 'SHOULD' }, ['open', 'any']],
  ['a SHOULD that A breaks',  { label: 'a-breaks', level: 'SHOULD' }, ['open', 'any']],
  ['what is left open',       { label: 'open' },                      ['open', 'any']],
  ['what nobody says',        { label: 'unsaid' },                    ['any']],
];

test.each(limits)('%s fails a comparison from its limit on', (_, difference, expected) => {
  expect((['must', 'open', 'any'] as const).filter(limit => failsAt(difference, limit))).toEqual(expected);
});

const ended = (outcome = 'complete', isRecording = false) => ({ outcome, isRecording });
const compared = (odd: Partial<ComparedBehaviours> = {}): ComparedBehaviours => ({
  sides: [ended(), ended()],
  compared: 10,
  differs: false,
  isStale: false,
  ...odd,
});

describe('a comparison', () => {
  // biome-ignore format: a table
  test.each<[what: string, compared: Partial<ComparedBehaviours>, verdict: string, exitCode: number]>([
    ['without a difference that counts is alike',                {},                                                  'alike',      0],
    ['with one is different',                                    { differs: true },                                   'different',  1],
    ['with a stale entry fails too',                             { isStale: true },                                   'different',  1],
    ['of which a side died is incomplete',                       { sides: [ended(), ended('unreachable')] },          'incomplete', 3],
    ['that compared nothing is incomplete',                      { compared: 0 },                                     'incomplete', 3],
    ['whose recording was interrupted is incomplete',            { sides: [ended('interrupted', true), ended()] },    'incomplete', 3],
    ['whose recording ended by a fault is incomplete',           { sides: [ended('error', true), ended()] },          'incomplete', 3],
    ['that was interrupted says so',                             { sides: [ended(), ended('interrupted')] },          'incomplete', 130],
    ['that was interrupted says so before what it found',        { sides: [ended('interrupted'), ended()], differs: true }, 'different', 130],
    ['with a fault of the suite says so before what it found',   { sides: [ended('error'), ended()], differs: true }, 'different',  4],
    ['says what it found before a side died',                    { sides: [ended(), ended('unreachable')], differs: true }, 'different', 1],
  ])('%s', (_, odd, verdict, exitCode) => {
    expect(differenceVerdict(compared(odd))).toEqual({ verdict, exitCode });
  });
});
