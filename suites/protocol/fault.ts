import { present } from '../../contracts/present.ts';
import type { Discrepancy, DiscrepancyKind } from '../../contracts/report/evidence.ts';
import type { Answer } from './answer.ts';

/**
 * The expected or actual content of an answer: in words, and as data if it is a value. `suites/judge/words.ts` makes
 * them.
 */
export interface Said {
  readonly words: string;
  /** The kind of discrepancy; absent: the default of its place. */
  readonly kind?: DiscrepancyKind;
  /** The value; undefined: there is none. */
  readonly value?: unknown;
  readonly constraint?: Discrepancy['constraint'];
}

/** Maximum length, in characters, of the JSON of a value that is reported as data. */
const longestValue = 4_096;

/** Returns a value as a named member of a discrepancy; nothing if it is absent or long. */
const dataOf = <N extends string>(name: N, value: unknown): { readonly [name in N]?: unknown } =>
  value === undefined || (JSON.stringify(value)?.length ?? 0) > longestValue
    ? {}
    : ({ [name]: value } as { readonly [name in N]: unknown });

/** Returns the default kind of discrepancy at a place of an answer. */
function kindAt(pointer: string, { success, status }: Answer, got: Said): DiscrepancyKind {
  if (pointer === 'connection') return 'unanswered';
  if (pointer.startsWith('/')) return 'value' in got && got.value === undefined ? 'missing' : 'value';
  if (pointer === 'body' || pointer === '') return 'body';
  if (pointer.startsWith('header ')) return 'header';
  if (pointer !== 'status') return 'request';
  if (success) return 'accepted';
  return status >= 500 ? 'failed' : status >= 400 ? 'refused' : 'status';
}

/** Returns plain words as `Said`. */
export const spelled = (words: string | Said): Said => (typeof words === 'string' ? { words } : words);

/** Returns the data of a violation that an answer shows at a place. */
export const discrepancyOf = (answer: Answer, pointer: string, should: Said, is: Said): Discrepancy => ({
  kind: should.kind ?? is.kind ?? kindAt(pointer, answer, is),
  ...dataOf('expected', should.value),
  ...dataOf('got', is.value),
  ...present({ constraint: should.constraint }),
});
