import { present } from '../../contracts/present.ts';
import type { Discrepancy, DiscrepancyKind } from '../../contracts/report/evidence.ts';
import type { Answer } from './answer.ts';

/** What an answer should show, or shows: in words, and as data where it is a value. `suites/judge/words.ts` makes them. */
export interface Said {
  readonly words: string;
  /** What is wrong where it should be so and is not. */
  readonly kind?: DiscrepancyKind;
  /** The value; undefined: there is none. */
  readonly value?: unknown;
  readonly constraint?: Discrepancy['constraint'];
}

/** Values whose JSON is longer than so many characters are told in words alone. */
const longestValue = 4_096;

/** A value as data of a discrepancy, under a name; nothing where there is none, or a long one. */
const dataOf = <N extends string>(name: N, value: unknown): { readonly [name in N]?: unknown } =>
  value === undefined || (JSON.stringify(value)?.length ?? 0) > longestValue
    ? {}
    : ({ [name]: value } as { readonly [name in N]: unknown });

/** The kind of discrepancy that is found at a place of an answer, where nobody says another. */
function kindAt(pointer: string, { success, status }: Answer, got: Said): DiscrepancyKind {
  if (pointer === 'connection') return 'unanswered';
  if (pointer.startsWith('/')) return 'value' in got && got.value === undefined ? 'missing' : 'value';
  if (pointer === 'body' || pointer === '') return 'body';
  if (pointer.startsWith('header ')) return 'header';
  if (pointer !== 'status') return 'request';
  if (success) return 'accepted';
  return status >= 500 ? 'failed' : status >= 400 ? 'refused' : 'status';
}

/** What is said in words alone, or with its data. */
export const spelled = (words: string | Said): Said => (typeof words === 'string' ? { words } : words);

/** The data of a violation that an answer shows at a place. */
export const discrepancyOf = (answer: Answer, pointer: string, should: Said, is: Said): Discrepancy => ({
  kind: should.kind ?? is.kind ?? kindAt(pointer, answer, is),
  ...dataOf('expected', should.value),
  ...dataOf('got', is.value),
  ...present({ constraint: should.constraint }),
});
