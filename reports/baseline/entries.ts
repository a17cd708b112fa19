import type { KnownDefect } from '../../contracts/report/baseline.ts';
import { profiles } from '../../contracts/report/choices.ts';
import type { Report } from '../../contracts/report/report.ts';
import { safeJson } from '../text/safe-text.ts';

/** What a user wrote about a known defect or an acknowledged difference. */
type Permitted = Pick<KnownDefect, 'reason' | 'issue' | 'expires' | 'found' | 'sometimes'>;

/** How entries of one kind are named and judged. */
interface EntryRules<E> {
  readonly nameOf: (entry: E) => string;
  readonly isShown: (entry: E) => boolean;
  /** Returns why it is unknown whether a missing defect or difference is gone; undefined if it is known. */
  readonly whySilent: (entry: E) => string | undefined;
  readonly whyGone: (entry: E) => string;
}

/**
 * Judges the entries of a file. Entries that have expired, or whose defect or difference is gone, are stale: remove
 * them, so that none stays longer than needed.
 */
export function judgeEntries<E extends Permitted>(
  entries: readonly E[],
  { nameOf, isShown, whySilent, whyGone }: EntryRules<E>,
  places: readonly string[],
  today: string,
) {
  /** Entries that still apply. */
  const known: E[] = [];
  /** Entries to remove, with their place in the file: `line 5`. */
  const stale: { entry: string; why: string; place: string; reason: string }[] = [];
  /** Entries on which this run allows no judgement. */
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

/**
 * Returns why a run that does not show a defect fails to prove that it is gone, judged by how much the run sends;
 * undefined if it proves it.
 */
export function whyNotSeen(
  { sometimes, found }: Permitted,
  { profile, seed }: Pick<Report, 'profile' | 'seed'>,
): string | undefined {
  if (sometimes) return 'it is seen only sometimes';
  if (!found) return undefined;
  if (profiles.indexOf(profile) < profiles.indexOf(found.profile))
    return `profile ${profile} sends less than ${found.profile}`;
  return seed === found.seed ? undefined : `it was found with seed ${found.seed}`;
}

/** The entries of a rewritten file that were added, kept and removed, by name. */
export interface Changes {
  readonly added: readonly string[];
  readonly kept: readonly string[];
  readonly removed: readonly string[];
}

/** Returns a file of entries as text, each entry on one line, so that a stale one is removed as a line. */
export function entriesText(head: object, name: string, entries: readonly object[]): string {
  const lines = entries.map(entry => `    ${safeJson(entry, 0).trimEnd()}`).join(',\n');
  const members = Object.entries(head).map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  const list = entries.length === 0 ? `  "${name}": []` : `  "${name}": [\n${lines}\n  ]`;
  return `{\n${[...members, list].join(',\n')}\n}\n`;
}
