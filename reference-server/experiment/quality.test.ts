import { describe, expect, it } from 'vitest';
import { defaultQuality, mergeQuality } from './quality.ts';

const begin = { manualQualityScores: [], qualityScore: defaultQuality };
const weights = (quality: { breakdown?: { weight?: unknown }[] }) =>
  (quality.breakdown ?? []).map(entry => Number(entry.weight));
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

describe('manual quality scores', () => {
  it('begin with eight default checks of equal weight', () => {
    expect(weights(defaultQuality)).toEqual(Array.from({ length: 8 }, () => 12.5));
    expect(defaultQuality.score).toBeCloseTo(100);
  });

  it('change only the weight of a default check, and remove it at weight 0', () => {
    const heavier = mergeQuality(begin, [{ criteriaDescription: 'POWER_ANALYSIS', score: 1, weight: 100 }]);
    const check = heavier.qualityScore.breakdown?.find(entry => entry.criterion === 'POWER_ANALYSIS');
    expect(check).toMatchObject({ score: 100 });
    expect(Number(check?.weight)).toBeCloseTo((100 * 100) / 187.5);
    expect(heavier.manualQualityScores).toEqual([]);
    const removed = mergeQuality(begin, [{ criteriaDescription: 'POWER_ANALYSIS', weight: 0 }]);
    expect(weights(removed.qualityScore)).toHaveLength(7);
    expect(sum(weights(removed.qualityScore))).toBeCloseTo(100);
  });

  it('keep the last ten written by hand', () => {
    let now: Parameters<typeof mergeQuality>[0] = begin;
    for (let number = 0; number < 15; number++)
      now = mergeQuality(now, [{ criteriaDescription: `c${number}`, score: 1, weight: 10 }]);
    expect(now.manualQualityScores?.map(score => score.criteriaDescription)).toEqual(
      Array.from({ length: 10 }, (_, index) => `c${index + 5}`),
    );
    expect(sum(weights(now.qualityScore ?? {}))).toBeCloseTo(100);
  });

  it('are added to those of a seed, which its breakdown may lack', () => {
    const now = { ...begin, manualQualityScores: [{ criteriaDescription: 'seeded', score: 40, weight: 100 }] };
    const { manualQualityScores, qualityScore } = mergeQuality(now, [
      { criteriaDescription: 'sent', score: 60, weight: 200 },
    ]);
    expect(manualQualityScores).toEqual([
      { criteriaDescription: 'seeded', score: 40, weight: 25 },
      { criteriaDescription: 'sent', score: 60, weight: 50 },
    ]);
    expect(qualityScore.breakdown).toHaveLength(10);
  });

  it.each([1e308, -1e308, 0, 5e-324])('stay finite at weight and score %d', extreme => {
    const sent = ['a', 'b', 'c'].map(criteriaDescription => ({ criteriaDescription, score: extreme, weight: extreme }));
    const { qualityScore } = mergeQuality({ qualityScore: { score: 0, breakdown: [] } }, sent);
    expect([qualityScore.score, ...weights(qualityScore)].every(Number.isFinite)).toBe(true);
  });
});
