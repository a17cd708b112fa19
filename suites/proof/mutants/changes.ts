import type { Described } from '../../../tools/mutate/sample.ts';
import { type AnswerMutant, answerMutation } from './answers.ts';
import { type RequestMutant, requestMutation } from './requests.ts';
import type { MakeMutation } from './seam.ts';

/** The servers that are mutated, by name. */
export const servers = ['reference', 'independent'] as const;
export type ServerName = (typeof servers)[number];

/** What is changed: a place of answers, a place of requests, or the source of a server. */
export type Change =
  | { readonly kind: 'answer'; readonly mutant: AnswerMutant }
  | { readonly kind: 'request'; readonly mutant: RequestMutant }
  | { readonly kind: 'source'; readonly mutant: Described };

/** What the process of a server is to serve; a sound one where nothing is changed. */
export interface ServedQuestion {
  readonly server: ServerName;
  readonly change?: Change;
  /** Of a sound one: whether it notes which mutants of answers would differ. */
  readonly isWatched?: boolean;
}

/** The change of a mutant of answers or requests; undefined of one of sources, which is built into the server. */
export function mutationOf(change: Change): MakeMutation | undefined {
  if (change.kind === 'answer') return answerMutation(change.mutant);
  return change.kind === 'request' ? requestMutation(change.mutant) : undefined;
}
