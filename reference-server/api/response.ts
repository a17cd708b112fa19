import { StoreOutage } from '../store/store-error.ts';

/** What a handler responds, before it becomes bytes. The body is serialised as JSON; `undefined` means none. */
export interface HandlerResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/**
 * One thing that is wrong with a request. `property` is the way to it in dots (`rules.0.name`); empty for the body as a
 * whole.
 */
export interface FieldError {
  readonly property: string;
  readonly errorMessage: string;
}

/** A refusal lists at most this many errors, each of bounded length: a response never grows with what was sent. */
const errorLimit = 50;
const textLimit = 300;

const clipped = (text: string): string => (text.length > textLimit ? `${text.slice(0, textLimit)}…` : text);

/** The body of every refusal: `{status, message, errors?}` (section 7 shows none; see docs/reference-server.md). */
export interface ErrorBody {
  readonly status: number;
  readonly message: string;
  readonly errors?: readonly FieldError[];
}

/** A response that refuses, with every error found. */
export const refusal = (
  status: number,
  message: string,
  errors: readonly FieldError[] = [],
): HandlerResponse & { body: ErrorBody } => ({
  status,
  body: {
    status,
    message: clipped(message),
    ...(errors.length > 0 && {
      errors: errors
        .slice(0, errorLimit)
        .map(({ property, errorMessage }) => ({ property: clipped(property), errorMessage: clipped(errorMessage) })),
    }),
  },
});

/** The response to any unexpected error: it says nothing of the inside. */
export const internalError = refusal(500, 'Internal error.');

/** True of a response with a 2xx status. */
export const isSuccess = ({ status }: HandlerResponse): boolean => status >= 200 && status < 300;

/** Thrown by a handler to refuse: it ends the transaction it is thrown in, so that nothing is kept. */
export class Refused extends Error {
  readonly response: HandlerResponse;
  constructor(response: HandlerResponse) {
    super('refused');
    this.response = response;
  }
}

/**
 * The response to an error: what a refusal says; 503 where the store cannot be used for now; else 500. `onError` is told
 * of the last two.
 */
export const responseTo = (error: unknown, onError: (error: unknown) => void): HandlerResponse => {
  if (error instanceof Refused) return error.response;
  onError(error);
  if (!(error instanceof StoreOutage)) return internalError;
  return { ...refusal(503, `The store cannot be used: ${error.reason}.`), headers: { 'Retry-After': '1' } };
};

/** Throws a 400 with all errors, where there are any. */
export const refuseAny = (errors: readonly FieldError[]): void => {
  if (errors.length > 0) throw new Refused(refusal(400, 'The request body is not valid.', errors));
};
