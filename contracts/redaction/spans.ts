/** A part of a text that gives a secret away. The greatest `weight` decides the mark of overlapping spans. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly mark: string;
  readonly weight: number;
}

/** Returns the text with spans replaced by marks. Overlapping spans share the mark of the weightiest. */
export function replaced(text: string, spans: readonly Span[]): string {
  const sorted = spans.toSorted((a, b) => a.from - b.from || b.to - a.to);
  let result = '';
  let at = 0;
  for (let index = 0; index < sorted.length; ) {
    let best = sorted[index] as Span;
    const { from } = best;
    let { to } = best;
    for (index += 1; index < sorted.length; index += 1) {
      const next = sorted[index] as Span;
      if (next.from >= to) break;
      to = Math.max(to, next.to);
      if (next.weight > best.weight) best = next;
    }
    result += text.slice(at, from) + best.mark;
    at = to;
  }
  return result + text.slice(at);
}
