import type { Answer, ApiRequest } from './answer.ts';

/** Sends requests on behalf of one case; every answer is also shown to the passive checks. */
export interface Session {
  send(request: ApiRequest): Promise<Answer>;
  /** A gate as the answer to the last write of this run showed it. */
  lastWritten(gate: string): Readonly<Record<string, unknown>> | undefined;
  /** The key as the target's owner gave it, for the authentication checks. */
  readonly apiKey: string;
}
