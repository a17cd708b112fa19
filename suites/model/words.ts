import { resourceNames } from '../../contracts/endpoint.ts';
import { isObject, type Json } from '../../contracts/json.ts';
import { at, deepestDifference, steps } from '../../contracts/pointer.ts';
import type { DiscrepancyKind } from '../../contracts/report/evidence.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import { inWords, inWordsApart } from '../judge/words.ts';
import type { Answer } from '../protocol/answer.ts';
import { type Violation, violation } from '../protocol/check.ts';
import { idle, neighbours } from './resources.ts';
import type { Suspicion } from './suspicion.ts';

/** True if members can be told apart by name: objects, and lists of objects. A list of texts may be a set. */
export const haveNames = (...values: readonly unknown[]): boolean =>
  values.every(value => isObject(value) || (Array.isArray(value) && value.every(isObject)));

/** Maximum length of an id or member name in a message, because a client or a target may have made it up. */
const longestName = 120;

const cut = (name: string): string => (name.length > longestName ? `${name.slice(0, longestName)}…` : name);

/**
 * Puts a suspicion into words, about the deepest place where the two values differ: what is expected and what is shown,
 * and the JSON Pointer into the answer.
 */
export function suspicionWords(suspicion: Suspicion) {
  const { kind, resource, expected, got, pointer, requirements } = suspicion;
  const id = cut(suspicion.id);
  const field = cut(suspicion.field);
  const name = resourceNames[resource];
  const entity = `the ${name} ${id}`;
  const known = expected.filter(value => value !== undefined);
  if (suspicion.lacks !== undefined) {
    const lacking = inWords(suspicion.lacks);
    return { expected: `${lacking} in ${field} of ${entity}`, actual: `${lacking} became nothing`, pointer };
  }
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
  const deepest = known.length > 1 ? { one: last, other: got, pointer: '' } : deepestDifference(last, got, haveNames);
  const [should, actual] = inWordsApart(deepest.one, deepest.other);
  const others = known.filter(value => value !== last).map(value => ` or ${inWords(value)}`);
  const value = `${should}${others.join('')}`;
  const place = `${field}${steps(deepest.pointer)
    .map(step => (/^\d+$/.test(step) ? `[${step}]` : `.${cut(step)}`))
    .join('')}`;
  const because = {
    lost: () => `${value}, ${ofLost(suspicion, entity, known.length)}`,
    trace: () => `${place} of ${entity} as it was: ${value}, because ${withoutEffect(requirements[0])}`,
    changed: () =>
      requirements[0] === neighbours
        ? `${place} of ${entity} as it was, because only another ${name} was written: ${value}`
        : `${place} of ${entity} as it was: ${value}`,
    disagree: () => `${place} of ${entity} as other answers show it: ${value}`,
  };
  return { expected: because[kind](), actual, pointer: `${pointer}${deepest.pointer}` };
}

/** Says why the expected value was due. `known`: how many values would have been right. */
function ofLost({ setBy, field }: Suspicion, entity: string, known: number): string {
  if (known > 1) return `as sent to ${entity} at the same time`;
  if (setBy === 'default') return `the default, because ${entity} was created without ${cut(field)}`;
  if (setBy === 'answer') return `as the answer to the creation of ${entity} showed`;
  return setBy === 'disable' ? `because ${entity} was disabled` : `as last sent to ${entity}`;
}

/** Says why a request must not have had an effect, by the requirement that it broke. */
function withoutEffect(requirement: RequirementId | undefined): string {
  if (requirement === idle.refused) return 'the request was refused';
  return requirement === idle.keyless ? 'the request had no valid key' : 'the request was a dry run';
}

/** Returns the kind of discrepancy. A value that nobody sent is a wrong `value`, not a `lost` one. */
function discrepancyKindOf({ kind, setBy }: Suspicion): DiscrepancyKind {
  if (setBy !== undefined) return 'value';
  return kind === 'repeated' ? 'present' : kind;
}

/** Returns the violation for a suspicion, in the answer that shows it. */
export function suspectedViolation(suspicion: Suspicion, answer: Answer, requirement: RequirementId): Violation {
  const { id, expected, got, pointer } = suspicion;
  const kind = discrepancyKindOf(suspicion);
  const { expected: words, actual, pointer: place } = suspicionWords(suspicion);
  const known = expected.filter(value => value !== undefined);
  // A missing entry is identified by the id of its entity.
  if (kind === 'missing') return violation(answer, requirement, place, { words, kind, value: id }, actual);
  const deepest = (value: unknown): unknown => at(value as Json, place.slice(pointer.length));
  const should = { words, kind, value: known.length > 1 ? undefined : deepest(known[0]) };
  return violation(answer, requirement, place, should, { words: actual, value: deepest(got) });
}
