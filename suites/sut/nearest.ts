import type { NearChange, NearChanges } from '../generators/index.ts';
import { isClientError } from '../judge/outcome.ts';
import { refusalInWords } from '../judge/refusal-words.ts';
import type { Answer } from '../protocol/answer.ts';

/** Maximum number of requests to find an accepted one. */
export const mostSought = 30;

/** Number of groups: a whole direction, its halves, its quarters … */
const atOnceFirst = [1, 2, 4, 8, 16] as const;
/** One group per change. */
export const oneByOne = Number.POSITIVE_INFINITY;

/** The result of searching for an accepted request. */
export interface Sought {
  /** The fewest changes found with which the request was accepted; null if none was accepted. */
  readonly changes: readonly NearChange[] | null;
  /** True if the request is refused without any one of them. */
  readonly isLeast: boolean;
  /** The attempts, in words. */
  readonly tried: string;
}

/** Sends the request with some changes; null if it must not be sent. */
export type SendChanged = (changes: readonly NearChange[]) => Promise<Answer | null>;

/** Returns a name as services in other languages spell it alike: `dry_run`, `DryRun`. */
const spelling = (name: string): string => name.replaceAll('_', '').toLowerCase();

/** Returns a test of whether the body of a refusal names a field, in any of the usual spellings. */
export function naming({ reply: { body } }: Answer): (field: string) => boolean {
  const words = body.kind === 'empty' ? [] : body.text.slice(0, 20_000).split(/[^\w]+/);
  const named = new Set(words.map(spelling));
  return field => named.has(spelling(field));
}

/** Returns the changes whose fields the body of a refusal names. */
export function namedBy(answer: Answer, changes: readonly NearChange[]): readonly NearChange[] {
  const isNamed = naming(answer);
  return changes.filter(({ field }) => isNamed(field.split('.').at(-1) ?? ''));
}

/** Splits a list into at most `count` groups of one size, except for a smaller last one. */
export const parts = <T>(all: readonly T[], count: number): readonly (readonly T[])[] => {
  const size = Math.ceil(all.length / count);
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));
};

/**
 * Removes items from a list as long as the rest still `shows` what all of it does (delta debugging), until `isOver`.
 * `isLeast`: no single one can be left out.
 */
export async function fewest<T>(
  all: readonly T[],
  shows: (some: readonly T[]) => Promise<boolean>,
  isOver: () => boolean,
): Promise<{ readonly kept: readonly T[]; readonly isLeast: boolean }> {
  let kept = all;
  for (let size = Math.ceil(kept.length / 2); kept.length > 1; ) {
    if (isOver()) return { kept, isLeast: false };
    const without = parts(kept, Math.ceil(kept.length / size)).map(group => kept.filter(one => !group.includes(one)));
    let smaller: readonly T[] | undefined;
    for (const some of without) if (smaller === undefined && (await shows(some))) smaller = some;
    if (smaller === undefined && size === 1) break;
    kept = smaller ?? kept;
    size = Math.min(Math.ceil(kept.length / 2), smaller === undefined ? Math.ceil(size / 2) : size);
  }
  return { kept, isLeast: true };
}

/**
 * Searches for the nearest accepted request after a refusal. First adds the fields that the refusal names. Then tries
 * all fields more, fields less and other values: each direction as a whole, then in ever smaller groups. Finally
 * minimises the accepted changes (delta debugging).
 * @param order the numbers of groups per direction, in turn. One by one comes first if accepted requests leave
 * something behind
 */
export async function seekAccepted(
  refused: Answer,
  { more, less, other }: Omit<NearChanges, 'unnamed'>,
  send: SendChanged,
  order: readonly number[] = atOnceFirst,
): Promise<Sought> {
  let left = mostSought;
  let sent = 0;
  let last = refused;
  /** Fields that a refusal named although they were sent: the values themselves may be wrong. */
  const doubtful = new Set<NearChange>();
  const tried = new Set<string>();

  async function accepts(changes: readonly NearChange[]): Promise<boolean> {
    const key = changes
      .map(({ pointer, becomes }) => `${pointer} ${becomes === undefined}`)
      .sort()
      .join('\n');
    if (changes.length === 0 || left <= 0 || tried.has(key)) return false;
    tried.add(key);
    left -= 1;
    const answer = await send(changes);
    if (answer === null) return false;
    sent += 1;
    if (answer.success) return true;
    last = answer;
    if (!isClientError(answer)) return false;
    for (const one of namedBy(answer, changes)) doubtful.add(one);
    return false;
  }

  async function withNamed(): Promise<readonly NearChange[] | null> {
    let wanted: readonly NearChange[] = [];
    for (;;) {
      const next = namedBy(last, more).filter(one => !wanted.includes(one) && !doubtful.has(one));
      if (next.length === 0 || next.length > 4) return null;
      wanted = [...wanted, ...next];
      if (await accepts(wanted)) return wanted;
      if (left <= 0) return null;
    }
  }

  async function withGroups(): Promise<readonly NearChange[] | null> {
    const directions = [more, less, other];
    for (const count of order)
      for (const direction of directions) {
        if (count > direction.length && Number.isFinite(count)) continue;
        for (const group of parts(direction, Math.min(count, direction.length))) {
          if (await accepts(group)) return group;
          // Try again without the fields that the refusal names.
          const sound = group.filter(one => !doubtful.has(one));
          if (sound.length < group.length && (await accepts(sound))) return sound;
        }
      }
    return null;
  }

  const found = (await withNamed()) ?? (await withGroups());
  if (found === null) {
    const how = 'more fields, fewer fields and other values';
    return { changes: null, isLeast: false, tried: `${refusalInWords(refused)}; so were ${sent} others, with ${how}` };
  }
  const { kept, isLeast } = await fewest(found, accepts, () => left <= 0);
  return { changes: kept, isLeast, tried: `${sent} requests` };
}
