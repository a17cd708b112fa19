import type { Answer } from './answer.ts';

/** Why nothing is sent any more. */
export class RunStopped extends Error {
  readonly reason: 'interrupted' | 'unreachable' | 'limit';

  /** What its owner can do about it. */
  readonly remedy: string | undefined;

  constructor(reason: RunStopped['reason'], message: string, remedy?: string) {
    super(message);
    this.reason = reason;
    this.remedy = remedy;
  }
}

/** Why a check, or an endpoint, is not sent to any more while the rest of the run goes on. */
export class GivenUp extends Error {}

/**
 * Why one request is not sent while the rest of its check goes on: it would create more than the run may, or change what
 * could not be put back. The case that asked for it proves nothing.
 */
export class Withheld extends GivenUp {
  /** What the target's owner can do about it. */
  readonly remedy: string | undefined;

  constructor(message: string, remedy?: string) {
    super(message);
    this.remedy = remedy;
  }
}

/** One answer was too long to be read: its case proves nothing, and others go on. */
export class TooLong extends GivenUp {
  readonly answer: Answer;

  constructor(message: string, answer: Answer) {
    super(message);
    this.answer = answer;
  }
}

/**
 * The answer to a creation under a given name got lost, and the same creation was refused when it was sent again: it may
 * have met itself. Its case proves nothing, and others go on.
 */
export class MetItself extends GivenUp {}

/** What the work resolves to, or `otherwise` where it is given up. Every other error is thrown. */
export const unlessGivenUp = <T, O>(work: Promise<T>, otherwise: O): Promise<T | O> =>
  work.catch((error: unknown) => {
    if (error instanceof GivenUp) return otherwise;
    throw error;
  });

/** What the work resolves to, or null where a request of it was withheld. Every other error is thrown. */
export const unlessWithheld = <T>(work: Promise<T>): Promise<T | null> =>
  work.catch((error: unknown) => {
    if (error instanceof Withheld) return null;
    throw error;
  });
