import type { Members } from '../../contracts/json.ts';
import type { HandlerRequest } from '../api/request.ts';
import type { FieldError } from '../api/response.ts';
import { both, type Decorator, does, type Operator, valueText } from './layers.ts';
import { type Alteration, alter, type Mutable, set, valuesAt } from './members.ts';
import { onValidBody, sentBy } from './operations.ts';

/** Decorators of the validation of bodies: laxer or stricter than the contract. */

/** Selects values. `does` ends the sentence that begins with "where it". */
export type When = ((value: unknown) => boolean) & { readonly does?: string };

/** Says which values are meant. */
export const where = (when: When): string => (when === any ? 'whatever it is' : `where it ${when.does}`);

const matcher = (path: string): RegExp => {
  const steps = path.split('.').map(step => (step === '*' ? '\\d+' : step));
  return new RegExp(`^${steps.join('\\.')}$`);
};

/** Changes the errors found in a body. */
const onErrors =
  (change: (errors: readonly FieldError[], request: HandlerRequest) => readonly FieldError[]): Decorator =>
  () => ({ decorateValidate: (_id, validate) => request => change(validate(request), request) });

/** Too lax: ignores the errors at a path if `when` holds for a value there. */
export const forgives = (path: string, when: When): Operator => {
  const here = matcher(path);
  return does(
    `\`${path}\` is accepted ${where(when)}.`,
    onErrors((errors, { body }) =>
      valuesAt(body, path).some(when) ? errors.filter(({ property }) => !here.test(property)) : errors,
    ),
  );
};

/** Too lax: checks only the first `count` objects of a list. */
export const checksFirst = (count: number): Decorator =>
  onErrors(errors =>
    errors.filter(({ property }) => ![...property.matchAll(/\.(\d+)\./g)].some(([, step]) => Number(step) >= count)),
  );

/** Too lax: does not report a missing member at a path. */
export const misses = (path: string): Decorator => {
  const here = matcher(path);
  return onErrors(errors =>
    errors.filter(({ property, errorMessage }) => !(errorMessage === 'is required' && here.test(property))),
  );
};

/** Validates as another decorator does if `meant` selects the request, otherwise as the contract does. */
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

/** Stricter: looks for more errors in bodies that keep the contract. */
export const moreErrors = (find: (request: HandlerRequest) => readonly FieldError[]): Decorator =>
  onErrors((errors, request) => (errors.length > 0 ? errors : find(request)));

/** Refuses bodies that match `when`, with an error for a property. */
const refusesWhere = (property: string, errorMessage: string, when: (body: Members) => boolean): Decorator =>
  moreErrors(request => (when(sentBy(request)) ? [{ property, errorMessage }] : []));

/** Too strict: refuses a body if `when` holds for a value at a path. */
export const refuses = (path: string, when: When): Operator =>
  does(
    `\`${path}\` is refused ${where(when)}.`,
    refusesWhere(path, 'is not valid', body => valuesAt(body, path).some(when)),
  );

/** Too strict: requires an optional member. */
export const demands = (path: string): Operator =>
  does(
    `\`${path}\` is required.`,
    refusesWhere(path, 'is required', body => valuesAt(body, path).length === 0),
  );

/** Too strict: refuses bodies that match `when`. */
export const refusesBody = (when: (body: Members) => boolean): Decorator => refusesWhere('', 'is not valid', when);

/** Selects values, in words. */
const selects = (does: string, when: (value: unknown) => boolean): When => Object.assign(when, { does });

/** Selects texts of exactly `count` characters. */
export const length = (count: number): When =>
  selects(`has ${count} characters`, value => typeof value === 'string' && value.length === count);

/** Selects lists of exactly `count` items. */
export const items = (count: number): When =>
  selects(count === 0 ? 'is empty' : `has ${count} items`, value => Array.isArray(value) && value.length === count);

/** Selects exactly these values. */
export const is = (...values: readonly unknown[]): When =>
  selects(`is ${values.map(valueText).join(' or ')}`, value => values.includes(value));

/** Selects texts that match a pattern. */
export const matches = (pattern: RegExp): When =>
  selects(`matches \`${pattern.source}\``, value => typeof value === 'string' && pattern.test(value));

/** Selects texts that contain a character. */
export const holds = (character: string): When =>
  selects(`holds ${valueText(character)}`, value => typeof value === 'string' && value.includes(character));

/** Selects numbers strictly between two others. */
export const between = (low: number, high: number): When =>
  selects(`is between ${low} and ${high}`, value => typeof value === 'number' && value > low && value < high);

/** Selects every value. */
export const any: When = () => true;

/** Changes the body in place before the work. */
const rewrites = (change: Alteration): Decorator =>
  onValidBody(sent => {
    const body: Mutable = structuredClone(sent);
    change(body);
    return body;
  });

/** Too lax: accepts invalid values at a path, and works with another value instead. */
export const takesAs = (path: string, when: When, meant: (value: never) => unknown): Decorator =>
  both(forgives(path, when), rewrites(alter(path, value => (when(value) ? meant(value as never) : value))));

/** Too lax: accepts a body without a required member, and works with `value` instead. */
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
