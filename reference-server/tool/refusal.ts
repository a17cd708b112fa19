import type { Schema } from '../../contracts/dialect.ts';
import { isObject } from '../../contracts/json.ts';
import { at, steps } from '../../contracts/pointer.ts';
import { type Problem, validatorFor } from '../../contracts/validation.ts';
import type { HandlerResponse } from '../api/response.ts';

/** A problem of a control request. */
export interface ControlProblem {
  /** JSON Pointer (RFC 6901) into the input; empty for the whole. */
  readonly pointer: string;
  readonly message: string;
}

/** Maximum number of problems reported. */
const most = 50;

const inWords = ({ pointer, message }: ControlProblem): string => `${pointer === '' ? '' : `${pointer} `}${message}`;

/** Refuses a control request; nothing was changed. `status` is that of the HTTP answer. */
export class ControlError extends Error {
  readonly status: number;
  readonly problems: readonly ControlProblem[];
  constructor(status: number, message: string, problems: readonly ControlProblem[] = []) {
    super([message, ...problems.slice(0, most).map(inWords)].join('\n'));
    this.name = 'ControlError';
    this.status = status;
    this.problems = problems.slice(0, most).map(({ pointer, message: what }) => ({ pointer, message: what }));
  }
  /** Returns the HTTP answer: `{status, message, errors?: [{pointer, message}]}`. */
  response(): HandlerResponse {
    const { status, problems } = this;
    const [message = ''] = this.message.split('\n', 1);
    return { status, body: { status, message, ...(problems.length > 0 && { errors: problems }) } };
  }
}

/** Returns the subschema at a pointer, following members and items only. */
const schemaAt = (schema: Schema, pointer: string): Schema | undefined =>
  steps(pointer).reduce<Schema | undefined>(
    (here, step) => (/^\d+$/.test(step) ? here?.items : undefined) ?? here?.properties?.[step],
    schema,
  );

/** Returns the depth of the problem nearest to the root. */
const shallowest = (problems: readonly Problem[]): number =>
  Math.min(...problems.map(({ pointer }) => steps(pointer).length));

/** Explains a value that matches no branch of a union, by the branch whose problems lie deepest: it fits best. */
const unionProblems = (schema: Schema, value: unknown, problem: Problem): readonly Problem[] => {
  const here = at(value, problem.pointer);
  if (problem.keyword !== 'anyOf' || !isObject(here)) return [problem];
  const [nearest] = (schemaAt(schema, problem.pointer)?.anyOf ?? [])
    .map(branch => validatorFor(branch)(here).flatMap(inner => unionProblems(branch, here, inner)))
    .sort((one, other) => shallowest(other) - shallowest(one) || one.length - other.length);
  return nearest?.map(inner => ({ ...inner, pointer: problem.pointer + inner.pointer })) ?? [problem];
};

/** Throws a `ControlError` (400) with all problems if a value breaks a schema. */
export const refuseInvalid = (schema: Schema, value: unknown, message: string): void => {
  const problems = validatorFor(schema)(value).flatMap(problem => unionProblems(schema, value, problem));
  if (problems.length > 0) throw new ControlError(400, message, problems);
};
