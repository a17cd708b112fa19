import type { Counterexample } from '../../contracts/report/evidence.ts';

const most = { context: 24, odd: 160 } as const;

/**
 * Marks the part in which a case and its accepted control differ, in both. Returns undefined if there is no control;
 * `sent` is absent if the field was left out.
 */
export function markedDifference({ sent, control }: Pick<Counterexample, 'sent' | 'control'>) {
  if (control === undefined) return undefined;
  const two = characters(control);
  if (sent === undefined) return { control: { before: '', odd: beginning(two), after: '' } };
  const one = characters(sent);
  const { head, tail } = sameEnds(one, two);
  return { sent: markedPart(one, head, tail), control: markedPart(two, head, tail) };
}

/**
 * Returns where two texts differ, in characters of the second: from `from` up to and without `to`. Undefined if they
 * have little in common: then all of it differs.
 */
export function differingPart(one: string, two: string): { readonly from: number; readonly to: number } | undefined {
  const [a, b] = [Array.from(one), Array.from(two)];
  const { head, tail } = sameEnds(a, b);
  if (head + tail < Math.min(a.length, b.length) / 2 || head + tail === 0) return undefined;
  return { from: head, to: Math.max(head + 1, b.length - tail) };
}

/** How many characters two texts have in common at their beginnings, and at their ends. */
function sameEnds(one: readonly string[], two: readonly string[]): { head: number; tail: number } {
  // Compare characters: a mark must not split a surrogate pair.
  const shorter = Math.min(one.length, two.length);
  let head = 0;
  while (head < shorter && one[head] === two[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && one[one.length - 1 - tail] === two[two.length - 1 - tail]) tail += 1;
  return { head, tail };
}

function characters(value: unknown): string[] {
  return Array.from(JSON.stringify(value) ?? '');
}

/** A value as JSON, split around the part in which it differs; long parts that are the same are cut. */
function markedPart(text: readonly string[], head: number, tail: number) {
  const from = Math.max(0, head - most.context);
  const end = text.length - tail;
  const to = Math.min(text.length, end + most.context);
  return {
    before: (from > 0 ? '…' : '') + text.slice(from, head).join(''),
    odd: beginning(text.slice(head, end)),
    after: text.slice(end, to).join('') + (to < text.length ? '…' : ''),
  };
}

function beginning(text: readonly string[]): string {
  if (text.length <= most.odd) return text.join('');
  return `${text.slice(0, most.odd).join('')}… (${text.length} characters)`;
}
