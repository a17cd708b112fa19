import { distinct, grouped } from '../../contracts/grouped.ts';
import { present } from '../../contracts/present.ts';
import type { NotExercised, Profile } from '../../contracts/report/journal.ts';
import { isRemedy, largerProfile } from '../../contracts/report/remedies.ts';
import type { CheckReport, RequirementReport } from '../../contracts/report/report.ts';
import type { Requirement } from '../../contracts/requirements/requirement.ts';
import { countedAs } from './selections.ts';

/** The parts of a requirement that a report needs. */
export type RequirementRow = Omit<Requirement, 'section' | 'standard' | 'endpoints'> & { readonly section: string };

type Judgement = Pick<RequirementReport, 'verdict' | 'because' | 'remedy'>;

/**
 * Removes the remedy of a requirement that recorded traffic did not exercise: no line of a target file would change
 * that.
 */
export const unexercisedByTraffic = (row: RequirementReport): RequirementReport => {
  const { remedy: _, ...rest } = row;
  if (row.verdict !== 'untested') return row;
  return { ...rest, because: 'nothing of this traffic could have shown it to be broken' };
};

/**
 * Judges each requirement by the checks of a run. A requirement with a finding has failed, whichever check found it; a
 * SHOULD has only warned, unless the run is strict. A requirement without one is verified on two conditions. A case
 * could have shown it to be broken, and all applicable checks that cite it completed. A check that failed for another
 * requirement has still sent its inputs. If no case could have shown a violation, the checks tell why.
 */
export function judgeRequirements(
  rows: readonly RequirementRow[],
  checks: readonly CheckReport[],
  { strict, profile }: { readonly strict: boolean; readonly profile: Profile },
): RequirementReport[] {
  const broken = grouped(
    checks.flatMap(check => check.findings),
    ({ requirement }) => requirement,
  );
  const citing = grouped(
    checks.flatMap(check =>
      distinct([...check.requirements, ...check.findings.map(({ requirement }) => requirement)]).map(id => ({
        id,
        check,
      })),
    ),
    ({ id }) => id,
  );
  const judged = rows.map(row => {
    const own = (citing.get(row.id) ?? []).map(({ check }) => check);
    const { id, section, level, statement } = row;
    const named = broken.get(id);
    const fails = named?.some(finding => countedAs(finding, strict) === 'fail');
    const verdict: Judgement = named ? { verdict: fails ? 'failed' : 'warned' } : judge(row, own, profile);
    return { id, section, level, statement, checks: own.map(check => check.id), ...verdict };
  });
  return withPremises(rows, judged);
}

/** Judges a requirement without findings. */
function judge(row: RequirementRow, checks: readonly CheckReport[], profile: Profile): Judgement {
  if (row.level === 'OPEN') return { verdict: 'open' };
  const [first] = checks;
  if (!first) {
    return row.unverified === undefined
      ? { verdict: 'untested', because: 'no check of this run verifies it' }
      : { verdict: 'not-verifiable', because: row.unverified };
  }
  const gaps = checks.filter(({ verdict }) => verdict === 'untested' || verdict === 'error');
  const gap = gaps.find(one => remedyOf(one).remedy !== undefined) ?? gaps[0];
  if (gap) return { verdict: 'untested', because: `${gap.id}: ${gap.because ?? gap.verdict}`, ...remedyOf(gap) };
  const run = checks.filter(({ verdict }) => verdict !== 'not-applicable');
  if (run.length === 0)
    return { verdict: 'not-applicable', because: `${first.id}: ${first.because ?? 'not to be run'}` };
  if (run.some(({ exercised }) => !exercised || exercised.includes(row.id))) return { verdict: 'verified' };
  return judgeUnexercised(row, run, profile);
}

/** Judges a requirement of which no case of the completed checks could have shown a violation. */
function judgeUnexercised(row: RequirementRow, checks: readonly CheckReport[], profile: Profile): Judgement {
  const { id, conditional } = row;
  const isAbout = ({ requirements, capability }: NotExercised): boolean =>
    requirements?.includes(id) === true || (capability !== undefined && capability === row.capability);
  const left = checks.flatMap(({ notExercised }) => notExercised.filter(isAbout));
  const lacking = left.find(one => one.capability === undefined && isRemedy(one.remedy));
  if (lacking) return { verdict: 'untested', because: leftOutText(lacking), ...remedyOf(lacking) };
  const beyond = left.find(({ capability }) => capability !== undefined);
  if (beyond) return { verdict: 'not-applicable', because: leftOutText(beyond), ...remedyOf(beyond) };
  const [unsendable] = left;
  if (unsendable) return { verdict: 'not-observed', because: leftOutText(unsendable) };
  if (conditional)
    return { verdict: 'not-observed', because: 'no answer of this run had it, and no refusal showed it' };
  const because = `${checks[0]?.id}: no case of it could have shown it to be broken`;
  const remedy = row.remedy ?? (profile === 'quick' ? largerProfile : undefined);
  return { verdict: 'untested', because, ...remedyOf({ remedy }) };
}

function leftOutText({ field, because }: NotExercised): string {
  return `${field}: ${because}`;
}

/** Returns the remedy, unless a broken check blocks this one: then no change to the target file helps. */
const remedyOf = ({ remedy, blockedBy }: Readonly<Partial<Record<'remedy' | 'blockedBy', string | undefined>>>) =>
  present({ remedy: blockedBy === undefined ? remedy : undefined });

/**
 * Withdraws `verified` if none of the requirements that a verification rests on is verified: its cases could not have
 * failed.
 */
function withPremises(rows: readonly RequirementRow[], judged: readonly RequirementReport[]): RequirementReport[] {
  const verdicts = new Map(judged.map(one => [one.id, one]));
  const premises = new Map(rows.map(({ id, restsOn = [] }) => [id, restsOn]));
  return judged.map(one => {
    // Premises that this run did not check count for nothing.
    const looked = (premises.get(one.id) ?? [])
      .flatMap(id => verdicts.get(id) ?? [])
      .filter(row => row.checks.length > 0);
    if (one.verdict !== 'verified' || looked.length === 0 || looked.some(({ verdict }) => verdict === 'verified'))
      return one;
    const which = looked.map(({ id, verdict }) => `${id} (${verdict})`).join(', ');
    const remedy = looked.find(row => row.remedy !== undefined)?.remedy;
    const because = `it would hold for nothing, for nothing on which it rests is verified: ${which}`;
    return { ...one, verdict: 'untested', because, ...remedyOf({ remedy }) };
  });
}
