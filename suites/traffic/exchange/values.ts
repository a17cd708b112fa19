/** The values within a JSON value, itself the first, in no stated order; no more than so many. */
export function* valuesWithin(value: unknown, most = Number.POSITIVE_INFINITY): Generator<unknown> {
  const waiting = [value];
  for (let left = most; waiting.length > 0 && left > 0; left -= 1) {
    const next = waiting.pop();
    yield next;
    if (typeof next === 'object' && next !== null) for (const one of Object.values(next)) waiting.push(one);
  }
}

/** True where a text within a JSON value passes, among so many values. */
export function someText(value: unknown, most: number, isMet: (text: string) => boolean): boolean {
  for (const one of valuesWithin(value, most)) if (typeof one === 'string' && isMet(one)) return true;
  return false;
}
