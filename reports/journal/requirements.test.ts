import { describe, expect, test } from 'vitest';
import type { NotExercised, Profile } from '../../contracts/report/journal.ts';
import { noRemedy } from '../../contracts/report/remedies.ts';
import type { CheckReport } from '../../contracts/report/report.ts';
import { tooLong } from '../testing/findings.fixture.ts';
import { judgeRequirements, type RequirementRow } from './requirements.ts';

const stored: RequirementRow = { id: 'stored', section: '3', level: 'MUST', statement: 'A write is stored.' };
const frame: RequirementRow = { ...stored, id: 'frame', restsOn: ['stored'] };
const field: RequirementRow = { ...stored, id: 'gate.team', conditional: true };
const links: RequirementRow = { ...stored, id: 'links', remedy: 'give each list 14 items or more' };

const check = (id: string, requirements: string[], more: Partial<CheckReport> = {}): CheckReport => ({
  id,
  check: id,
  title: id,
  level: 'MUST',
  requirements,
  verdict: 'pass',
  findings: [],
  notExercised: [],
  exercised: [],
  stats: { cases: 1, requests: 1, accepted: 1, refused: 0, durationMs: 1 },
  ...more,
});

const verdictOf = (
  row: RequirementRow,
  checks: readonly CheckReport[],
  rows: readonly RequirementRow[] = [],
  profile: Profile = 'standard',
) => {
  const found = judgeRequirements([row, ...rows], checks, { strict: false, profile })[0];
  return [found?.verdict, found?.remedy];
};

const leftOut = (more: Partial<NotExercised>): Partial<CheckReport> => ({
  notExercised: [{ field: 'team', because: 'no team is named', requirements: ['gate.team'], ...more }],
});
const teams = 'name teams under vocabulary.teams';
const enterprise = { remedy: 'add "enterprise" to capabilities', capability: 'enterprise' };

describe('a requirement', () => {
  // biome-ignore format: a table
  test.each<[what: string, row: RequirementRow, checks: CheckReport[], verdict: string, remedy?: string]>([
    ['that a case could have shown to be broken',   field,  [check('a', ['gate.team'], { exercised: ['gate.team'] })],          'verified'],
    ['of a journal that does not tell',             field,  [check('a', ['gate.team'], { exercised: undefined as never })],     'verified'],
    ['that was exercised by one of two checks',     field,  [check('a', ['gate.team']), check('b', ['gate.team'], { exercised: ['gate.team'] })], 'verified'],
    ['that was exercised, but for a check that was not run', field, [check('a', ['gate.team'], { exercised: ['gate.team'] }), check('b', ['gate.team'], { verdict: 'untested', remedy: 'fixtures.gates: ["a_gate"]' })], 'untested', 'fixtures.gates: ["a_gate"]'],
    ['that waits for what something broken blocks', stored, [check('a', ['stored'], { verdict: 'untested', remedy: 'limits.metrics: 20', blockedBy: 'create-metric/envelope' })], 'untested'],
    ['that waits for something broken, and for a fixture', stored, [check('a', ['stored'], { verdict: 'untested', remedy: 'limits.metrics: 20', blockedBy: 'create-metric/envelope' }), check('b', ['stored'], { verdict: 'untested', remedy: 'fixtures.gates: ["a_gate"]' })], 'untested', 'fixtures.gates: ["a_gate"]'],
    ['of a field that no answer has',               field,  [check('a', ['gate.team'])],                                        'not-observed'],
    ['of a field for which a word is missing',      field,  [check('a', ['gate.team'], leftOut({ remedy: teams }))],            'untested', teams],
    ['of a field that needs a capability',          field,  [check('a', ['gate.team'], leftOut(enterprise))],                   'not-applicable', enterprise.remedy],
    ['of a field that lacks both',                  field,  [check('a', ['gate.team'], leftOut(enterprise)), check('b', ['gate.team'], leftOut({ remedy: teams }))], 'untested', teams],
    ['of a field that nothing can name',            field,  [check('a', ['gate.team'], leftOut({}))],                           'not-observed'],
    ['of a field that no line can have sent',       links,  [check('a', ['links'], leftOut({ requirements: ['links'], remedy: `${noRemedy} can change that` }))], 'not-observed'],
    ['of a field that one check cannot be given, and another can', field, [check('a', ['gate.team'], leftOut({ remedy: `${noRemedy} can change that` })), check('b', ['gate.team'], leftOut({ remedy: teams }))], 'untested', teams],
    ['of which another field is missing',           field,  [check('a', ['gate.team'], leftOut({ requirements: ['gate.tags'], remedy: teams }))], 'not-observed'],
    ['of another field that needs the capability',  { ...stored, capability: 'enterprise' }, [check('a', ['stored'], leftOut(enterprise))], 'not-applicable', enterprise.remedy],
    ['whose operations were not to be run',         field,  [check('a', ['gate.team'], { verdict: 'not-applicable' })],         'not-applicable'],
    ['that is no field, and was not exercised',     links,  [check('a', ['links'])],                                            'untested', 'give each list 14 items or more'],
  ])('%s', (_what, row, checks, verdict, remedy) => {
    expect(verdictOf(row, checks)).toEqual([verdict, remedy]);
  });
});

test('a profile that sends less leaves untested what a larger one would exercise', () => {
  expect(verdictOf(stored, [check('a', ['stored'])], [], 'quick')).toEqual([
    'untested',
    'a larger profile, which sends more',
  ]);
  expect(verdictOf(stored, [check('a', ['stored'])])).toEqual(['untested', undefined]);
});

describe('a requirement that rests on another', () => {
  const shown = check('a', ['frame'], { exercised: ['frame'] });
  const storing = (more: Partial<CheckReport>) => check('b', ['stored'], more);

  test('is verified where that one is, and where this run did not look at it', () => {
    expect(verdictOf(frame, [shown, storing({ exercised: ['stored'] })], [stored])).toEqual(['verified', undefined]);
    expect(verdictOf(frame, [shown], [stored])).toEqual(['verified', undefined]);
  });

  test('is untested where that one is not verified: it would hold for nothing', () => {
    const failed = storing({ verdict: 'fail', findings: [{ ...tooLong, requirement: 'stored', reproduce: '' }] });
    expect(verdictOf(frame, [shown, failed], [stored])).toEqual(['untested', undefined]);
    const untested = storing({ verdict: 'untested', remedy: 'fixtures.gates: ["a_gate"]' });
    expect(verdictOf(frame, [shown, untested], [stored])).toEqual(['untested', 'fixtures.gates: ["a_gate"]']);
  });

  test('of which it names several needs one', () => {
    const either = { ...frame, restsOn: ['other', 'stored'] };
    const other = check('c', ['other'], { verdict: 'untested' });
    const checks = [shown, other, storing({ exercised: ['stored'] })];
    expect(verdictOf(either, checks, [stored, { ...stored, id: 'other' }])).toEqual(['verified', undefined]);
  });
});
