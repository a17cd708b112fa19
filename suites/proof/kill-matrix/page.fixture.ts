import { code, table } from '../../../contracts/markdown.ts';
import { type Fault, type FaultKind, faultKinds } from '../../../reference-server/index.ts';
import type { Detection } from './detection.fixture.ts';

/** A fault and how it was found. */
export interface Kill {
  readonly fault: Fault;
  readonly detection: Detection | null;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

const percent = (part: number, whole: number): string => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;

function summary(kills: readonly Kill[]): string {
  const found = kills.flatMap(({ detection }) => detection ?? []);
  const single = found.filter(({ size }) => size === 'one field').length;
  return table(
    ['figure', 'value'],
    [
      ['faults in the catalogue', `${kills.length}`],
      ['found', `${found.length} (${percent(found.length, kills.length)})`],
      ['requests until the first finding, median', `${median(found.map(({ requests }) => requests))}`],
      ['counterexamples that change one field', `${single} (${percent(single, found.length)})`],
      ['counterexamples that are a sequence of steps', `${found.filter(({ size }) => size === 'a sequence').length}`],
    ],
  );
}

function row({ fault, detection }: Kill): string[] {
  const by = detection?.by.map(id => id.split('/')[1] ?? id) ?? [];
  return [
    code(fault.id),
    fault.title,
    fault.endpoints.map(code).join(', '),
    code(fault.requirement),
    detection === null ? 'nothing' : [...new Set(by)].map(code).join(', '),
    detection === null ? '' : `${detection.requests}`,
    detection?.size ?? '',
  ];
}

/** `docs/kill-matrix.md`: the figures, then every fault by kind and what found it. */
export function killMatrixPage(kills: readonly Kill[]): string {
  const kinds = Object.keys(faultKinds) as FaultKind[];
  const sections = kinds.map(kind => {
    const rows = kills.filter(({ fault }) => faultKinds[kind].includes(fault)).map(row);
    return `## ${kind}\n\n${table(['fault', 'what the server does wrong', 'endpoints', 'requirement', 'found by', 'requests', 'counterexample'], rows)}`;
  });
  return `${[
    '# Kill matrix',
    'Every fault of the catalogue (`npx conform list faults`), and what of the suite finds it. Each was given to the reference server by itself, and what the',
    'suite has for the endpoints of the fault was run against it with seed 1. "Requests" counts what the lane had sent when the first finding was made.',
    '`npm run kill-matrix` measures it again and writes this page; the tests run the same matrix and fail when a fault is not found, or when anything else is accused.',
    '',
    summary(kills),
    '',
    ...sections.flatMap(section => [section, '']),
  ]
    .join('\n')
    .trimEnd()}\n`;
}
