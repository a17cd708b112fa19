import { join, steps } from '../../../contracts/pointer.ts';
import type { Part } from '../../generators/index.ts';
import { isClientError } from '../../judge/outcome.ts';
import type { Answer } from '../../protocol/answer.ts';
import type { Violation } from '../../protocol/check.ts';

/** What a request of many parts showed. */
export interface Shown {
  readonly answer: Answer;
  /** What came back wrong, each with its pointer into the answer. */
  readonly wrong: readonly Violation[];
}

/** The smallest request that showed what one of many did. */
export interface Culprit {
  readonly parts: readonly Part[];
  readonly violation: Violation | null;
  readonly shown: Shown;
  /** False of what was not seen again. */
  readonly isSure?: boolean;
}

/** What taking a request apart came to. */
export interface TakenApart {
  /** The parts of requests that were accepted, and came back right. */
  readonly right: readonly Part[];
  readonly culprits: readonly Culprit[];
  /** Parts that were refused, one by one. */
  readonly refused: readonly Part[];
}

/** So many places of an answer are looked into: what is wrong everywhere need not be told of every place. */
const mostPlaces = 3;

/** The pointer into the body of a place in an answer: `/data/tags/0` is `/tags/0`, of an item of a list `/data/3/tags`. */
const inBody = (pointer: string): string => {
  const [, ...rest] = steps(pointer);
  const own = /^(\d+|\*)$/.test(rest[0] ?? '') ? rest.slice(1) : rest;
  return own.reduce<string>((path, step) => join(path, step), '');
};

const isWithin = (one: string, other: string): boolean => one === other || one.startsWith(`${other}/`);

/** The parts that stand at a place of an answer, in it or around it. */
export function partsAt(parts: readonly Part[], pointer: string): readonly Part[] {
  const place = inBody(pointer);
  const own = parts.filter(
    ({ leaf }) =>
      leaf !== undefined && [leaf.pointer, ...leaf.alike].some(at => isWithin(at, place) || isWithin(place, at)),
  );
  return own.length > 0 ? own : parts.filter(({ field }) => isWithin(place, field.field.pointer));
}

/**
 * Sends parts together, and takes them apart where that is refused, or where something of them comes back wrong: a
 * refused request by halves, as far as `most` requests reach; a wrong one by the place that is wrong, down to the fewest
 * parts that show it.
 * @param mostAccepted so many may be accepted, where each leaves something: what is wrong is then sent once more, and not
 *   taken apart further. Absent: any number.
 * @param isOver true where nothing more is to be sent: the target refuses its minimal request now.
 */
export async function takeApart(
  all: readonly Part[],
  send: (parts: readonly Part[]) => Promise<Shown>,
  most: number,
  mostAccepted = Number.POSITIVE_INFINITY,
  isOver: (refused: Answer) => Promise<boolean> = async () => false,
): Promise<TakenApart> {
  const right: Part[] = [];
  const refused: Part[] = [];
  const culprits: Culprit[] = [];
  const isSparing = Number.isFinite(mostAccepted);
  let left = most;
  let accepted = 0;

  /** The fewest of some parts that still show the same. */
  async function smallest(parts: readonly Part[], first: Shown, find: (shown: Shown) => Violation | null | undefined) {
    let kept = { parts, shown: first };
    for (let isSmaller = true; isSmaller && kept.parts.length > 1; ) {
      isSmaller = false;
      const middle = Math.ceil(kept.parts.length / 2);
      for (const half of [kept.parts.slice(0, middle), kept.parts.slice(middle)]) {
        const shown = await send(half);
        if (find(shown) === undefined) continue;
        kept = { parts: half, shown };
        isSmaller = true;
        break;
      }
    }
    culprits.push({ ...kept, violation: find(kept.shown) ?? null });
  }

  /** Looks for the parts that one place of the answer got wrong, among those that stand there. */
  async function trace(parts: readonly Part[], first: Shown, { requirement, pointer }: Violation): Promise<void> {
    const find = ({ wrong }: Shown) =>
      wrong.find(one => one.requirement === requirement && one.pointer === pointer) ??
      // Less of a text may break another requirement: a line break is none of its letters beyond ASCII.
      wrong.find(one => one.pointer === pointer) ??
      wrong.find(one => one.requirement === requirement);
    const near = partsAt(parts, pointer);
    if (isSparing) {
      const own = near.length === 0 ? parts : near;
      const alone = await send(own);
      // What comes back right alone may be wrong in company only.
      const again = find(alone) === undefined && own.length < parts.length ? await send(parts) : alone;
      const violation = find(again);
      const kept = again === alone ? near : parts;
      culprits.push({ parts: kept, shown: again, violation: violation ?? null, isSure: violation !== undefined });
      return;
    }
    if (near.length === 0 || near.length === parts.length) return smallest(parts, first, find);
    const alone = await send(near);
    return find(alone) === undefined ? smallest(parts, first, find) : smallest(near, alone, find);
  }

  async function search(parts: readonly Part[]): Promise<void> {
    if (parts.length === 0 || left <= 0) return;
    left -= 1;
    const shown = await send(parts);
    const { answer, wrong } = shown;
    if (answer.success) {
      accepted += 1;
      if (accepted >= mostAccepted) left = 0;
      const places = new Map(
        wrong.map(one => [`${one.requirement} ${inBody(one.pointer).replace(/\/\d+/g, '')}`, one]),
      );
      for (const one of [...places.values()].slice(0, isSparing ? 1 : mostPlaces)) await trace(parts, shown, one);
      if (wrong.length === 0) right.push(...parts);
      return;
    }
    if (!isClientError(answer)) {
      if (isSparing) culprits.push({ parts, shown, violation: null });
      else
        await smallest(parts, shown, other => (other.answer.success || isClientError(other.answer) ? undefined : null));
      return;
    }
    if (await isOver(answer)) {
      left = 0;
      return;
    }
    if (parts.length === 1) {
      refused.push(...parts);
      return;
    }
    const middle = Math.ceil(parts.length / 2);
    await search(parts.slice(0, middle));
    await search(parts.slice(middle));
  }

  await search(all);
  return { right, culprits, refused };
}
