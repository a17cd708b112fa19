import { seedOf } from '../generators/index.ts';
import type { CaseDescription } from '../protocol/check.ts';
import { count } from '../protocol/entries.ts';

/** Longest readable part of an id, in characters. */
const longest = 64;

/** Matches titles that the readable part represents without losing anything distinctive. */
const plain = /^[A-Za-z0-9 .,:;()_-]*$/;

/** Returns a hash of a text: five letters or digits. */
const digest = (text: string): string => (seedOf(0, text) >>> 0).toString(36).padStart(5, '0').slice(-5);

/** Returns the readable part of an id: letters and digits of a title, safe in any shell. */
function readable(title: string): string {
  const words = title.replace(/[^A-Za-z0-9_]+/g, '-').replace(/^-+|-+$/g, '');
  const whole = words === '' ? 'case' : words;
  if (whole.length <= longest && plain.test(title)) return whole;
  return `${whole.slice(0, longest).replace(/-+$/, '')}.${digest(title)}`;
}

/** The id of the minimal request, as a case of the check that sends it first. */
export const minimalCaseId = readable('the minimal request');

/** The id of one enumerated case, as `--path` takes it, and a longer one that also identifies the value. */
export interface CaseId {
  readonly id: string;
  /** The title part alone. As a path it names the first case with this title. */
  readonly base: string;
  /** The base and a hash of the sent value. `--path` also accepts it if `id` is shorter. */
  exact(): string;
}

/**
 * Returns the ids of the enumerated cases of a plan, in their order. An id derives from the title, and from the value
 * sent if the title is, or may be, shared. So neither the order of cases nor the target's vocabulary changes it.
 *
 * @param token the token of the run, which is removed from the value
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
    // Most titles are unique: compute the value part only if a path asks for it.
    if (isOnly && isOneOfMany !== true) return { id: base, base, exact: withValue };
    const exact = withValue();
    const nth = count(seen, exact);
    // Same title and value: only the order distinguishes these cases, whose bodies differ elsewhere.
    const unique = nth === 1 ? exact : `${exact}.${nth}`;
    return { id: unique, base, exact: () => unique };
  });
}

/** Returns the index of the case that a path names: by its id, its exact id, or the base it shares. */
export function indexOfPath(ids: readonly CaseId[], path: string): number {
  const parts: readonly ((one: CaseId) => string)[] = [({ id }) => id, one => one.exact(), ({ base }) => base];
  for (const part of parts) {
    const index = ids.findIndex(one => part(one) === path);
    if (index >= 0) return index;
  }
  return -1;
}
