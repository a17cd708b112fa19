import type { NearChange, NearChanges } from '../generators/index.ts';
import { isClientError } from '../judge/outcome.ts';
import { refusalInWords } from '../judge/refusal-words.ts';
import type { Answer } from '../protocol/answer.ts';

/** So many requests look for one that is accepted. */
export const mostSought = 30;

/** All of a direction, its halves, its quarters … */
const atOnceFirst = [1, 2, 4, 8, 16] as const;
/** Each change by itself. */
export const oneByOne = Number.POSITIVE_INFINITY;

/** What looking for an accepted request came to. */
export interface Sought {
  /** The fewest changes with which the request was accepted, as far as the bound allows; null: with none. */
  readonly changes: readonly NearChange[] | null;
  /** True where the request is refused without any one of them. */
  readonly isLeast: boolean;
  /** What was tried, in words. */
  readonly tried: string;
}

/** Sends the request with some changes; null where that must not be sent. */
export type SendChanged = (changes: readonly NearChange[]) => Promise<Answer | null>;

/** The fields that the body of a refusal names. */
function namedBy(answer: Answer, changes: readonly NearChange[]): readonly NearChange[] {
  const { body } = answer.reply;
  const words = new Set(body.kind === 'empty' ? [] : body.text.slice(0, 20_000).split(/[^\w]+/));
  return changes.filter(({ field }) => words.has(field.split('.').at(-1) ?? ''));
}

/** Parts a list into so many groups of one size, the last of them smaller. */
export const parts = <T>(all: readonly T[], count: number): readonly (readonly T[])[] => {
  const size = Math.ceil(all.length / count);
  return size === 0
    ? []
    : Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));
};

/**
 * Looks for the nearest request that is accepted, after one was refused: with what the refusal names, then with all
 * fields more, fields less and other values, each direction at once, halved and halved again; then for the fewest of the
 * changes that were accepted (delta debugging).
 * @param order how many groups the changes of a direction are sent in, one division after another: where each request
 *   that is accepted leaves something, one by one comes first
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
  /** Fields that a refusal named although they were sent: their own values may be what is refused. */
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
          // Without what the refusal says is wrong of them.
          const sound = group.filter(one => !doubtful.has(one));
          if (sound.length < group.length && (await accepts(sound))) return sound;
        }
      }
    return null;
  }

  async function fewest(all: readonly NearChange[]): Promise<{ kept: readonly NearChange[]; isLeast: boolean }> {
    let kept = all;
    for (let size = Math.ceil(kept.length / 2); kept.length > 1; ) {
      if (left <= 0) return { kept, isLeast: false };
      const without = parts(kept, Math.ceil(kept.length / size)).map(group => kept.filter(one => !group.includes(one)));
      let smaller: readonly NearChange[] | undefined;
      for (const some of without) if (smaller === undefined && (await accepts(some))) smaller = some;
      if (smaller === undefined && size === 1) break;
      kept = smaller ?? kept;
      size = Math.min(Math.ceil(kept.length / 2), smaller === undefined ? Math.ceil(size / 2) : size);
    }
    return { kept, isLeast: true };
  }

  const found = (await withNamed()) ?? (await withGroups());
  if (found === null) {
    const how = 'more fields, fewer fields and other values';
    return { changes: null, isLeast: false, tried: `${refusalInWords(refused)}; so were ${sent} others, with ${how}` };
  }
  const { kept, isLeast } = await fewest(found);
  return { changes: kept, isLeast, tried: `${sent} requests` };
}
