import { expect, test } from 'vitest';
import { tell } from './told.fixture.ts';

/** An update of the scores of an experiment, and the criteria that its answer shows beside a default check. */
type Update = readonly [sent: readonly string[] | null, shown: readonly string[]];

/** Returns the suspicions after updates, one after another, and whether they could have shown a loss. */
function updated(...updates: readonly Update[]) {
  const told = tell();
  for (const [sent, shown] of updates) {
    const scores = sent?.map(criteriaDescription => ({ criteriaDescription, score: 1, weight: 10 }));
    const body = scores === undefined ? {} : { manualQualityScores: scores };
    const breakdown = ['HYPOTHESIS_LENGTH', ...shown].map(criterion => ({ criterion, score: 1, weight: 10 }));
    told.exchange(
      { endpoint: 'update-experiment', param: 'a', body },
      { data: { id: 'a', qualityScore: { breakdown } } },
    );
  }
  return [told.said(), told.covers.has('meaning.quality-scores-added')];
}

const ten = Array.from({ length: 10 }, (_, index) => `c${index}`);
const lost = ['firm changed a qualityScore meaning.quality-scores-added'];

// biome-ignore format: a table
test.each<readonly [what: string, updates: readonly Update[], said: readonly string[], isCovered: boolean]>([
  ['added each time',                        [[['A'], ['A']], [['B'], ['A', 'B']], [['C'], ['A', 'B', 'C']]], [], true],
  ['replaced each time',                     [[['A'], ['A']], [null, ['A']], [['B'], ['B']], [['C'], ['C']]],  lost, false],
  ['replaced once, as somebody may remove them', [[['A'], ['A']], [null, ['A']], [['B'], ['B']]],              [], false],
  ['replaced once and added once',           [[['A'], ['A']], [null, ['A']], [['B'], ['B']], [['C'], ['B', 'C']], [['D'], ['D']]], [], true],
  ['reset by updates without scores',        [[['A'], ['A']], [null, []], [['B'], ['B']], [null, []], [['C'], ['C']]], [], false],
  ['taken away by a job before each answer', [[['A'], ['A']], [['B'], ['B']], [['C'], ['C']], [null, []], [['D'], ['D']], [['E'], ['E']]], [], false],
  ['kept by updates without, lost by others', [[['A'], ['A']], [null, ['A']], [['B'], ['B']], [null, ['B']], [['C'], ['C']]], lost, false],
  ['lost in part each time',                 [[['A', 'B'], ['A', 'B']], [null, ['A', 'B']], [['C'], ['B', 'C']], [['D'], ['C', 'D']]], lost, false],
  ['lost in part once',                      [[['A', 'B'], ['A', 'B']], [null, ['A', 'B']], [['C'], ['B', 'C']], [['D'], ['B', 'C', 'D']]], [], true],
  ['sent again',                             [[['A'], ['A']], [null, ['A']], [['A'], ['A']], [['A'], ['A']]],  [], false],
  ['computed later',                         [[['A'], []], [['B'], ['A']], [['C'], ['B']]],                    [], false],
  ['more than ten, of which any are kept',   [[['A'], ['A']], [null, ['A']], [ten, ten], [['B'], ['B', ...ten.slice(1)]], [ten.map(one => `${one}x`), ten.map(one => `${one}x`)]], [], false],
])('scores that are %s', (_what, updates, said, isCovered) => {
  expect(updated(...updates)).toEqual([said, isCovered]);
});
