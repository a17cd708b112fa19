const units = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

/** A time for people, as it would be given to a flag: `10m`, `1m30s`, `2h`, `0s`. Milliseconds go in; what is less than a second is cut off. */
export function timeText(milliseconds: number): string {
  let left = milliseconds;
  const parts = units.flatMap(([unit, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count > 0 ? [`${count}${unit}`] : [];
  });
  return parts.join('') || '0s';
}
