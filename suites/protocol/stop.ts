import type { Answer, ApiRequest } from './answer.ts';

/** Ends the whole run, with the reason. */
export class RunStopped extends Error {
  readonly reason: 'interrupted' | 'unreachable' | 'limit';

  /** The owner's remedy. */
  readonly remedy: string | undefined;

  constructor(reason: RunStopped['reason'], message: string, remedy?: string) {
    super(message);
    this.reason = reason;
    this.remedy = remedy;
  }
}

/** Resolves to what stopped the run during the work, or to null. Rethrows every other error. */
export const stopOf = (work: Promise<unknown>): Promise<RunStopped | null> =>
  work.then(
    () => null,
    (error: unknown) => {
      if (error instanceof RunStopped) return error;
      throw error;
    },
  );

/** Returns the end of a run that its user interrupted. */
export const interrupted = (): RunStopped => new RunStopped('interrupted', 'the run was interrupted');

/** Thrown when nothing more is sent for a check, or to an endpoint, while the rest of the run goes on. */
export class GivenUp extends Error {}

/**
 * Thrown for one request that is not sent while its check goes on. It would create more than the run may, or change
 * something irreversibly. Its case proves nothing.
 */
export class Withheld extends GivenUp {
  /** The remedy for the target's owner. */
  readonly remedy: string | undefined;

  constructor(message: string, remedy?: string) {
    super(message);
    this.remedy = remedy;
  }
}

/** The reason lies in an answer. */
class OfAnswer extends GivenUp {
  readonly answer: Answer;

  constructor(message: string, answer: Answer) {
    super(message);
    this.answer = answer;
  }
}

/** Thrown for an answer too long to read: its case proves nothing, and others go on. */
export class TooLong extends OfAnswer {}

/**
 * Thrown if the answer to a named creation was lost, and its repetition was refused: it may have met itself. Its case
 * proves nothing, and others go on.
 */
export class MetItself extends GivenUp {}

/** Thrown for an answer that still asks to come again later when all waiting is used up: it is never judged. */
export class PutOff extends OfAnswer {}

/** Resolves to an answer even if it asks to come again later. Rethrows every other error. */
export const evenPutOff = (work: Promise<Answer>): Promise<Answer> =>
  work.catch((error: unknown) => {
    if (error instanceof PutOff) return error.answer;
    throw error;
  });

/** Thrown for what came of a request when the whole target is away: it says nothing about the target. */
export class WentAway extends OfAnswer {}

/** True if one answer says nothing: its case proves nothing, and others go on. */
export const saysNothing = (error: unknown): error is TooLong | MetItself | PutOff =>
  error instanceof TooLong || error instanceof MetItself || error instanceof PutOff;

/** Resolves to the result, or to `otherwise` if the work was given up. Rethrows every other error. */
export const unlessGivenUp = <T, O>(work: Promise<T>, otherwise: O): Promise<T | O> =>
  work.catch((error: unknown) => {
    if (error instanceof GivenUp) return otherwise;
    throw error;
  });

/** Resolves to the result, or to null if a request was withheld. Rethrows every other error. */
export const unlessWithheld = <T>(work: Promise<T>): Promise<T | null> =>
  work.catch((error: unknown) => {
    if (error instanceof Withheld) return null;
    throw error;
  });

/** Sends a request. Returns null instead of an answer if it is given up. */
export const answerOrNull = (
  session: { send(request: ApiRequest): Promise<Answer> },
  request: ApiRequest,
): Promise<Answer | null> => unlessGivenUp(session.send(request), null);
