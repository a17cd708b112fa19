import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import type { Finding } from '../report/evidence.ts';
import { allRequirements } from './index.ts';
import keptErrata from './sets/errata-kept.json' with { type: 'json' };
import {
  type Erratum,
  errata,
  presentSet,
  type RequirementSet,
  releasedSets,
  saidHash,
  scoredEnd,
  scoringOf,
  setFiles,
  setHash,
  setNamed,
  setNames,
  setText,
} from './sets.ts';

/** A set frozen by a suite with two requirements fewer than now, and one that was milder. */
const earlier: RequirementSet = {
  name: '2025-01',
  requirements: {
    ...presentSet('2025-01').requirements,
    'envelope.json': ['SHOULD', '2.1', '0'.repeat(16)],
  },
};
const { 'envelope.object': _, 'envelope.content-type': __, ...rest } = earlier.requirements;
const frozen = { ...earlier, requirements: rest };
const finding = (requirement: string, level: 'MUST' | 'SHOULD'): Finding => ({
  requirement,
  level,
  pointer: '',
  expected: 'a',
  actual: 'b',
  occurrences: 1,
});
const end = (...findings: Finding[]) => ({ verdict: 'fail' as const, findings });
const erratum = (id: string, change: Erratum['change']): Erratum => ({ id, change, date: '2026-12-01', reason: 'r' });

describe('a frozen set', () => {
  it.each(setFiles)('$name says of its file what its hash says, if it was released', set => {
    expect(readFileSync(new URL(`sets/${set.name}.json`, import.meta.url), 'utf8')).toBe(setText(set));
    if (releasedSets[set.name] !== undefined) expect(setHash(set)).toBe(releasedSets[set.name]);
  });

  it('is there for every hash of a released one, and has another hash when a letter of it changes', () => {
    expect(Object.keys(releasedSets).filter(name => !setNames.includes(name))).toEqual([]);
    const hashes = [earlier, frozen, { ...earlier, name: '2025-02' }].map(setHash);
    expect(new Set(hashes).size).toBe(3);
  });

  it('is never made stricter: a requirement that demands more than it did is scored as it was', () => {
    for (const set of setFiles) {
      const scoring = scoringOf(set, []);
      for (const { id, level } of allRequirements) {
        const was = set.requirements[id]?.[0];
        if (was === 'SHOULD') expect([id, scoring(id, level).level]).not.toEqual([id, 'MUST']);
      }
    }
  });

  it('tells what was removed, or says something else now, by an erratum alone', () => {
    const now = new Map<string, string>(allRequirements.map(row => [row.id, saidHash(row)]));
    const changed = new Set(errata.map(({ id }) => id));
    for (const set of setFiles.filter(({ name }) => releasedSets[name] !== undefined))
      for (const [id, [, , hash]] of Object.entries(set.requirements))
        expect([id, now.get(id) === hash || changed.has(id)]).toEqual([id, true]);
  });
});

/** Returns a hash of the full contents of errata, in order. */
const errataHash = (made: readonly Erratum[]): string =>
  createHash('sha256')
    .update(JSON.stringify(made.map(({ id, change, date, reason }) => [id, change, date, reason])))
    .digest('hex');

describe('the errata', () => {
  it('are only added to: what was there when something was released is there still, letter by letter', () => {
    for (const { count, hash } of keptErrata) expect(errataHash(errata.slice(0, count))).toBe(hash);
    expect(keptErrata.map(({ count }) => count)).toEqual(
      keptErrata.map(({ count }) => count).toSorted((a, b) => a - b),
    );
    // Record the current errata as well, so that the next change is compared with them.
    expect(keptErrata.at(-1)?.count).toBe(errata.length);
  });

  it('would be caught with a reason that is changed, one that is taken out, and another order', () => {
    const [one, other] = [erratum('gate.name', 'relaxed'), erratum('gate.type', 'removed')];
    const hash = errataHash([one, other]);
    for (const now of [[one], [other, one], [{ ...one, reason: 'R' }, other]]) expect(errataHash(now)).not.toBe(hash);
    expect(errataHash([one, other, one].slice(0, 2))).toBe(hash);
  });

  it('have a day, a reason and a requirement each, the older ones first', () => {
    const known = new Set(setFiles.flatMap(({ requirements }) => Object.keys(requirements)));
    for (const { id, date, reason, change } of errata) {
      expect(known.has(id), id).toBe(true);
      expect(date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
      expect(reason).toMatch(/^\p{Lu}.*[^.]$/u);
      expect(['reworded', 'relaxed', 'removed', 'challenged']).toContain(change);
    }
    expect(errata.map(({ date }) => date)).toEqual(errata.map(({ date }) => date).toSorted());
  });
});

describe('what is scored', () => {
  // biome-ignore format: a table
  test.each([
    ['a requirement of the set',                  'envelope.data',         [],                                       'fail', undefined],
    ['one that was added since',                  'envelope.object',       [],                                       'pass', 'added'],
    ['one that was a SHOULD then',                'envelope.json',         [],                                       'warn', undefined],
    ['one that an erratum rewords',               'envelope.data',         [erratum('envelope.data', 'reworded')],   'fail', undefined],
    ['one that an erratum relaxes',               'envelope.data',         [erratum('envelope.data', 'relaxed')],    'warn', undefined],
    ['one that is challenged',                    'envelope.data',         [erratum('envelope.data', 'challenged')], 'pass', 'challenged'],
    ['one that was removed',                      'envelope.data',         [erratum('envelope.data', 'removed')],    'pass', 'removed'],
  ] as const)('of %s', (_what, requirement, made, verdict, notScored) => {
    const scored = scoredEnd(end(finding(requirement, 'MUST')), scoringOf(frozen, made));
    expect([scored.verdict, scored.findings[0]?.notScored]).toEqual([verdict, notScored]);
  });

  test('a failure beside what is not scored is a failure still, and nothing hides it', () => {
    const both = end(finding('envelope.object', 'MUST'), finding('envelope.data', 'MUST'));
    expect(scoredEnd(both, scoringOf(frozen, [])).verdict).toBe('fail');
  });

  test('a check that was not tested stays so, whatever the set', () => {
    const untested = { verdict: 'untested' as const, findings: [] };
    expect(scoredEnd(untested, scoringOf(frozen, []))).toEqual(untested);
  });

  test('without a set every requirement counts as it stands', () => {
    expect(scoringOf(undefined)('envelope.object', 'MUST')).toEqual({ level: 'MUST' });
    expect(setNamed('1999-01')).toBeUndefined();
  });
});
