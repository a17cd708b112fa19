import { endpointWords, inlineText, runWords } from '../formats/markdown.ts';
import type { CheckChange, Comparison } from './compare.ts';
import { courseOf, letterOf, placesOf, sumOf } from './terminal.ts';

/** So many changes of a kind are shown; the others are counted. */
const most = 60;

/** A comparison for a job summary or a comment on a pull request. Whatever a target may have sent is escaped. */
export function comparisonPage(comparison: Comparison): string {
  const { runs, endpoints, better, worse, observations, cautions } = comparison;
  const heads = runs.map((_, index) => letterOf(index));
  const blocks = [
    `## ${sumOf(comparison)}`,
    table(
      ['run', 'verdict', 'file', 'target', 'started', 'seed', 'profile'],
      runs.map(({ name, report }, index) => [
        letterOf(index),
        runWords[report.verdict],
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
    ...changeBlocks('Better', better),
    ...(observations.length === 0
      ? []
      : [
          '### Observed differently (left open by the specification, not judged)',
          table(
            ['requirement', 'endpoints', 'subject', ...heads],
            observations
              .slice(0, most)
              .map(({ requirement, endpoints, subject, values }) => [
                inlineText(requirement),
                endpoints.length === 0 ? '' : inlineText(placesOf(endpoints)),
                inlineText(subject),
                ...values.map(own => (own.length === 0 ? 'not seen' : own.map(inlineText).join(' '))),
              ]),
          ),
          ...more(observations.length),
        ]),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function changeBlocks(title: string, changes: readonly CheckChange[]): string[] {
  if (changes.length === 0) return [];
  const rows = changes
    .slice(0, most)
    .map(change => [inlineText(change.id), courseOf(change), change.requirements.map(inlineText).join(' ')]);
  return [`### ${title}`, table(['check', 'verdicts', 'requirements'], rows), ...more(changes.length)];
}

function more(count: number): string[] {
  return count > most ? [`And ${count - most} more.`] : [];
}

/** Every cell is escaped where it is made: none holds a bar or a line end. */
function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return [heads, heads.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n');
}
