import { isWithin, join, steps } from '../../../contracts/pointer.ts';
import type { Part } from '../../generators/index.ts';
import { isClientError } from '../../judge/outcome.ts';
import type { Answer } from '../../protocol/answer.ts';
import type { Violation } from '../../protocol/check.ts';
import { naming, parts as split } from '../../sut/nearest.ts';

/** The answer to a request of many parts. */
export interface Shown {
  readonly answer: Answer;
  /** The wrong values in the answer, each with its pointer. */
  readonly wrong: readonly Violation[];
}

/** The smallest request that shows the same fault as the whole. */
export interface Culprit {
  readonly parts: readonly Part[];
  readonly violation: Violation | null;
  readonly shown: Shown;
  /** False if the fault was not seen again. */
  readonly isSure?: boolean;
}

/** The result of taking a request apart. */
export interface TakenApart {
  /** Parts of accepted requests whose values came back right. */
  readonly right: readonly Part[];
  readonly culprits: readonly Culprit[];
  /** Parts that were refused one by one. */
  readonly refused: readonly Part[];
  /** Parts that were refused together, while each half of them was accepted; none if there are no such. */
  readonly together: readonly Part[];
}

/** Maximum number of places in an answer to trace: a fault in every place needs no report for each. */
const mostPlaces = 3;

/** Converts a pointer into an answer (`/data/tags/0`, in a list `/data/3/tags/0`) to one into the body (`/tags/0`). */
const inBody = (pointer: string): string => {
  const [, ...rest] = steps(pointer);
  const own = /^(\d+|\*)$/.test(rest[0] ?? '') ? rest.slice(1) : rest;
  return own.reduce<string>((path, step) => join(path, step), '');
};

/** Returns the parts at a place of an answer, inside it or around it. */
export function partsAt(parts: readonly Part[], pointer: string): readonly Part[] {
  const place = inBody(pointer);
  const own = parts.filter(
    ({ leaf }) =>
      leaf !== undefined && [leaf.pointer, ...leaf.alike].some(at => isWithin(at, place) || isWithin(place, at)),
  );
  return own.length > 0 ? own : parts.filter(({ field }) => isWithin(place, field.field.pointer));
}

/** Splits refused parts: into those of fields that the refusal does not name and the rest, else into halves. */
function splitBy(answer: Answer, parts: readonly Part[]): readonly (readonly Part[])[] {
  const isNamed = naming(answer);
  const named = parts.filter(({ field }) => isNamed(field.name));
  return named.length === 0 || named.length === parts.length
    ? split(parts, 2)
    : [parts.filter(one => !named.includes(one)), named];
}

/**
 * Sends parts together, and takes them apart if they are refused or something comes back wrong. A refused request is
 * parted by the fields that the refusal names, else halved, within `most` requests. A wrong one is narrowed by the wrong
 * place, down to the fewest parts that show it.
 * @param mostAccepted maximum number of acceptances where each leaves something: a fault is then sent only once more.
 * Absent: any number.
 * @param isOver true if nothing more is to be sent, because the target refuses its minimal request now.
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
  let together: readonly Part[] = [];
  const isSparing = Number.isFinite(mostAccepted);
  let left = most;
  let accepted = 0;

  /** Reduces the parts to the fewest that still show the same. */
  async function smallest(parts: readonly Part[], first: Shown, find: (shown: Shown) => Violation | null | undefined) {
    let kept = { parts, shown: first };
    for (let isSmaller = true; isSmaller && kept.parts.length > 1; ) {
      isSmaller = false;
      for (const half of split(kept.parts, 2)) {
        const shown = await send(half);
        if (find(shown) === undefined) continue;
        kept = { parts: half, shown };
        isSmaller = true;
        break;
      }
    }
    culprits.push({ ...kept, violation: find(kept.shown) ?? null });
  }

  /** Looks for the parts that cause one wrong place of the answer, starting with those at that place. */
  async function trace(parts: readonly Part[], first: Shown, { requirement, pointer }: Violation): Promise<void> {
    const find = ({ wrong }: Shown) =>
      wrong.find(one => one.requirement === requirement && one.pointer === pointer) ??
      // A shorter text may break another requirement: a line break is not one of its non-ASCII characters.
      wrong.find(one => one.pointer === pointer) ??
      wrong.find(one => one.requirement === requirement);
    const near = partsAt(parts, pointer);
    if (isSparing) {
      const own = near.length === 0 ? parts : near;
      const alone = await send(own);
      // Parts that come back right alone may be wrong only in combination.
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
    const found = refused.length + culprits.length;
    for (const some of splitBy(answer, parts)) await search(some);
    const isRight = refused.length + culprits.length === found && left > 0;
    if (isRight && together.length === 0) together = parts;
  }

  await search(all);
  return { right, culprits, refused, together };
}
