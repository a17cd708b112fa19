import { counted, heading, indented, type Line, paint, styled } from '../text/page.ts';
import type { Gate, StaleEntry } from './baseline.ts';

/** So many entries of a kind are shown; the others are counted. */
const most = 40;

/** How a run stands to its baseline, for a person: what is new, which line of the file to remove and why, and the sum. */
export function gateText(
  gate: Gate,
  file: { readonly name: string; lineOf(check: string): number },
  place: { readonly colour: boolean; readonly columns?: number },
): string {
  const { known, fresh, stale, exitCode } = gate;
  const sum = `${counted(known.length, 'known failure')}, ${counted(fresh.length, 'new one')}, ${counted(stale.length, 'stale entry').replace('entrys', 'entries')}; exit ${exitCode}`;
  const isOpen = fresh.length + stale.length === 0;
  return paint(
    [
      ...heading(`BASELINE ${file.name}`, isOpen ? 'good' : 'bad'),
      ...fresh
        .slice(0, most)
        .flatMap(({ check, requirements }): Line[] => [
          [styled('bad', `  ✗ ${check} is a new failure`)],
          ...indented(4, requirements.join(', '), place.columns),
        ]),
      ...stale.slice(0, most).flatMap(one => staleLines(one, file, place.columns)),
      ...(fresh.length > most || stale.length > most ? [['  … and more']] : []),
      [`  ${sum}`],
    ],
    place.colour,
  );
}

function staleLines(
  { entry, why }: StaleEntry,
  file: { readonly name: string; lineOf(check: string): number },
  columns?: number,
): Line[] {
  const differs = why.startsWith('fails differently');
  const verb = differs ? 'remove or mend' : 'remove';
  return [
    [styled('bad', `  ✗ ${entry.check} ${why}`)],
    [styled('strong', `    → ${verb} line ${file.lineOf(entry.check)} of ${file.name}`)],
    ...indented(6, `its reason was: ${entry.reason}${entry.issue === undefined ? '' : ` (${entry.issue})`}`, columns),
  ];
}
