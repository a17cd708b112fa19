import type { Check, Fields } from './checks.ts';
import type { State } from './state.ts';

/** What an operation is given. */
export interface Call {
  readonly state: State;
  /** The values of the path parameters, decoded. */
  readonly names: readonly string[];
  readonly query: URLSearchParams;
  readonly body: Fields;
}

/** A good answer (section 1), or a refusal: the specification leaves its status and body open (section 7). */
export type Outcome =
  | { status: 200 | 201; message: string; data: unknown; pagination?: Fields }
  | { status: number; reason: string };

/** One operation of the service. */
export type Operation = (call: Call) => Outcome;

export const done = (message: string, data: unknown, status: 200 | 201 = 200): Outcome => ({ status, message, data });

export const missing = (what: string): Outcome => ({ status: 404, reason: `no such ${what}` });

/** What follows when the body passes the check; the refusal of the body when it does not. */
export function checked(body: Fields, check: Check, then: () => Outcome): Outcome {
  const reason = check(body, '');
  return reason === undefined ? then() : { status: 422, reason };
}

/** The fields of an object that are among the names given, in a new object. */
export const only = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
