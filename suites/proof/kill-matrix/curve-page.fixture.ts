import { table } from '../../../contracts/markdown.ts';
import type { CurvePoint } from './curve.fixture.ts';
import { percent } from './page.fixture.ts';

/** The numbers of requests at which the curve is drawn. */
export const curveSteps: readonly number[] = [50, 100, 200, 400, 900, 1800, 4500];

/** Characters of a whole bar. */
const widest = 40;

const bar = (part: number, whole: number): string => '█'.repeat(Math.round((widest * part) / Math.max(1, whole)));

/** The curve as a table and as bars, in Markdown. */
export function curveText(points: readonly CurvePoint[], faults: number): string {
  const rows = points.map(({ requests, found, foundUnseen }) => [
    requests.toLocaleString('en'),
    `${found} (${percent(found, faults)})`,
    `${foundUnseen} (${percent(foundUnseen, faults)})`,
  ]);
  const line = ({ requests, found, foundUnseen }: CurvePoint): string[] => [
    `${String(requests).padStart(5)}  learned  ${bar(found, faults)}`,
    `       unseen   ${bar(foundUnseen, faults)}`,
  ];
  return [
    table(['requests', `of ${faults} faults found`, 'of faults left out of the learning'], rows),
    '',
    '```text',
    ...points.flatMap(line),
    '```',
  ].join('\n');
}
