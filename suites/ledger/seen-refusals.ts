import type { Json } from '../../contracts/json.ts';
import { at, steps } from '../../contracts/pointer.ts';
import type { Problem } from '../../contracts/validation.ts';
import type { Attempt } from './attempt.ts';
import type { Cell } from './cell.ts';
import type { Moment } from './moment.ts';
import { pathOf } from './placed.ts';
import { accepted, none, refused, type Seen, shown } from './trial.ts';

/** What must be seen of a request that breaks one rule: that it is refused, and that the same without it is accepted. */

/**
 * What tells whether all but the broken field of a request was accepted: these fields in company, each of their values,
 * and the broken field at some other value. Names of what a request creates are its own. It may be so later.
 */
function controlOf({ attempt: { row, body, endpoint }, history }: Moment, pointer: string): () => boolean {
  const [broken = ''] = steps(pointer);
  const isNew = (name: string): boolean => row.body?.properties?.[name]?.annotation?.creates === true;
  const others = Object.keys(body).filter(name => name !== broken);
  const fields = [broken, ...others];
  const values = others.filter(name => !isNew(name)).map(name => `${name}=${JSON.stringify(body[name])}`);
  return () => history.of(endpoint).hasAcceptedTogether(fields, values);
}

/** A refused request that breaks one rule at the place, beside a control that was accepted. */
export const refusedFor =
  (
    holds: (problem: Problem, value: Json | undefined, cell: Cell, attempt: Attempt) => boolean,
    isWithin = false,
  ): Seen =>
  (here, cell) => {
    const { attempt } = here;
    const [problem, ...others] = attempt.problems;
    if (problem === undefined || others.length > 0) return none;
    const [place, path] = [pathOf(problem.pointer), cell.node?.path ?? ''];
    if (isWithin ? !place.startsWith(path) : place !== path) return none;
    if (!holds(problem, at(attempt.body, problem.pointer), cell, attempt)) return none;
    if (attempt.outcome !== 'refused') return [attempt.outcome === 'accepted' ? accepted : refused];
    const hasControl = controlOf(here, problem.pointer);
    return [hasControl() ? shown : { ...refused, until: hasControl }];
  };

/** The type of a JSON value. */
export const typeName = (value: Json | undefined): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
