import { resourceNames } from '../../contracts/endpoint.ts';
import { isObject, type Json } from '../../contracts/json.ts';
import { at, join } from '../../contracts/pointer.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import { inWords, inWordsApart } from '../judge/words.ts';
import type { Answer } from '../protocol/answer.ts';
import { type Violation, violation } from '../protocol/check.ts';
import { neighbours } from './resources.ts';
import type { Suspicion } from './suspicion.ts';

/** What an answer should have shown, what it showed, and the place in it: a JSON Pointer. */
export interface SuspicionWords {
  readonly expected: string;
  readonly actual: string;
  readonly pointer: string;
}

/** The members of two values that can be told apart by name: those of objects, and those of lists of them. */
const membersOfBoth = (values: readonly unknown[]) =>
  values.every(isObject) || values.every(value => Array.isArray(value) && value.every(isObject))
    ? (values as readonly Readonly<Record<string, unknown>>[])
    : [];

/** Two values at the one place within them where they differ; as they are where there are several. */
function deepest(before: unknown, after: unknown, pointer: string): readonly [unknown, unknown, string] {
  const [one, other] = membersOfBoth([before, after]);
  if (one === undefined || other === undefined) return [before, after, pointer];
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  const [name, ...more] = names.filter(key => JSON.stringify(one[key]) !== JSON.stringify(other[key]));
  if (name === undefined || more.length > 0) return [before, after, pointer];
  return deepest(one[name], other[name], join(pointer, name));
}

/** So many characters of an id or a member's name are shown: a client or a target may have made them up. */
const longestName = 120;

const cut = (name: string): string => (name.length > longestName ? `${name.slice(0, longestName)}…` : name);

/** A suspicion in words, about the deepest place in which the two values differ. */
export function suspicionWords(suspicion: Suspicion): SuspicionWords {
  const { kind, resource, expected, got, pointer, requirements } = suspicion;
  const id = cut(suspicion.id);
  const field = cut(suspicion.field);
  const name = resourceNames[resource];
  const entity = `the ${name} ${id}`;
  const known = expected.filter(value => value !== undefined);
  if (kind === 'missing') return { expected: `${entity} in the list`, actual: 'it is not listed', pointer };
  if (kind === 'repeated') return { expected: `${entity} once`, actual: 'it is shown more than once', pointer };
  if (kind === 'swapped') return { expected: entity, actual: `what another ${name} has`, pointer };
  if (kind === 'present') {
    const actual = `it shows ${inWords(got)}`;
    if (known.length === 0) return { expected: `no ${name} ${id} in the list, for none was created`, actual, pointer };
    if (got === suspicion.id) return { expected: `the name that ${entity} had: ${inWords(known[0])}`, actual, pointer };
    return { expected: `${known.map(inWords).join(', ')} in the lineage of ${entity}`, actual: inWords(got), pointer };
  }
  const last = expected.at(-1);
  const [was, now, place] = known.length > 1 ? [last, got, pointer] : deepest(last, got, pointer);
  const [should, actual] = inWordsApart(was, now);
  const others = known.filter(value => value !== last).map(value => ` or ${inWords(value)}`);
  const value = `${should}${others.join('')}`;
  const because = {
    lost: () => `${value}, as last sent to ${entity}`,
    trace: () => `${field} of ${entity} as it was: ${value}, for the request was not carried out`,
    changed: () =>
      requirements[0] === neighbours
        ? `${field} of ${entity} as it was, for another was written: ${value}`
        : `${field} of ${entity} as it was: ${value}`,
    disagree: () => `${field} of ${entity} as other answers show it: ${value}`,
  };
  return { expected: because[kind](), actual, pointer: place };
}

/** The violation that a suspicion is, in the answer that shows it, with its data. */
export function suspectedViolation(suspicion: Suspicion, answer: Answer, requirement: RequirementId): Violation {
  const { id, expected, got, pointer } = suspicion;
  const kind = suspicion.kind === 'repeated' ? 'present' : suspicion.kind;
  const { expected: words, actual, pointer: place } = suspicionWords(suspicion);
  const known = expected.filter(value => value !== undefined);
  // What stands in a list, or must not, is told by the id of the entity.
  if (kind === 'missing') return violation(answer, requirement, place, { words, kind, value: id }, actual);
  const deepest = (value: unknown): unknown => at(value as Json, place.slice(pointer.length));
  const should = { words, kind, value: known.length > 1 ? undefined : deepest(known[0]) };
  return violation(answer, requirement, place, should, { words: actual, value: deepest(got) });
}
