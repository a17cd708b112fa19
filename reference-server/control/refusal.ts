import type { Schema } from '../../contracts/dialect.ts';
import { validatorFor } from '../../contracts/validation.ts';
import type { HandlerResponse } from '../api/response.ts';

/** One thing that is wrong with what was asked of a control. */
export interface ControlProblem {
  /** JSON Pointer (RFC 6901) into what was sent; the empty text is the whole. */
  readonly pointer: string;
  readonly message: string;
}

/** So many problems are told at most. */
const most = 50;

const inWords = ({ pointer, message }: ControlProblem): string => `${pointer === '' ? '' : `${pointer} `}${message}`;

/** What was asked cannot be done. Nothing was changed. `status` is that of the answer over HTTP. */
export class ControlError extends Error {
  readonly status: number;
  readonly problems: readonly ControlProblem[];
  constructor(status: number, message: string, problems: readonly ControlProblem[] = []) {
    super([message, ...problems.slice(0, most).map(inWords)].join('\n'));
    this.name = 'ControlError';
    this.status = status;
    this.problems = problems.slice(0, most);
  }
  /** The error as an answer: `{status, message, errors?: [{pointer, message}]}`. */
  response(): HandlerResponse {
    const { status, problems } = this;
    const [message = ''] = this.message.split('\n', 1);
    return { status, body: { status, message, ...(problems.length > 0 && { errors: problems }) } };
  }
}

/** Throws a `ControlError` (400) that lists how a value breaks a schema, if it does. */
export const refuseInvalid = (schema: Schema, value: unknown, message: string): void => {
  const problems = validatorFor(schema)(value);
  if (problems.length > 0) throw new ControlError(400, message, problems);
};
