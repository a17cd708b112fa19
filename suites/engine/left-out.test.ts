import { describe, expect, test } from 'vitest';
import { endpoints } from '../../contracts/endpoints.ts';
import { leftOut, withLeftOut } from './execution.ts';

const because = 'no team is named';
const field = (name: string, more: object = {}) => ({ field: name, because, ...more });

describe('a field that was left out', () => {
  test('tells its requirement, and those of the fields below it', () => {
    const [team] = leftOut([field('teamID')], endpoints['patch-gate']);
    expect(team?.requirements).toEqual(['gate.teamID']);
    const [settings] = leftOut([field('reviewSettings')], endpoints['patch-gate']);
    expect(settings?.requirements).toEqual([
      'gate.reviewSettings',
      'gateReviewSettings.requiredReview',
      'gateReviewSettings.allowedReviewers',
    ]);
    const [member] = leftOut([field('reviewSettings.allowedReviewers')], endpoints['patch-gate']);
    expect(member?.requirements).toEqual(['gateReviewSettings.allowedReviewers']);
  });

  test('keeps what it tells itself', () => {
    const told = field('teamID', { requirements: ['echo.sent'], remedy: 'vocabulary.teams: ["a_team"]' });
    expect(leftOut([told], endpoints['patch-gate'])).toEqual([told]);
  });

  test('has no requirement where the operation takes no body', () => {
    expect(leftOut([field('anything')], endpoints['list-segments'])).toEqual([field('anything')]);
  });

  test('is told once, as it was known before a case found it', () => {
    const known = leftOut([field('teamID')], endpoints['patch-gate']);
    const found = [field('teamID', { because: 'refused' }), field('tags', { because: 'refused at every value' })];
    const all = withLeftOut(known, found, endpoints['patch-gate']);
    expect(all.map(one => [one.field, one.because, one.requirements])).toEqual([
      ['teamID', because, ['gate.teamID']],
      ['tags', 'refused at every value', ['gate.tags']],
    ]);
  });
});
