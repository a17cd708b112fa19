/** What a handler answers, before it becomes bytes. The body is serialised as JSON; `undefined` means none. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** One problem of a request. `property` is the way to it in dots (`rules.0.name`); empty for the body as a whole. */
export interface Problem {
  readonly property: string;
  readonly errorMessage: string;
}

/** At most so many problems are listed, each of bounded length: an answer never grows with what was sent. */
export const problemLimit = 50;
const textLimit = 300;

const clipped = (text: string): string => (text.length > textLimit ? `${text.slice(0, textLimit)}…` : text);

/** The body of every error: `{status, message, errors?}` (section 7 shows none; see docs/reference-server.md). */
export interface ErrorBody {
  readonly status: number;
  readonly message: string;
  readonly errors?: readonly Problem[];
}

/** An answer that refuses, with every problem found. */
export const refusal = (
  status: number,
  message: string,
  problems: readonly Problem[] = [],
): Answer & { body: ErrorBody } => ({
  status,
  body: {
    status,
    message: clipped(message),
    ...(problems.length > 0 && {
      errors: problems
        .slice(0, problemLimit)
        .map(({ property, errorMessage }) => ({ property: clipped(property), errorMessage: clipped(errorMessage) })),
    }),
  },
});

/** Thrown by a handler to refuse: it ends the transaction it is thrown in, so that nothing is kept. */
export class Refused extends Error {
  readonly answer: Answer;
  constructor(answer: Answer) {
    super('refused');
    this.answer = answer;
  }
}

/** Refuses: no such entity. What was asked for is not repeated: it may be anything. */
export const notFound = (kind: string): Refused => new Refused(refusal(404, `${kind} not found.`));

/** Refuses when there are problems: 400 with all of them. */
export const refuseAny = (problems: readonly Problem[]): void => {
  if (problems.length > 0) throw new Refused(refusal(400, 'The request body is not valid.', problems));
};
