import type { Problem } from '../../api/answer.ts';
import type { ApiRequest } from '../../api/request.ts';
import type { Defect } from '../fault.ts';
import { aroundWork } from './answers.ts';
import { type Alteration, alter, type Members, put, valuesAt } from './members.ts';

/** Whether a value is one that the defect is about. */
export type When = (value: unknown) => boolean;

const matcher = (path: string): RegExp => {
  const steps = path.split('.').map(step => (step === '*' ? '\\d+' : step));
  return new RegExp(`^${steps.join('\\.')}$`);
};

const judges =
  (change: (problems: readonly Problem[], request: ApiRequest) => readonly Problem[]): Defect =>
  () => ({ decorateValidate: (_id, validate) => request => change(validate(request), request) });

/** Too lax: forgives what is wrong at a path where a value there is one of these. */
export const forgives = (path: string, when: When): Defect => {
  const here = matcher(path);
  return judges((problems, { body }) =>
    valuesAt(body, path).some(when) ? problems.filter(({ property }) => !here.test(property)) : problems,
  );
};

/** Too lax: never misses a member at a path. */
export const misses = (path: string): Defect => {
  const here = matcher(path);
  return judges(problems =>
    problems.filter(({ property, errorMessage }) => !(errorMessage === 'is required' && here.test(property))),
  );
};

/** Too strict: refuses a request where a value at a path is one of these. */
export const refuses = (path: string, when: When): Defect =>
  judges((problems, { body }) =>
    valuesAt(body, path).some(when) ? [...problems, { property: path, errorMessage: 'is not valid' }] : problems,
  );

/** A text of exactly so many characters. */
export const length =
  (count: number): When =>
  value =>
    typeof value === 'string' && value.length === count;

/** A list of exactly so many items. */
export const items =
  (count: number): When =>
  value =>
    Array.isArray(value) && value.length === count;

/** Exactly this value. */
export const is =
  (...values: readonly unknown[]): When =>
  value =>
    values.includes(value);

/** A text that holds this character. */
export const holds =
  (character: string): When =>
  value =>
    typeof value === 'string' && value.includes(character);

/** A number between two others, which are not meant. */
export const between =
  (low: number, high: number): When =>
  value =>
    typeof value === 'number' && value > low && value < high;

/** Any value at all. */
export const any: When = () => true;

/** Too strict: misses a member that need not be there. */
export const demands = (path: string): Defect =>
  judges((problems, { body }) =>
    valuesAt(body, path).length === 0 ? [...problems, { property: path, errorMessage: 'is required' }] : problems,
  );

/** Too strict: refuses what these say of a body as a whole. */
export const refusesBody = (when: (body: Members) => boolean): Defect =>
  judges((problems, { body }) =>
    when(body as Members) ? [...problems, { property: '', errorMessage: 'is not valid' }] : problems,
  );

/** Too lax: forgives a value at a path, and works with another in its place. */
export const takesAs = (path: string, when: When, meant: (value: never) => unknown): Defect =>
  both(forgives(path, when), rewrites(alter(path, value => (when(value) ? meant(value as never) : value))));

/** Too lax: never misses a member, and works with a value of its own where it is absent. */
export const fillsIn = (path: string, value: unknown): Defect =>
  both(
    misses(path),
    rewrites(body => {
      if (valuesAt(body, path).length === 0) put(path, value)(body);
    }),
  );

const rewrites = (change: Alteration): Defect =>
  aroundWork(handler => (request, store, settings) => {
    const body = structuredClone(request.body) as Members;
    change(body);
    return handler({ ...request, body }, store, settings);
  });

const both =
  (first: Defect, second: Defect): Defect =>
  place => ({ ...first(place), ...second(place) });
