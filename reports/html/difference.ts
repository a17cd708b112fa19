import type { Counterexample } from '../../contracts/report/evidence.ts';

/**
 * A value as JSON, split around the part in which it differs from another one; long parts that are the same are cut.
 */
export interface MarkedValue {
  readonly before: string;
  readonly odd: string;
  readonly after: string;
}

/** What was sent, and what the accepted control had in its place. `sent` is absent if the field was left out. */
export interface MarkedDifference {
  readonly sent?: MarkedValue;
  readonly control: MarkedValue;
}

const most = { context: 24, odd: 160 } as const;

/**
 * Marks the part in which a case and its accepted control differ, in both. Returns undefined if there is no control.
 */
export function markedDifference({
  sent,
  control,
}: Pick<Counterexample, 'sent' | 'control'>): MarkedDifference | undefined {
  if (control === undefined) return undefined;
  // Compare characters: a mark must not split a surrogate pair.
  const two = characters(control);
  if (sent === undefined) return { control: { before: '', odd: beginning(two), after: '' } };
  const one = characters(sent);
  const shorter = Math.min(one.length, two.length);
  let head = 0;
  while (head < shorter && one[head] === two[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && one[one.length - 1 - tail] === two[two.length - 1 - tail]) tail += 1;
  return { sent: markedPart(one, head, tail), control: markedPart(two, head, tail) };
}

function characters(value: unknown): string[] {
  return Array.from(JSON.stringify(value) ?? '');
}

function markedPart(text: readonly string[], head: number, tail: number): MarkedValue {
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
