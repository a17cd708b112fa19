import type { KnownDefect } from '../../contracts/report/baseline.ts';
import { profiles } from '../../contracts/report/choices.ts';
import type { Report } from '../../contracts/report/report.ts';
import { safeJson } from '../text/safe-text.ts';

/** What somebody wrote of a thing that may be there: a known defect, or an acknowledged difference. */
type Permitted = Pick<KnownDefect, 'reason' | 'issue' | 'expires' | 'found' | 'sometimes'>;

/** What is asked of an entry. */
interface EntryRules<E> {
  readonly nameOf: (entry: E) => string;
  readonly isShown: (entry: E) => boolean;
  /** Why it is not known whether what is not there is gone; undefined if it is. */
  readonly whySilent: (entry: E) => string | undefined;
  readonly whyGone: (entry: E) => string;
}

/**
 * Judges the entries of a file. One whose thing is no more, or that has expired, is to be removed, so that none stays
 * longer than it is needed.
 *
 * @param today the day, as YYYY-MM-DD in UTC
 */
export function judgeEntries<E extends Permitted>(
  entries: readonly E[],
  { nameOf, isShown, whySilent, whyGone }: EntryRules<E>,
  places: readonly string[],
  today: string,
) {
  /** The entries whose things are there, as they may. */
  const known: E[] = [];
  /** Entries to be removed, and where they stand in their file: `line 5`. */
  const stale: { entry: string; why: string; place: string; reason: string }[] = [];
  /** Entries of which nothing can be said. */
  const unjudged: { entry: string; why: string }[] = [];
  for (const [index, one] of entries.entries()) {
    const isThere = isShown(one);
    const isExpired = one.expires !== undefined && one.expires < today;
    const silent = isThere ? undefined : whySilent(one);
    const entry = nameOf(one);
    const why = isThere ? `may not be there any more: the entry expired on ${one.expires}` : whyGone(one);
    if (isThere && !isExpired) known.push(one);
    else if (silent !== undefined) unjudged.push({ entry, why: silent });
    else stale.push({ entry, why, place: places[index] ?? 'the entry', reason: one.reason });
  }
  return { known, stale, unjudged };
}

/** Why a run that does not show a thing does not show that it is gone, by how much it sends; undefined if it does. */
export function whyNotSeen(
  { sometimes, found }: Permitted,
  { profile, seed }: Pick<Report, 'profile' | 'seed'>,
): string | undefined {
  if (sometimes) return 'it is seen only sometimes';
  if (found === undefined) return undefined;
  if (profiles.indexOf(profile) < profiles.indexOf(found.profile))
    return `profile ${profile} sends less than ${found.profile}`;
  return seed === found.seed ? undefined : `it was found with seed ${found.seed}`;
}

/** The entries of a file that was written anew: those that came, that stay and that went, by name. */
export interface Changes {
  readonly added: readonly string[];
  readonly kept: readonly string[];
  readonly removed: readonly string[];
}

/** Returns a file of entries as text, each on one line: the line to remove when the entry is stale. */
export function entriesText(head: object, name: string, entries: readonly object[]): string {
  const lines = entries.map(entry => `    ${safeJson(entry, 0).trimEnd()}`).join(',\n');
  const members = Object.entries(head).map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  const list = entries.length === 0 ? `  "${name}": []` : `  "${name}": [\n${lines}\n  ]`;
  return `{\n${[...members, list].join(',\n')}\n}\n`;
}
