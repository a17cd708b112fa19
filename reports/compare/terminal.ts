import { marks } from '../terminal/results.ts';
import { heading, indented, type Line, paint, type Style, styled } from '../text/page.ts';
import type { CheckChange, Comparison, ObservationChange } from './compare.ts';

/** So many changes of a kind are shown; the others are counted. */
const most = 40;

/** A letter for each run: columns stay narrow however long the names of files are. */
export function letterOf(index: number): string {
  return index < 26 ? String.fromCodePoint(65 + index) : `R${index + 1}`;
}

/** A comparison for a person at a terminal: the runs, the matrix endpoint × run, what got worse, what got better, what else differs. */
export function comparisonText(comparison: Comparison, place: { colour: boolean; columns?: number }): string {
  const { runs, endpoints, better, worse, observations, cautions } = comparison;
  const columns = place.columns;
  const widest = Math.max(...runs.map(({ name }) => name.length));
  const lines: Line[] = [
    ...runs.map(({ name, report }, index): Line => {
      const [mark, word, style] = marks[report.verdict];
      const about = `  ${report.target.baseUrl}, ${report.startedAt}, seed ${report.seed}, ${report.profile}`;
      return [
        styled('strong', letterOf(index).padEnd(4)),
        styled(style, `${mark} ${word}`.padEnd(18)),
        name.padEnd(widest),
        about,
      ];
    }),
    ...cautions.flatMap(caution => indented(0, `! ${caution}`, columns)),
    [],
    [styled('faint', `${''.padEnd(26)}${runs.map((_, index) => letterOf(index).padEnd(18)).join('')}`)],
    ...endpoints.map(
      ({ id, verdicts }): Line => [
        `  ${id.padEnd(24)}`,
        ...verdicts.map(verdict => {
          if (verdict === null) return '  not run'.padEnd(18);
          const [mark, word, style] = marks[verdict];
          return styled(style, `${mark} ${word}`.padEnd(18));
        }),
      ],
    ),
    ...changeLines('WORSE', 'bad', worse, columns),
    ...changeLines('BETTER', 'good', better, columns),
    ...observationLines(observations, columns),
    [],
    [sumOf(comparison)],
  ];
  return paint(lines, place.colour);
}

/** `3 checks worse, 1 better, 2 observations differ`, in words where there is nothing. */
export function sumOf({ worse, better, observations }: Comparison): string {
  if (worse.length + better.length + observations.length === 0) return 'No check and no observation differs.';
  return `${worse.length} worse, ${better.length} better (checks of the last run, against those before it); ${observations.length} observations differ.`;
}

/** The endpoints by name, or their number where they are many. */
export function placesOf(endpoints: readonly string[]): string {
  return endpoints.length > 4 ? `${endpoints.length} endpoints` : endpoints.join(', ');
}

/** `pass → fail`: the verdicts of a check, run by run. */
export function courseOf({ verdicts }: CheckChange): string {
  return verdicts.map(verdict => verdict ?? 'not run').join(' → ');
}

function changeLines(title: string, style: Style, changes: readonly CheckChange[], columns?: number): Line[] {
  if (changes.length === 0) return [];
  return [
    ...heading(title, style),
    ...changes
      .slice(0, most)
      .flatMap((change): Line[] => [
        [`  ${change.id}  `, styled(style, courseOf(change))],
        ...(change.requirements.length === 0 ? [] : indented(4, change.requirements.join(', '), columns)),
      ]),
    ...(changes.length > most ? [[`  and ${changes.length - most} more`]] : []),
  ];
}

function observationLines(changes: readonly ObservationChange[], columns?: number): Line[] {
  if (changes.length === 0) return [];
  return [
    ...heading('OBSERVED DIFFERENTLY (left open by the specification, not judged)'),
    ...changes
      .slice(0, most)
      .flatMap(({ requirement, endpoints, subject, values }): Line[] => [
        [`  ${requirement}: ${subject}`, styled('faint', endpoints.length === 0 ? '' : `  (${placesOf(endpoints)})`)],
        ...values.flatMap((own, index) =>
          indented(4, `${letterOf(index)}  ${own.length === 0 ? 'not seen' : own.join(' | ')}`, columns),
        ),
      ]),
    ...(changes.length > most ? [[`  and ${changes.length - most} more`]] : []),
  ];
}
