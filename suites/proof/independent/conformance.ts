import { endpoints } from '../../../contracts/endpoints.ts';
import type { RunEvent } from '../../../contracts/report/journal.ts';
import type { CoverageReport } from '../../../contracts/report/report.ts';
import { requirements } from '../../../contracts/requirements/index.ts';
import type { TargetFile } from '../../../contracts/target.ts';
import { foldJournal } from '../../../reports/index.ts';
import type { RunOptions } from '../../engine/config.ts';
import { run } from '../../engine/run.ts';
import { targetOf } from '../../sut/target.ts';
import { longest, skipWaits } from '../testing/skip-waits.ts';
import type { IndependentServer } from './server.ts';

/** How one check of one endpoint ended. */
export type CheckEnd = Extract<RunEvent, { event: 'check-end' }>;

/** What a run against the independent server came to. */
export interface Accusations {
  readonly outcome: string;
  readonly ends: readonly CheckEnd[];
  /** How much of what could be tested was verified. */
  readonly coverage: CoverageReport | undefined;
}

/**
 * Runs the whole suite, in this process and without the waits that the server asks for, against a server that is up.
 */
export async function accuse(
  server: IndependentServer,
  options: Pick<RunOptions, 'seed' | 'profile' | 'token'>,
  file: TargetFile = server.targetFile as TargetFile,
): Promise<Accusations> {
  const events: RunEvent[] = [];
  const target = targetOf(file, new URL(server.url), server.apiKey);
  const pace = { concurrency: 4, timeoutMs: longest, settleMs: 0 };
  const goOn = skipWaits();
  await run({ target, ...pace, ...options }, event => events.push(event)).finally(goOn);
  const fold = foldJournal({ endpoints, requirements });
  for (const event of events) fold.add(event);
  return {
    coverage: fold.report().coverage,
    outcome: events.flatMap(event => (event.event === 'run-end' ? [event.outcome] : [])).join(),
    ends: events.filter(event => event.event === 'check-end'),
  };
}

/** One check that ended badly, in words: what was asked for, what came, and the request that showed it. */
export function inWords(end: CheckEnd): string {
  const findings = end.findings.map(finding => {
    const { requirement, pointer, expected, actual, counterexample, exchange } = finding;
    return [
      `  ${requirement} at ${pointer}: expected ${expected}, got ${actual}`,
      ...(counterexample === undefined ? [] : [`    case:    ${counterexample.title} (--path ${counterexample.path})`]),
      ...(exchange === undefined ? [] : [`    request: ${exchange.request.method} ${exchange.request.url}`]),
      `    body:    ${exchange?.request.body?.text ?? 'none'}`,
      `    answer:  ${exchange?.response?.status ?? exchange?.failure} ${exchange?.response?.body.text ?? ''}`,
    ].join('\n');
  });
  return [`${end.verdict} ${end.id} ${end.because ?? ''}`, ...findings].join('\n');
}
