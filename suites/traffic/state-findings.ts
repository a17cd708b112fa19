import type { Endpoint, Resource } from '../../contracts/endpoint.ts';
import { isObject } from '../../contracts/json.ts';
import { join } from '../../contracts/pointer.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import { keptAnswer } from '../engine/evidence.ts';
import { inWords, inWordsApart } from '../judge/words.ts';
import { citable, neighbours } from '../model/resources.ts';
import type { Excuse, Suspicion } from '../model/suspicion.ts';
import type { NumberedAnswer, Violation } from '../protocol/check.ts';
import { violation } from '../protocol/check.ts';
import type { Breach } from './breach.ts';
import type { SeenExchange } from './seen.ts';

/** The id of the check that holds an answer against what was written and shown before. */
export const stateCheck = 'observed-state';

/** The requirements of state that the traffic of an operation can show to be broken. */
export const stateRequirements = ({ resource, list }: Endpoint): readonly RequirementId[] => [
  ...citable(resource),
  ...(list ? (['pagination.complete', 'pagination.total'] as const) : []),
];

/** Why nothing is said of what has an innocent cause. */
export const becauseOf: Readonly<Record<Excuse, string>> = {
  lag: 'it came sooner after a write than what was written may take to show (--settle)',
  others: 'others may write too: --sole-writer says that nobody does',
  moves: 'it changed while nothing was written: it moves by itself, or others write it',
  unknown: 'it may be anything after what was written',
};

/** Why a change is no more than a warning where it may have other reasons than what was written. */
export const seenOnce = 'seen once: what changes by itself looks the same';

/** Why what no innocent cause explains is no more than a warning where others may write. */
export const mayBeOthers = 'others may have written it back, or elsewhere: --sole-writer says that nobody does';

/** Why nothing is said of a member that an answer lacks. */
const leftOut = 'an answer leaves out what was shown before: it may show less of an entity';

/** Kinds that services compute in part: what changes there may be that. */
const computed: ReadonlySet<Resource> = new Set(['metric', 'config', 'config-version']);

/** What is made of suspicions that nothing excuses. */
export interface Verdicts {
  /** Why nothing is said of one; undefined where it is told. */
  unclear(suspicion: Suspicion): string | undefined;
  /** Why one that is told is no more than a warning; undefined where it is a violation. */
  doubtful(suspicion: Suspicion): string | undefined;
}

/** Begins with nothing told. */
export function createVerdicts(isSoleWriter: boolean): Verdicts {
  /** Fields of kinds that moved by themselves, and those of which a change was told. */
  const moving = new Set<string>();
  const told = new Set<string>();
  const nameOf = ({ resource, field }: Suspicion): string => `${resource} ${field}`;
  return {
    unclear(one) {
      if (one.got === undefined && one.field !== '') return leftOut;
      const isOwn = computed.has(one.resource) && one.kind === 'disagree';
      if (isOwn) moving.add(nameOf(one));
      return isOwn || moving.has(nameOf(one)) ? becauseOf.moves : undefined;
    },
    doubtful(one) {
      if (!isSoleWriter) return mayBeOthers;
      const isFirst = !told.has(nameOf(one));
      told.add(nameOf(one));
      if (one.requirements[0] !== neighbours) return undefined;
      const mayMove = computed.has(one.resource) && (isFirst || !one.hasStood);
      return mayMove || (isFirst && one.resource === 'environment') ? seenOnce : undefined;
    },
  };
}

/** An answer as a step of a finding. */
export const stepOf = ({ exchange, answer }: SeenExchange): NumberedAnswer => ({
  number: exchange.number,
  // What was sent stands in the bytes of the request.
  answer: { ...keptAnswer(answer), sent: undefined },
});

/** Makes a breach of the server that is about several exchanges. */
export const stateBreach = (violation: Violation, steps: readonly (NumberedAnswer | undefined)[]): Breach => {
  const known = steps.filter(step => step !== undefined);
  return {
    side: 'server',
    check: stateCheck,
    violation: known.length < 2 ? violation : { ...violation, steps: known },
  };
};

/** The members of two values that can be told apart by name: those of objects, and those of lists of them. */
const membersOfBoth = (values: readonly unknown[]) =>
  values.every(isObject) || values.every(value => Array.isArray(value) && value.every(isObject))
    ? (values as readonly Readonly<Record<string, unknown>>[])
    : [];

/** Two values at the one place within them where they differ, with its JSON Pointer; as they are where there are several. */
function deepest(before: unknown, after: unknown, pointer: string): readonly [unknown, unknown, string] {
  const [one, other] = membersOfBoth([before, after]);
  if (one === undefined || other === undefined) return [before, after, pointer];
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  const [name, ...more] = names.filter(key => JSON.stringify(one[key]) !== JSON.stringify(other[key]));
  if (name === undefined || more.length > 0) return [before, after, pointer];
  return deepest(one[name], other[name], join(pointer, name));
}

/** What should have been shown, and what was, in words, and where. */
function wordsOf({
  kind,
  field,
  expected,
  got,
  pointer,
  id,
  requirements,
}: Suspicion): readonly [string, string, string] {
  const values = expected.filter(value => value !== undefined);
  if (kind === 'missing') return [`${inWords(id)}, which was created, in the list`, 'it is not listed', pointer];
  if (kind === 'present' && got === id)
    return [
      values.length > 0 ? `the name that it had, ${inWords(values[0])}` : `no ${inWords(id)}, for none was created`,
      `${inWords(id)} is listed`,
      pointer,
    ];
  if (kind === 'present')
    return [`${values.map(inWords).join()} in the lineage of ${inWords(id)}`, inWords(got), pointer];
  if (kind === 'swapped') return [`${inWords(id)} as it was`, 'it is shown as another one', pointer];
  const [was, now, place] = values.length === 1 ? deepest(values[0], got, pointer) : [values[0], got, pointer];
  const [before, after] = inWordsApart(was, now);
  const others = values.slice(1).map(value => ` or ${inWords(value)}`);
  if (kind === 'lost') return [`${before}${others.join('')}, as last sent`, after, place];
  const beside = requirements[0] === neighbours ? ', for another was written' : '';
  return [`${field} as it was${beside}: ${before}${others.join('')}`, `${field}: ${before} became ${after}`, place];
}

/** The breach that a suspicion is, in the answer that shows it. `doubt`: why it is no more than a warning. */
export function breachOf(
  suspicion: Suspicion,
  answer: Violation['answer'],
  requirement: RequirementId,
  steps: readonly (NumberedAnswer | undefined)[],
  doubt: string | undefined,
): Breach {
  const [expected, actual, pointer] = wordsOf(suspicion);
  const own = violation(answer, requirement, pointer, expected, actual);
  return stateBreach(doubt === undefined ? own : { ...own, doubt }, steps);
}
