import { table } from '../../contracts/markdown.ts';
import { endpointWords, inlineText, runWord } from '../formats/markdown.ts';
import { endpointsText } from '../text/verdict-text.ts';
import { type CheckChange, courseText, letterOf, type RunComparison, sumText } from './compare.ts';
import { lostText } from './coverage.ts';

/** The most changes of each kind that are shown; the others are counted. */
const most = 60;

/**
 * Returns a comparison for a job summary or a comment on a pull request. Text that may come from a target is escaped.
 */
export function comparisonPage(comparison: RunComparison): string {
  const { runs, endpoints, better, worse, lost, observations, cautions } = comparison;
  const heads = runs.map((_, index) => letterOf(index));
  const blocks = [
    `## ${sumText(comparison)}`,
    table(
      ['run', 'verdict', 'coverage', 'file', 'target', 'started', 'seed', 'profile'],
      runs.map(({ name, report }, index) => [
        letterOf(index),
        runWord(report.verdict),
        report.coverage === undefined ? '' : `${report.coverage.percent.toFixed(1)} %`,
        inlineText(name),
        inlineText(report.target.baseUrl),
        inlineText(report.startedAt),
        String(report.seed),
        report.profile,
      ]),
    ),
    ...(cautions.length === 0 ? [] : [cautions.map(caution => `- ⚠️ ${inlineText(caution)}`).join('\n')]),
    table(
      ['endpoint', ...heads],
      endpoints.map(({ id, verdicts }) => [
        inlineText(id),
        ...verdicts.map(verdict => (verdict === null ? 'not run' : endpointWords[verdict])),
      ]),
    ),
    ...changeBlocks('Worse', worse),
    ...rowBlocks(
      'Verified before, and no more',
      ['requirements', '', 'why'],
      lost.map(one => [
        String(one.requirements.length),
        `${one.requirements.slice(0, 3).map(inlineText).join(' ')}${one.requirements.length > 3 ? ' …' : ''}`,
        inlineText(lostText(one)),
      ]),
    ),
    ...changeBlocks('Better', better),
    ...rowBlocks(
      'Observed differently (left open by the specification, not judged)',
      ['requirement', 'endpoints', 'subject', ...heads],
      observations.map(({ requirement, endpoints: at, subject, values }) => [
        inlineText(requirement),
        at.length === 0 ? '' : inlineText(endpointsText(at)),
        inlineText(subject),
        ...values.map(own => (own.length === 0 ? 'not seen' : own.map(inlineText).join(' '))),
      ]),
    ),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function changeBlocks(title: string, changes: readonly CheckChange[]): string[] {
  const rows = changes.map(change => [
    inlineText(change.id),
    courseText(change),
    change.requirements.map(inlineText).join(' '),
  ]);
  return rowBlocks(title, ['check', 'verdicts', 'requirements'], rows);
}

/** A table of the first rows under a title, and the number of the others; nothing if there are none. */
function rowBlocks(title: string, heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const more = rows.length > most ? [`And ${rows.length - most} more.`] : [];
  return [`### ${title}`, table(heads, rows.slice(0, most)), ...more];
}
