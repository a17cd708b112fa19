import type { Members } from '../../contracts/json.ts';
import type { HandlerRequest } from '../api/request.ts';
import type { FieldError } from '../api/response.ts';
import { both, type Decorator, does, type Operator } from './layers.ts';
import { type Alteration, alter, type Mutable, set, valuesAt } from './members.ts';
import { onValidBody, sentBy } from './operations.ts';

/** Decorators of the validation of bodies: laxer or stricter than the contract. */

/** Whether a value is one that the decorator is about. */
export type When = (value: unknown) => boolean;

const matcher = (path: string): RegExp => {
  const steps = path.split('.').map(step => (step === '*' ? '\\d+' : step));
  return new RegExp(`^${steps.join('\\.')}$`);
};

/** Changes the errors that are found in a body. */
const onErrors =
  (change: (errors: readonly FieldError[], request: HandlerRequest) => readonly FieldError[]): Decorator =>
  () => ({ decorateValidate: (_id, validate) => request => change(validate(request), request) });

/** Too lax: forgives the errors at a path where a value there is one of these. */
export const forgives = (path: string, when: When): Decorator => {
  const here = matcher(path);
  return onErrors((errors, { body }) =>
    valuesAt(body, path).some(when) ? errors.filter(({ property }) => !here.test(property)) : errors,
  );
};

/** Too lax: of the objects in a list so many alone are checked, the first ones. */
export const checksFirst = (count: number): Decorator =>
  onErrors(errors =>
    errors.filter(({ property }) => ![...property.matchAll(/\.(\d+)\./g)].some(([, step]) => Number(step) >= count)),
  );

/** Too lax: never misses a member at a path. */
export const misses = (path: string): Decorator => {
  const here = matcher(path);
  return onErrors(errors =>
    errors.filter(({ property, errorMessage }) => !(errorMessage === 'is required' && here.test(property))),
  );
};

/** Validates as another decorator does where a request is meant, and as the contract does otherwise. */
export const laxWhere =
  (meant: (request: HandlerRequest) => boolean, lax: Decorator): Decorator =>
  server => {
    const { decorateValidate } = lax(server);
    return {
      decorateValidate: (id, validate) => {
        const other = decorateValidate?.(id, validate) ?? validate;
        return request => (meant(request) ? other : validate)(request);
      },
    };
  };

/** Stricter: looks for more errors in the bodies that keep the contract. */
export const moreErrors = (find: (request: HandlerRequest) => readonly FieldError[]): Decorator =>
  onErrors((errors, request) => (errors.length > 0 ? errors : find(request)));

/** Refuses bodies of which this is true: the error says so of a property. */
const refusesWhere = (property: string, errorMessage: string, when: (body: Members) => boolean): Decorator =>
  moreErrors(request => (when(sentBy(request)) ? [{ property, errorMessage }] : []));

/** Too strict: refuses a body where a value at a path is one of these. */
export const refuses = (path: string, when: When): Decorator =>
  refusesWhere(path, 'is not valid', body => valuesAt(body, path).some(when));

/** Too strict: misses a member that need not be there. */
export const demands = (path: string): Operator =>
  does(
    `\`${path}\` is required.`,
    refusesWhere(path, 'is required', body => valuesAt(body, path).length === 0),
  );

/** Too strict: refuses bodies of which this is true as a whole. */
export const refusesBody = (when: (body: Members) => boolean): Decorator => refusesWhere('', 'is not valid', when);

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

/** Works with a body that was changed in place. */
const rewrites = (change: Alteration): Decorator =>
  onValidBody(sent => {
    const body: Mutable = structuredClone(sent);
    change(body);
    return body;
  });

/** Too lax: forgives a value at a path, and works with another in its place. */
export const takesAs = (path: string, when: When, meant: (value: never) => unknown): Decorator =>
  both(forgives(path, when), rewrites(alter(path, value => (when(value) ? meant(value as never) : value))));

/** Too lax: never misses a member, and works with a value of its own where it is absent. */
export const fillsIn = (path: string, value: unknown): Operator =>
  does(
    `\`${path}\` may be left out.`,
    both(
      misses(path),
      rewrites(body => {
        if (valuesAt(body, path).length === 0) set(path, value)(body);
      }),
    ),
  );
