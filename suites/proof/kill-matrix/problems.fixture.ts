import { requirementById } from '../../../contracts/requirements/index.ts';
import type { Fault } from '../../../reference-server/index.ts';
import { compareSides, type RunsOfSide } from '../../diff/explain/compare-sides.ts';
import { judgedTraffic } from '../testing/exchanges.ts';
import { checksThat, type RunRecord, testKey } from '../testing/reference-run.ts';
import { type WatchedRun, watchedRuns } from '../testing/watched-run.ts';
import { due, type Finding, findingsOf, type Sent, settingOf, withLearned } from './detection.fixture.ts';
import { rowProblem } from './row-problem.fixture.ts';

/** True if a finding lacks the expected value, an actual value that differs, or the exchange. */
const isIncomplete = ({ expected, actual, exchange }: Finding): boolean =>
  expected === '' ||
  expected === actual ||
  exchange === undefined ||
  !exchange.request.url.includes('/console/v1/') ||
  'response' in exchange === 'failure' in exchange;

/** Returns the problems of a run by itself: what it reports wrongly, and what it omits. */
export function problemsOfRun(fault: Fault, record: RunRecord): readonly string[] {
  const found = findingsOf(record);
  const isFailed = [...record.verdicts.values()].includes('non-conformant');
  const problem = rowProblem(fault, found);
  return [
    ...(record.end.outcome === 'complete' ? [] : [`the run ended ${record.end.outcome}: ${record.end.because}`]),
    ...checksThat(record, 'error').map(id => `${id} ended with an error`),
    ...(isFailed === found.some(({ level }) => level === 'MUST')
      ? []
      : ['the verdicts do not follow from the findings']),
    ...(problem === '' ? [] : [problem]),
    ...found
      .filter(isIncomplete)
      .map(({ unit, requirement }) => `${unit}: the finding of ${requirement} is incomplete`),
  ];
}

/** Returns the requirements that the judge of traffic sees broken in a run but the fault's row does not name. */
export function brokenInTraffic(fault: Fault, { exchanges }: WatchedRun): readonly string[] {
  const named: readonly string[] = due(fault);
  const { found } = judgedTraffic(exchanges, { apiKey: testKey, soleWriter: true });
  const broken = found.flatMap(one => (one.startsWith('server ') ? [one.split(' ')[1] ?? ''] : []));
  return [...new Set(broken)].filter(id => !named.includes(id)).sort();
}

/** Recordings of the reference server, by what was sent to it. */
const references = new Map<string, Promise<RunsOfSide>>();

/**
 * Records the answers of the reference server to what a broken one is sent. Records whole runs twice, to learn its
 * noise.
 */
function referenceFor(fault: Fault, sent: Sent): Promise<RunsOfSide> {
  const { server: _broken, ...rest } = settingOf(fault, sent);
  const setting = { ...rest, server: { grace: 20 }, hangs: false };
  const key = JSON.stringify(setting);
  const tokens = sent.path === undefined ? ['early', 'plain'] : ['plain'];
  const record = async (): Promise<RunsOfSide> => {
    const runs = await watchedRuns(await withLearned(setting), tokens);
    const [last, ...others] = runs.map(({ recording }) => recording).reverse();
    if (last === undefined) throw new Error('a run ends');
    return [last, ...others];
  };
  const known = references.get(key) ?? record();
  references.set(key, known);
  return known;
}

/** The comparison of the reference server with a broken one on either side. */
interface Beside {
  /** True if each comparison names the broken server, with a requirement of its row. */
  readonly isNamed: boolean;
  /** The accusations of the reference server, one line each. */
  readonly wrongly: readonly string[];
}

/** Compares a run of a broken server with the same run of the reference server. */
export async function beside(fault: Fault, { recording }: WatchedRun, sent: Sent): Promise<Beside> {
  const named: readonly string[] = due(fault);
  const reference = await referenceFor(fault, sent);
  const places = (['a', 'b'] as const).map(side => ({
    guilty: `${side}-breaks`,
    all: (side === 'a'
      ? compareSides([recording], reference, true)
      : compareSides(reference, [recording], true)
    ).comparison.places.filter(({ label }) => label.endsWith('-breaks')),
  }));
  return {
    isNamed: places.every(({ guilty, all }) =>
      all.some(({ label, requirement = '' }) => label === guilty && named.includes(requirement)),
    ),
    wrongly: places.flatMap(({ guilty, all }) =>
      all
        .filter(({ label }) => label !== guilty)
        .map(
          ({ endpoint, requirement, pointer }) =>
            `beside it the sound server breaks ${requirement}: ${endpoint} ${pointer}`,
        ),
    ),
  };
}

/** True if the fault depends on chance, so that another run may show nothing. */
export const isSporadic = ({ requirement }: Fault): boolean => requirementById(requirement).sporadic === true;
