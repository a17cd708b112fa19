import type { Members } from '../../contracts/json.ts';
import type { Answer, ApiRequest } from './answer.ts';

/** Sends requests on behalf of one case; the passive checks observe every answer. */
export interface Session {
  send(request: ApiRequest): Promise<Answer>;
  /** A gate as the answer to the last write of this run showed it. */
  lastWritten(gate: string): Members | undefined;
  /** The key as the target's owner gave it, for the authentication checks. */
  readonly apiKey: string;
}
