import { endpoints } from '../../../contracts/endpoints.ts';
import type { Profile } from '../../../contracts/report/journal.ts';
import type { Report } from '../../../contracts/report/report.ts';
import { requirements } from '../../../contracts/requirements/index.ts';
import { foldJournal } from '../../../reports/index.ts';
import { run } from '../../engine/run.ts';
import { targetOf } from '../../sut/target.ts';
import { longest, skipWaits } from '../testing/skip-waits.ts';
import type { ServerName } from './changes.ts';
import { type ServerProcess, startChanged } from './child.ts';
import type { Mutant } from './mutant.ts';

/** How a run judged a mutant. */
export type Judgement =
  /** The verdict is a failure. */
  | 'found'
  /** The server did not answer for so long that a run would have ended. */
  | 'hangs'
  | 'warned'
  | 'incomplete'
  | 'silent';

/** A cause as reported. */
export interface ToldCause {
  readonly kind: 'fail' | 'warn';
  readonly title: string;
  readonly requirements: readonly string[];
  readonly endpoints: readonly string[];
  /** The pointer of its first finding. */
  readonly pointer: string;
}

/** The result for one mutant. */
export interface Outcome {
  readonly judgement: Judgement | 'does not start' | 'never differs';
  /** The profile of the last run. */
  readonly profile?: Profile;
  /** How often the server differed in the last run; absent for sources. */
  readonly differed?: number;
  readonly requests?: number;
  /** The first causes. */
  readonly causes?: readonly ToldCause[];
  /** The incomplete endpoints, and why. */
  readonly incomplete?: readonly string[];
}

/** Milliseconds without an answer after which a server is killed. */
const patience = 40_000;
const mostCauses = 4;

/** A running server. */
export type Up = Pick<ServerProcess, 'url' | 'apiKey' | 'targetFile' | 'kill'>;

/** Returns the report of one whole run; undefined if the server had to be killed. */
async function reportOf(server: Up, profile: Profile): Promise<Report | undefined> {
  const fold = foldJournal({ endpoints, requirements });
  const target = targetOf(server.targetFile, new URL(server.url), server.apiKey);
  let isEnded = false;
  const timer = setTimeout(() => {
    isEnded = true;
    server.kill();
  }, patience);
  const goOn = skipWaits();
  const watch = { answer() {}, sent() {}, answered: () => void timer.refresh() };
  const options = { target, profile, seed: 1, token: 'mutant', timeoutMs: longest, settleMs: 0, watch };
  await run(options, event => fold.add(event)).finally(() => {
    goOn();
    clearTimeout(timer);
  });
  return isEnded ? undefined : fold.report();
}

const toldCauses = ({ causes = [], endpoints: ends }: Report): readonly ToldCause[] =>
  causes.slice(0, mostCauses).map(({ kind, title, requirements: broken, endpoints: at, findings }) => {
    const [id = ''] = findings;
    const [place = '', number = '1'] = id.split('#');
    const check = ends.flatMap(({ checks }) => checks).find(one => one.id === place);
    return {
      kind,
      title,
      requirements: broken,
      endpoints: at,
      pointer: check?.findings[Number(number) - 1]?.pointer ?? '',
    };
  });

function judgementOf({ exitCode, causes = [] }: Report): Judgement {
  if (exitCode === 1) return 'found';
  if (exitCode === 3) return 'incomplete';
  return causes.length > 0 ? 'warned' : 'silent';
}

/** Returns why endpoints are incomplete. */
const incompleteOf = ({ endpoints: ends }: Report): readonly string[] =>
  ends
    .filter(({ verdict }) => verdict === 'incomplete')
    .map(({ id, checks }) => {
      const untested = checks.filter(({ verdict }) => verdict === 'untested');
      return `${id} (${untested.length} untested): ${untested[0]?.because ?? ''}`;
    });

/** Returns the result of one whole run of a profile against a running server. */
export async function outcomeOf(up: Up, profile: Profile): Promise<Outcome> {
  const report = await reportOf(up, profile);
  if (report === undefined) return { judgement: 'hangs', profile };
  const incomplete = incompleteOf(report);
  return {
    judgement: judgementOf(report),
    profile,
    requests: report.stats.requests,
    causes: toldCauses(report),
    ...(incomplete.length > 0 ? { incomplete } : {}),
  };
}

/** Judges a server by a quick run. If that does not fail, judges a new instance by a standard run. */
export async function judgedByProfiles(start: () => Promise<Up>): Promise<Outcome> {
  const once = async (profile: Profile): Promise<Outcome> => {
    const up = await start();
    return outcomeOf(up, profile).finally(up.kill);
  };
  const quick = await once('quick');
  return ['found', 'hangs'].includes(quick.judgement) ? quick : once('standard');
}

/** Judges a server with a change by one whole run of a profile. */
export async function judgedBy(
  { server, ...change }: Pick<Mutant, 'server' | 'kind' | 'mutant'>,
  profile: Profile,
): Promise<Outcome> {
  const up = await startChanged(server, change as never);
  if (up === undefined) return { judgement: 'does not start' };
  try {
    const outcome = await outcomeOf(up, profile);
    const differed = await up.differed();
    const counted = change.kind === 'source' || differed === undefined ? {} : { differed: differed.differed };
    const isSame = counted.differed === 0 && outcome.judgement !== 'hangs';
    return { ...outcome, ...(isSame ? { judgement: 'never differs' as const } : {}), ...counted };
  } finally {
    up.kill();
  }
}

/** The results of a server without a mutant. */
export interface Sound {
  /** The numbers of the mutants of answers that would differ from it in a standard run. */
  readonly differing: readonly number[];
  /** The reasons for which it stays incomplete. */
  readonly incomplete: readonly string[];
}

/** Runs the standard profile against a server without a mutant. */
export async function soundOf(server: ServerName): Promise<Sound> {
  const up = await startChanged(server);
  if (up === undefined) throw new Error(`the ${server} server does not start`);
  try {
    const report = await reportOf(up, 'standard');
    if (report === undefined) throw new Error(`the ${server} server does not answer`);
    return { differing: (await up.differed())?.differing ?? [], incomplete: incompleteOf(report) };
  } finally {
    up.kill();
  }
}

/** Removes the reasons for incompleteness that the sound server has too. */
export function besideSound(outcome: Outcome, { incomplete: ever }: Sound): Outcome {
  const { incomplete = [], ...rest } = outcome;
  const own = incomplete.filter(line => !ever.includes(line));
  if (own.length > 0) return { ...rest, incomplete: own };
  const judgement =
    rest.judgement === 'incomplete' ? ((rest.causes ?? []).length > 0 ? 'warned' : 'silent') : rest.judgement;
  return { ...rest, judgement };
}

/** Judges a mutant by a quick run, and if that does not fail by a standard one. */
export async function judged(mutant: Mutant): Promise<Outcome> {
  const quick = await judgedBy(mutant, 'quick');
  return ['found', 'hangs', 'does not start'].includes(quick.judgement) ? quick : judgedBy(mutant, 'standard');
}
