import type { Check, Fields } from './checks.ts';
import type { State } from './state.ts';

/** The input of an operation. */
export interface Call {
  readonly state: State;
  /** The values of the path parameters, decoded. */
  readonly names: readonly string[];
  readonly query: URLSearchParams;
  readonly body: Fields;
}

/** A success (section 1), or a refusal, whose status and body the specification leaves open (section 7). */
export type Outcome =
  | { status: 200 | 201; message: string; data: unknown; pagination?: Fields }
  | { status: number; reason: string };

/** One operation of the service. */
export type Operation = (call: Call) => Outcome;

export const done = (message: string, data: unknown, status: 200 | 201 = 200): Outcome => ({ status, message, data });

export const missing = (what: string): Outcome => ({ status: 404, reason: `no such ${what}` });

/** Runs `then` if the body passes the check; otherwise refuses the body. */
export function checked(body: Fields, check: Check, then: () => Outcome): Outcome {
  const reason = check(body, '');
  return reason === undefined ? then() : { status: 422, reason };
}

/** Returns a new object with only the named fields. */
export const only = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
