import { code, table } from '../../../contracts/markdown.ts';
import { type FaultKind, faultKinds } from '../../../reference-server/index.ts';
import { allKills, type FaultKill } from './kills.fixture.ts';

/** Returns the median. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** Returns a part of a whole in percent. */
export const percent = (part: number, whole: number): string => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;

function summary(kills: readonly FaultKill[]): string {
  const found = kills.flatMap(({ kill }) => kill ?? []);
  const quick = found.filter(({ profile }) => profile === 'quick').length;
  const single = found.filter(({ size }) => size === 'one field').length;
  return table(
    ['figure', 'value'],
    [
      ['faults in the catalogue', `${kills.length}`],
      ['found', `${found.length} (${percent(found.length, kills.length)})`],
      ['found by the quick profile', `${quick} (${percent(quick, kills.length)})`],
      ['requests until the first finding, median', `${median(found.map(({ requests }) => requests))}`],
      [
        'found by a single case of its own, as the tests send it',
        `${found.filter(({ noted }) => noted.path !== undefined).length}`,
      ],
      ['counterexamples that change one field', `${single} (${percent(single, found.length)})`],
      ['counterexamples that are a sequence of steps', `${found.filter(({ size }) => size === 'a sequence').length}`],
    ],
  );
}

function row({ fault, kill }: FaultKill): string[] {
  const by = kill?.by.map(id => id.split('/')[1] ?? id) ?? [];
  return [
    code(fault.id),
    fault.title,
    fault.endpoints.map(code).join(', '),
    code(fault.requirement),
    kill === null ? 'nothing' : [...new Set(by)].map(code).join(', '),
    kill === null ? '' : `${kill.requests}`,
    kill?.size ?? '',
    kill?.profile ?? '',
  ];
}

/** Returns `docs/kill-matrix.md`: the figures, then every fault by kind with what found it. */
export function killMatrixPage(kills: readonly FaultKill[] = allKills()): string {
  const kinds = Object.keys(faultKinds) as FaultKind[];
  const sections = kinds.map(kind => {
    const rows = kills.filter(({ fault }) => faultKinds[kind].includes(fault)).map(row);
    return `## ${kind}\n\n${table(['fault', 'what the server does wrong', 'endpoints', 'requirement', 'found by', 'requests', 'counterexample', 'profile'], rows)}`;
  });
  return `${[
    '# Kill matrix',
    'Every fault of the catalogue (`npx conform list faults`), and what of the suite finds it. Each was given to the reference server by itself, and what the',
    'suite has for the endpoints of the fault was run against it with seed 1: the quick profile, and where that found nothing the standard one. "Requests"',
    'counts what the lane had sent when the first finding was made.',
    '`npm run prove -- kill-matrix` measures it again. The tests send each fault what is noted to find it, and fail when it is not found, when anything else is',
    'accused, or when what a row was measured with has changed since.',
    '',
    summary(kills),
    '',
    ...sections.flatMap(section => [section, '']),
  ]
    .join('\n')
    .trimEnd()}\n`;
}
