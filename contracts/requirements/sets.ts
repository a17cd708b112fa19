import { createHash } from 'node:crypto';
import { lastResults, memoized } from '../memoized.ts';
import type { Finding } from '../report/evidence.ts';
import type { CheckEnd } from '../report/journal.ts';
import { verdictOfFindings } from '../report/verdict.ts';
import { allRequirements } from './index.ts';
import type { Requirement, RequirementLevel } from './requirement.ts';
import november from './sets/2026-11.json' with { type: 'json' };
import december from './sets/2026-12.json' with { type: 'json' };
import errataFile from './sets/errata.json' with { type: 'json' };
import releasedFile from './sets/released.json' with { type: 'json' };

/**
 * Frozen sets of requirements: what a run is judged by. A set that was released never changes, so that an upgrade of the
 * suite turns no release red that was green. What a later suite demands besides is told apart as not scored.
 */
export interface RequirementSet {
  readonly name: string;
  /** By id: the level, the section, and a hash of what the requirement says. */
  readonly requirements: Readonly<Record<string, readonly [level: string, section: string, hash: string]>>;
}

/** A correction of a released set: what it demands becomes less, and nothing else. */
export interface Erratum {
  readonly id: string;
  /** `relaxed`: it is no more than a SHOULD. `challenged`: it is disputed (docs/challenges.md), and not scored until then. */
  readonly change: 'relaxed' | 'removed' | 'challenged';
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly reason: string;
}

/** Why a requirement says nothing about conformance to a set. */
type Unscored = 'added' | 'removed' | 'challenged';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** What a requirement says, as 16 hexadecimal digits: its statement, the standard that it rests on, whom it binds. */
export const saidHash = ({ statement, standard = '', endpoints }: Requirement): string =>
  sha256(JSON.stringify([statement, standard, endpoints])).slice(0, 16);

/** The set of all requirements as they are now. */
export const presentSet = (name: string): RequirementSet => ({
  name,
  requirements: Object.fromEntries(allRequirements.map(row => [row.id, [row.level, row.section, saidHash(row)]])),
});

/** The text of the file of a set: a requirement a line. */
export function setText({ name, requirements }: RequirementSet): string {
  const rows = Object.entries(requirements).map(
    ([id, row]) => `    ${JSON.stringify(id)}: ${JSON.stringify(row).replaceAll('","', '", "')}`,
  );
  return `{\n  "name": ${JSON.stringify(name)},\n  "requirements": {\n${rows.join(',\n')}\n  }\n}\n`;
}

const hashed = memoized((set: RequirementSet) => ({ hash: sha256(setText(set)) }));

/** Identifies a set by all that it says. */
export const setHash = (set: RequirementSet): string => hashed(set).hash;

/** The hash of each set that was released; what is not here is a draft, and says what the requirements say now. */
export const releasedSets: Readonly<Record<string, string>> = releasedFile;

/** The errata in the order in which they were made. They are never changed, only added to. */
export const errata: readonly Erratum[] = errataFile as readonly Erratum[];

/** The sets by their files, the newest last. */
export const setFiles: readonly RequirementSet[] = [november, december] as unknown as readonly RequirementSet[];

/** The names of the sets, the newest last. */
export const setNames: readonly string[] = setFiles.map(({ name }) => name);

/** The set by which a run is judged that names none. */
export const newestSet = setNames.at(-1) as string;

/** The set of a name, whose draft is made at its first use; undefined where this suite has none. */
export const setNamed = (name: string): RequirementSet | undefined =>
  made(name, () => {
    const set = setFiles.find(one => one.name === name);
    return set === undefined || Object.hasOwn(releasedSets, name) ? set : presentSet(name);
  });
const made = lastResults<RequirementSet | undefined>(8);

/** A set as a journal and a report name it. */
export const setReference = (set: RequirementSet, made: readonly Erratum[] = errata) => ({
  name: set.name,
  hash: setHash(set),
  errata: made.length,
});

/** What a set says of a requirement: at which level it is scored, or why it is not. */
interface Score {
  readonly level: RequirementLevel;
  readonly notScored?: Unscored;
}

/** Says what a set makes of a requirement that is now at a level. It is never stricter than that level. */
export type Scoring = (id: string, level: RequirementLevel) => Score;

const looser = (a: RequirementLevel, b: RequirementLevel): RequirementLevel => {
  const order: readonly RequirementLevel[] = ['MUST', 'SHOULD', 'OPEN'];
  return order[Math.max(order.indexOf(a), order.indexOf(b))] as RequirementLevel;
};

/** The scoring of a set with its errata. Without a set everything is scored as it is. */
export function scoringOf(set: RequirementSet | undefined, made: readonly Erratum[] = errata): Scoring {
  if (set === undefined) return (_, level) => ({ level });
  const changes = new Map(made.map(({ id, change }) => [id, change]));
  return (id, level) => {
    const row = Object.hasOwn(set.requirements, id) ? set.requirements[id] : undefined;
    const change = changes.get(id);
    if (row === undefined) return { level, notScored: 'added' };
    const own = looser(level, row[0] as RequirementLevel);
    if (change === 'relaxed') return { level: looser(own, 'SHOULD') };
    return change === undefined ? { level: own } : { level: own, notScored: change };
  };
}

/** The end of a check as a set judges it: what it does not score decides nothing, and is told all the same. */
export function scoredEnd<End extends Pick<CheckEnd, 'verdict' | 'findings'>>(end: End, scoring: Scoring): End {
  const findings = end.findings.map((finding): Finding => {
    const { level, notScored } = scoring(finding.requirement, finding.level);
    return {
      ...finding,
      level: level === 'OPEN' ? 'SHOULD' : level,
      ...(notScored === undefined ? {} : { notScored }),
    };
  });
  const isJudged = findings.length > 0 && ['pass', 'warn', 'fail'].includes(end.verdict);
  const scored = findings.filter(({ notScored }) => notScored === undefined);
  return { ...end, findings, verdict: isJudged ? verdictOfFindings(scored) : end.verdict };
}
