import { createHash } from 'node:crypto';
import { lastResults, memoized } from '../memoized.ts';
import type { Finding } from '../report/evidence.ts';
import type { CheckEnd, RunStart } from '../report/journal.ts';
import { isJudged, verdictOfFindings } from '../report/verdict.ts';
import { allRequirements } from './index.ts';
import type { Requirement, RequirementLevel } from './requirement.ts';
import november from './sets/2026-11.json' with { type: 'json' };
import december from './sets/2026-12.json' with { type: 'json' };
import errataFile from './sets/errata.json' with { type: 'json' };
import releasedFile from './sets/released.json' with { type: 'json' };

/**
 * A frozen set of requirements by which runs are judged. A released set never changes, so that an upgrade of the suite
 * fails no release that passed. Requirements added by a later suite are reported separately, as not scored.
 */
export interface RequirementSet {
  readonly name: string;
  /** By id: the level, the section, and a hash of the requirement's contents. */
  readonly requirements: Readonly<Record<string, readonly [level: string, section: string, hash: string]>>;
}

/** A correction of a released set, which can only make it milder. */
export interface Erratum {
  readonly id: string;
  /**
   * `reworded`: demands less now, at its level. `relaxed`: only a SHOULD now. `challenged`: disputed
   * (docs/challenges.md), and not scored until resolved.
   */
  readonly change: 'reworded' | 'relaxed' | 'removed' | 'challenged';
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly reason: string;
}

/** Why a requirement does not count for conformance to a set. */
type Unscored = 'added' | 'removed' | 'challenged';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Returns a hash of a requirement's contents in 16 hexadecimal digits: statement, standard and endpoints. */
export const saidHash = ({ statement, standard = '', endpoints }: Requirement): string =>
  sha256(JSON.stringify([statement, standard, endpoints])).slice(0, 16);

/** Returns the set of all current requirements. */
export const presentSet = (name: string): RequirementSet => ({
  name,
  requirements: Object.fromEntries(allRequirements.map(row => [row.id, [row.level, row.section, saidHash(row)]])),
});

/** Returns the text of a set's file, one requirement per line. */
export function setText({ name, requirements }: RequirementSet): string {
  const rows = Object.entries(requirements).map(
    ([id, row]) => `    ${JSON.stringify(id)}: ${JSON.stringify(row).replaceAll('","', '", "')}`,
  );
  return `{\n  "name": ${JSON.stringify(name)},\n  "requirements": {\n${rows.join(',\n')}\n  }\n}\n`;
}

const hashed = memoized((set: RequirementSet) => ({ hash: sha256(setText(set)) }));

/** Returns a hash of a set's whole contents. */
export const setHash = (set: RequirementSet): string => hashed(set).hash;

/** The hash of each released set. Other sets are drafts, with the current requirements. */
export const releasedSets: Readonly<Record<string, string>> = releasedFile;

/** The errata in order of creation. They are only added to, never changed. */
export const errata: readonly Erratum[] = errataFile as readonly Erratum[];

/** The sets in their files, the newest last. */
export const setFiles: readonly RequirementSet[] = [november, december] as unknown as readonly RequirementSet[];

/** The names of the sets, the newest last. */
export const setNames: readonly string[] = setFiles.map(({ name }) => name);

/** The set for a run that names none. */
export const newestSet = setNames.at(-1) as string;

/** Returns the set of a name, or undefined if this suite has none. Drafts are created at first use. */
export const setNamed = (name: string): RequirementSet | undefined =>
  made(name, () => {
    const set = setFiles.find(one => one.name === name);
    return !set || Object.hasOwn(releasedSets, name) ? set : presentSet(name);
  });
const made = lastResults<RequirementSet | undefined>(8);

/** Returns a set as journals and reports name it. */
export const setReference = (set: RequirementSet) => ({
  name: set.name,
  hash: setHash(set),
  errata: errata.length,
});

/** The level at which a set scores a requirement, or why it does not. */
interface Score {
  readonly level: RequirementLevel;
  readonly notScored?: Unscored;
}

/** Returns the score of a requirement with its current level. It is never stricter than that level. */
export type Scoring = (id: string, level: RequirementLevel) => Score;

const looser = (a: RequirementLevel, b: RequirementLevel): RequirementLevel => {
  const order: readonly RequirementLevel[] = ['MUST', 'SHOULD', 'OPEN'];
  return order[Math.max(order.indexOf(a), order.indexOf(b))] as RequirementLevel;
};

/** Returns the scoring of a set with its errata. Without a set, everything is scored at its current level. */
export function scoringOf(set: RequirementSet | undefined, made: readonly Erratum[] = errata): Scoring {
  if (!set) return (_, level) => ({ level });
  const changes = new Map(made.map(({ id, change }) => [id, change]));
  return (id, level) => {
    const row = Object.hasOwn(set.requirements, id) ? set.requirements[id] : undefined;
    const change = changes.get(id);
    if (!row) return { level, notScored: 'added' };
    const own = looser(level, row[0] as RequirementLevel);
    if (change === 'relaxed') return { level: looser(own, 'SHOULD') };
    return !change || change === 'reworded' ? { level: own } : { level: own, notScored: change };
  };
}

/** Returns how requirements count in a run. */
export const scoringIn = ({ requirementSet }: Pick<RunStart, 'requirementSet'>): Scoring =>
  scoringOf(setNamed(requirementSet?.name ?? ''));

/**
 * Returns the end of a check as judged by a set. Findings that the set does not score decide nothing, but are still
 * reported.
 */
export function scoredEnd<End extends Pick<CheckEnd, 'verdict' | 'findings'>>(end: End, scoring: Scoring): End {
  const findings = end.findings.map((finding): Finding => {
    const { level, notScored } = scoring(finding.requirement, finding.level);
    return {
      ...finding,
      level: level === 'OPEN' ? 'SHOULD' : level,
      ...(notScored ? { notScored } : {}),
    };
  });
  const scored = findings.filter(({ notScored }) => !notScored);
  return {
    ...end,
    findings,
    verdict: findings.length > 0 && isJudged(end.verdict) ? verdictOfFindings(scored) : end.verdict,
  };
}
