import { seedOf } from '../generators/index.ts';
import type { CaseDescription } from '../protocol/check.ts';
import { count } from '../protocol/entries.ts';

/** Longest readable part of an id, in characters. */
const longest = 64;

/** What a title may hold besides letters and digits without the readable part losing anything that tells it apart. */
const plain = /^[A-Za-z0-9 .,:;()_-]*$/;

/** Five letters and digits that stand for a text. */
const digest = (text: string): string => (seedOf(0, text) >>> 0).toString(36).padStart(5, '0').slice(-5);

/** The readable part of an id: letters and digits of a title, which no shell reads as anything else. */
function readable(title: string): string {
  const words = title.replace(/[^A-Za-z0-9_]+/g, '-').replace(/^-+|-+$/g, '');
  const whole = words === '' ? 'case' : words;
  if (whole.length <= longest && plain.test(title)) return whole;
  return `${whole.slice(0, longest).replace(/-+$/, '')}.${digest(title)}`;
}

/** The id of the minimal request, as a case of the check that sends it first. */
export const minimalCaseId = readable('the minimal request');

/** The id of one enumerated case: what `--path` takes, and the longer one that names the value too. */
export interface CaseId {
  readonly id: string;
  /** `id` alone, where the case is known by its title; else that of the first of several with this title. */
  readonly base: string;
  /** The base and the value that is sent. Also found by `--path` where `id` is shorter. */
  exact(): string;
}

/**
 * The ids of the enumerated cases of a plan, in their order. An id is made of what the case is (its title, and where
 * others have the same title, or may have, the value that it sends), so that neither the order of the cases nor the
 * words that a target offers change it.
 *
 * @param token the token of the run, which is no part of what a case is
 */
export function caseIds(descriptions: readonly CaseDescription[], token: string): readonly CaseId[] {
  const bases = descriptions.map(({ title }) => readable(title));
  const times = new Map<string, number>();
  for (const base of bases) count(times, base);
  const seen = new Map<string, number>();
  return descriptions.map(({ sent, isOneOfMany }, index) => {
    const base = bases[index] as string;
    const withValue = (): string => `${base}.${digest((JSON.stringify(sent) ?? '').replaceAll(token, ''))}`;
    const isOnly = times.get(base) === 1;
    // Most cases are known by their titles: their values are looked at where a path names one.
    if (isOnly && isOneOfMany !== true) return { id: base, base, exact: withValue };
    const exact = withValue();
    const nth = count(seen, exact);
    // The same title and the same value: the bodies differ elsewhere, and only the order tells which is which.
    const unique = nth === 1 ? exact : `${exact}.${nth}`;
    return { id: unique, base, exact: () => unique };
  });
}

/** The index of the case that a path names: by its id, by the longer one, or by the first of those with this title. */
export function indexOfPath(ids: readonly CaseId[], path: string): number {
  const parts: readonly ((one: CaseId) => string)[] = [({ id }) => id, one => one.exact(), ({ base }) => base];
  for (const part of parts) {
    const index = ids.findIndex(one => part(one) === path);
    if (index >= 0) return index;
  }
  return -1;
}
