import type { Schema } from '../../contracts/dialect.ts';
import { isObject } from '../../contracts/json.ts';
import { at, steps } from '../../contracts/pointer.ts';
import { type Problem, validatorFor } from '../../contracts/validation.ts';
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
    this.problems = problems.slice(0, most).map(({ pointer, message: what }) => ({ pointer, message: what }));
  }
  /** The error as an answer: `{status, message, errors?: [{pointer, message}]}`. */
  response(): HandlerResponse {
    const { status, problems } = this;
    const [message = ''] = this.message.split('\n', 1);
    return { status, body: { status, message, ...(problems.length > 0 && { errors: problems }) } };
  }
}

/** The schema of the value at a pointer, as far as members and items lead to it. */
const schemaAt = (schema: Schema, pointer: string): Schema | undefined =>
  steps(pointer).reduce<Schema | undefined>(
    (here, step) => (/^\d+$/.test(step) ? here?.items : undefined) ?? here?.properties?.[step],
    schema,
  );

/** How deep the problem lies that is nearest to the whole value. */
const shallowest = (problems: readonly Problem[]): number =>
  Math.min(...problems.map(({ pointer }) => steps(pointer).length));

/** What is wrong with a value that keeps no branch of a union: the branch tells best in which the trouble lies deepest. */
const unionProblems = (schema: Schema, value: unknown, problem: Problem): readonly Problem[] => {
  const here = at(value, problem.pointer);
  if (problem.keyword !== 'anyOf' || !isObject(here)) return [problem];
  const [nearest] = (schemaAt(schema, problem.pointer)?.anyOf ?? [])
    .map(branch => validatorFor(branch)(here).flatMap(inner => unionProblems(branch, here, inner)))
    .sort((one, other) => shallowest(other) - shallowest(one) || one.length - other.length);
  return nearest?.map(inner => ({ ...inner, pointer: problem.pointer + inner.pointer })) ?? [problem];
};

/** Throws a `ControlError` (400) that lists how a value breaks a schema, if it does. */
export const refuseInvalid = (schema: Schema, value: unknown, message: string): void => {
  const problems = validatorFor(schema)(value).flatMap(problem => unionProblems(schema, value, problem));
  if (problems.length > 0) throw new ControlError(400, message, problems);
};
