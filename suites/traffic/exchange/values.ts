import { join } from '../../../contracts/pointer.ts';

/**
 * Yields a JSON value and the values within it, at most `most`. Of what holds more the first are taken, and no more is
 * kept in memory than may still be yielded, because the value may come from a recording of any size.
 */
export function* valuesWithin(value: unknown, most = Number.POSITIVE_INFINITY): Generator<unknown> {
  const waiting = [value];
  for (let left = most; waiting.length > 0 && left > 0; left -= 1) {
    const next = waiting.pop();
    yield next;
    if (typeof next !== 'object' || next === null) continue;
    const room = Math.max(0, left - 1 - waiting.length);
    for (const one of (Array.isArray(next) ? next : Object.values(next)).slice(0, room)) waiting.push(one);
  }
}

/** True if a text passes among the first `most` values of a JSON value. */
export function someText(value: unknown, most: number, isMet: (text: string) => boolean): boolean {
  for (const one of valuesWithin(value, most)) if (typeof one === 'string' && isMet(one)) return true;
  return false;
}

/** A text in a JSON value: its pointer, and the member that holds it directly; empty for an item of an array. */
interface PlacedText {
  readonly pointer: string;
  readonly name: string;
  readonly text: string;
}

/**
 * Returns the texts among the first `most` values of a JSON value, in their order. The name of a member is a text of the
 * object that has it.
 */
export function textsWithin(value: unknown, most: number): readonly PlacedText[] {
  const found: PlacedText[] = [];
  const waiting = [{ value, pointer: '', name: '' }];
  for (let left = most; left > 0; left -= 1) {
    const next = waiting.pop();
    if (next === undefined) break;
    const { pointer, name } = next;
    if (typeof next.value === 'string') found.push({ pointer, name, text: next.value });
    if (typeof next.value !== 'object' || next.value === null) continue;
    const isList = Array.isArray(next.value);
    const inner = Object.entries(next.value).slice(0, left);
    if (!isList) found.push(...inner.map(([own]) => ({ pointer, name: '', text: own })));
    const below = inner.map(([own, one]) => ({ value: one, pointer: join(pointer, own), name: isList ? '' : own }));
    waiting.push(...below.reverse());
  }
  return found;
}
