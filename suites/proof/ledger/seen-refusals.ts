import type { Json } from '../../../contracts/json.ts';
import { memoized } from '../../../contracts/memoized.ts';
import { at, steps } from '../../../contracts/pointer.ts';
import type { Problem } from '../../../contracts/validation.ts';
import type { Cell } from '../../ledger/cell.ts';
import { pathOf } from './placed.ts';
import type { Seen } from './trial.ts';
import type { Attempt, Tried } from './tried.ts';

/** What must be seen of a request that breaks one rule: that it is refused, and that the same without it is accepted. */

/** The requests of an operation with one problem, by the path of the place that has it. */
const brokenBy = memoized((all: readonly Attempt[] & object) => {
  const found = new Map<string, Attempt[]>();
  for (const attempt of all) {
    const [only, ...others] = attempt.problems;
    if (only === undefined || others.length > 0) continue;
    const path = pathOf(only.pointer);
    found.set(path, [...(found.get(path) ?? []), attempt]);
  }
  return found;
});

/** What accepted requests carried: the fields of each, and the values of every field. */
const acceptedBy = memoized((all: readonly Attempt[] & object) => {
  const bodies = new Set<string>();
  const values = new Set<string>();
  for (const { body, problems, outcome } of all) {
    if (outcome !== 'accepted' || problems.length > 0) continue;
    bodies.add(JSON.stringify(Object.keys(body).sort()));
    for (const [name, value] of Object.entries(body)) values.add(`${name}=${JSON.stringify(value)}`);
  }
  return { bodies: [...bodies].map(names => new Set(JSON.parse(names) as string[])), values };
});

/**
 * True of a request of which all but the broken field was accepted: these fields in company, each of their values, and
 * the broken field at some other value. Names of what a request creates are its own.
 */
function hasControl(tried: Tried, { row, endpoint }: Cell, { body }: Attempt, pointer: string): boolean {
  const [broken = ''] = steps(pointer);
  const accepted = acceptedBy(tried.attempts(endpoint));
  const others = Object.entries(body).filter(([name]) => name !== broken);
  const isNew = (name: string): boolean => row.body?.properties?.[name]?.annotation?.creates === true;
  if (others.some(([name, value]) => !isNew(name) && !accepted.values.has(`${name}=${JSON.stringify(value)}`)))
    return false;
  return accepted.bodies.some(names => names.has(broken) && others.every(([name]) => names.has(name)));
}

/** A refused request that breaks one rule at the place, beside a control that was accepted. */
export const refusedFor =
  (
    holds: (problem: Problem, value: Json | undefined, cell: Cell, attempt: Attempt) => boolean,
    isWithin = false,
  ): Seen =>
  (tried, cell) => {
    const broken = brokenBy(tried.attempts(cell.endpoint));
    const path = cell.node?.path ?? '';
    const places = isWithin
      ? [...broken].flatMap(([place, all]) => (place.startsWith(path) ? all : []))
      : (broken.get(path) ?? []);
    return places
      .filter(attempt => {
        const [problem] = attempt.problems;
        return problem !== undefined && holds(problem, at(attempt.body, problem.pointer), cell, attempt);
      })
      .map(attempt => ({
        by: attempt.id,
        result:
          attempt.outcome === 'accepted'
            ? 'accepted'
            : attempt.outcome === 'refused' && hasControl(tried, cell, attempt, attempt.problems[0]?.pointer ?? '')
              ? 'shown'
              : 'refused',
      }));
  };

/** The type of a JSON value. */
export const typeName = (value: Json | undefined): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
