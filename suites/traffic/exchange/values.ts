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
