import type { Described } from '../../../tools/mutate/sample.ts';
import { type AnswerMutant, answerMutation } from './answers.ts';
import { type RequestMutant, requestMutation } from './requests.ts';
import type { MakeMutation } from './seam.ts';

/** The mutated servers by name. */
export const servers = ['reference', 'independent'] as const;
export type ServerName = (typeof servers)[number];

/** A change of answers, of requests, or of the source of a server. */
export type Change =
  | { readonly kind: 'answer'; readonly mutant: AnswerMutant }
  | { readonly kind: 'request'; readonly mutant: RequestMutant }
  | { readonly kind: 'source'; readonly mutant: Described };

/** What a server process serves; a sound server without a change. */
export interface ServedQuestion {
  readonly server: ServerName;
  readonly change?: Change;
  /** For a sound server: whether to record the mutants of answers that would differ. */
  readonly isWatched?: boolean;
}

/** Returns the mutation of a change to answers or requests; undefined for a change of sources, which is built in. */
export function mutationOf(change: Change): MakeMutation | undefined {
  if (change.kind === 'answer') return answerMutation(change.mutant);
  return change.kind === 'request' ? requestMutation(change.mutant) : undefined;
}
