import type { Schema } from '../../../contracts/dialect.ts';
import { isObject, namesInEither } from '../../../contracts/json.ts';
import { anyPosition, isPosition, join, same, steps } from '../../../contracts/pointer.ts';
import type { DifferenceAspect, SideOfDifference } from '../../../contracts/report/difference.ts';
import { propertiesOf } from '../../judge/compared.ts';
import { folded } from '../../judge/echo.ts';
import { inWordsApart, typeInWords } from '../../judge/words.ts';
import type { Counterparts } from '../align/counterparts.ts';

/** One place in which two answers to the same request differ. */
export interface Located {
  /** JSON Pointer into the answer, `*` for array positions; otherwise `status`, `body`, `header content-type`. */
  readonly pointer: string;
  readonly aspect: DifferenceAspect;
  /** The value of each side, in words. */
  readonly a: string;
  readonly b: string;
  /** The side that lacks a value that the other has. */
  readonly lacks?: SideOfDifference;
}

/** Returns a difference. */
export const located = (
  pointer: string,
  aspect: DifferenceAspect,
  a: string,
  b: string,
  lacks?: SideOfDifference,
): Located => ({ pointer, aspect, a, b, ...(lacks ? { lacks } : {}) });

/** Returns a difference if the words of the two sides differ; otherwise nothing. */
export const unlessAlike = (pointer: string, aspect: DifferenceAspect, a: string, b: string): Located[] =>
  a === b ? [] : [located(pointer, aspect, a, b)];

/** Returns the side that lacks a value that the other has. */
export const lackingOf = (a: unknown, b: unknown): SideOfDifference | undefined =>
  (a === undefined) === (b === undefined) ? undefined : a === undefined ? 'a' : 'b';

/** True if a difference concerns the answer as a whole: whether it came, its outcome or its status. */
export const isOfAnswer = ({ aspect }: Located): boolean =>
  aspect === 'outcome' || aspect === 'status' || aspect === 'answered';

/** Returns the member of an entity that a pointer leads into; undefined if there is none. */
export const memberAt = (pointer: string): string | undefined => {
  const [first, ...rest] = steps(pointer);
  return first === 'data' ? rest.find(step => !isPosition(step)) : undefined;
};

/** The result of comparing a pair: differences, and pointers to differing values from before the run. */
export interface Found {
  readonly differences: Located[];
  readonly start: string[];
}

/**
 * The kind of a value by the contract: a time, a version, a measurement, an id given by the server, or a list without
 * order. Undefined for any other value.
 */
type ValueKind = 'clock' | 'version' | 'measured' | 'id' | 'set' | 'tags';

/** Members that move by themselves or grow with each update. */
const measured: ReadonlySet<string> = new Set(['checksPerHour', 'count', 'estimatedUsers', 'manualQualityScores']);

/** Names of members that hold a time. */
const ofTime = /(?:Time|Timestamp|At|_at|_time)$/;

/** Names of members that hold an id, or data on the person behind the key. */
const ofId = /^(?:id|ids|salt)$|(?:ID|IDs|Id|Ids|_id)$|^(?:owner|creator|lastModifier)(?:ID|Name|Email)$/;

/** Returns the kind of a member by the contract. `asked`: the schema of the same member in the request. */
export function kindOf(name: string, shown: Schema | undefined, asked: Schema | undefined): ValueKind | undefined {
  const annotation = { ...shown?.annotation, ...asked?.annotation };
  if (annotation.formatHint === 'timestamp' || ofTime.test(name)) return 'clock';
  if (name === 'version') return 'version';
  if (measured.has(name)) return 'measured';
  if (annotation.compare === 'tags') return 'tags';
  if (annotation.compare === 'unordered') return 'set';
  if (annotation.refersTo || ofId.test(name)) return 'id';
  return undefined;
}

/** Names of members that hold data on a person. */
const ofPerson = /^(?:owner|creator|lastModifier)(?<what>ID|Name|Email)$/;

/** Names of members that hold the id of an experiment group. */
const ofGroup = /group_?id$/i;

/**
 * Returns the scope of an id: people, the groups of one experiment, or one list of one entity. Ids
 * of two scopes may be equal on one side and differ on the other.
 *
 * @param name the member that holds the id
 * @param pointer the place of the id
 * @param entity the entity in the answer
 */
function idScopeOf(
  name: string,
  pointer: string,
  entity: string,
  shown: Schema | undefined,
  asked: Schema | undefined,
): string {
  const person = ofPerson.exec(name)?.groups?.what;
  if (person !== undefined) return `person ${person}`;
  const holder = steps(pointer)
    .slice(0, -1)
    .findLast(step => !isPosition(step));
  const isGroup = ofGroup.test(name) || (name === 'id' && holder === 'groups');
  if (isGroup) return `group of ${entity}`;
  const { refersTo } = { ...shown?.annotation, ...asked?.annotation };
  if (refersTo) return refersTo;
  return name === 'id' && holder !== undefined && holder !== 'data' ? `${holder} of ${entity}` : name;
}

/** Returns the schema of the items of a list, or of the first union branch that is a list. */
export const itemsOf = (schema: Schema | undefined): Schema | undefined =>
  schema?.anyOf ? schema.anyOf.map(itemsOf).find(found => found !== undefined) : schema?.items;

/** The values at one place on both sides, and what each side was sent for it. */
interface Both {
  readonly a: unknown;
  readonly b: unknown;
  readonly sentA?: unknown;
  readonly sentB?: unknown;
  readonly shown: Schema | undefined;
  readonly asked: Schema | undefined;
  /** The name of the member. */
  readonly name: string;
  /** The entity in the answer: ids that it gives are unique only within it. */
  readonly entity?: string;
}

const place = (pointer: string, aspect: DifferenceAspect, a: unknown, b: unknown): Located => {
  const [one, other] = inWordsApart(a, b);
  return located(anyPosition(pointer), aspect, one, other, lackingOf(a, b));
};

/** Returns the number of digits before the point: seconds and milliseconds differ by three. */
const digits = (value: unknown): number => String(Math.trunc(Number(value))).length;

type Step = string | number;

const member = (value: unknown, step: Step): unknown => (value as Record<Step, unknown> | undefined)?.[step];

/** True for two equal scalars, or two absent values: of whatever kind they are, they do not differ. */
export const areEqualScalars = (a: unknown, b: unknown): boolean => a === b && (a === null || typeof a !== 'object');

/** Compares the values of two servers at one place, guided by the contract. */
export function compareValues(counterparts: Counterparts, both: Both, pointer: string): Located[] {
  const { a, b, name, shown, asked } = both;
  if (areEqualScalars(a, b)) return [];
  if (a === undefined || b === undefined) return [place(pointer, 'presence', a, b)];
  if (isAsSent(both)) return [];
  const kind = kindOf(name, shown, asked);
  if (typeInWords(a) !== typeInWords(b)) return [place(pointer, a === null || b === null ? 'value' : 'type', a, b)];
  if (kind === 'measured') return [];
  if (Array.isArray(a)) return compareLists(counterparts, both, pointer, kind);
  if (isObject(a)) return compareObjects(counterparts, both, pointer);
  if (kind === 'version') return [];
  if (kind === 'clock') return typeof a !== 'number' || digits(a) === digits(b) ? [] : [place(pointer, 'value', a, b)];
  const isSame =
    kind === 'id' && typeof a !== 'boolean'
      ? counterparts.sameId(a as Step, b as Step, idScopeOf(name, pointer, both.entity ?? '', shown, asked))
      : typeof a === 'string' && typeof b === 'string'
        ? counterparts.sameText(a, b)
        : a === b;
  return isSame ? [] : [place(pointer, 'value', a, b)];
}

/** True if both sides show what they were sent: then only the target's own names make the difference. */
function isAsSent({ a, b, sentA, sentB }: Both): boolean {
  if (sentA === undefined || sentB === undefined) return false;
  return same(a, sentA) && same(b, sentB);
}

/** Returns the values one step below; each side has its own step. */
const within = ({ a, b, sentA, sentB, entity = '' }: Both, [ofA, ofB]: readonly [Step, Step]) => ({
  a: member(a, ofA),
  b: member(b, ofB),
  sentA: member(sentA, ofA),
  sentB: member(sentB, ofB),
  entity,
});

function compareObjects(counterparts: Counterparts, both: Both, pointer: string): Located[] {
  const [shown, asked] = [propertiesOf(both.shown), propertiesOf(both.asked)];
  return namesInEither(both.a as object, both.b as object).flatMap(name => {
    // Most members are equal.
    if (areEqualScalars(member(both.a, name), member(both.b, name))) return [];
    const inside = { ...within(both, [name, name]), shown: shown?.[name], asked: asked?.[name], name };
    return compareValues(counterparts, inside, join(pointer, name));
  });
}

function compareLists(counterparts: Counterparts, both: Both, pointer: string, kind: ValueKind | undefined): Located[] {
  const [a, b] = [both.a as readonly unknown[], both.b as readonly unknown[]];
  if (kind === 'tags' && folded(a) === folded(b)) return same(a, b) ? [] : [place(pointer, 'order', a, b)];
  if (a.length !== b.length) return [place(pointer, 'value', a, b)];
  const ofItems = { shown: itemsOf(both.shown), asked: itemsOf(both.asked), name: both.name };
  const compareAt = (index: number, other: number): Located[] =>
    compareValues(counterparts, { ...within(both, [index, other]), ...ofItems }, join(pointer, index));
  const found = a.flatMap((_, index) => compareAt(index, index));
  if (found.length === 0 || a.length < 2) return found;
  const left = [...b.keys()];
  const isReordered = counterparts.tentatively(() =>
    a.every((_, index) => {
      const position = left.findIndex(other => compareAt(index, other).length === 0);
      if (position >= 0) left.splice(position, 1);
      return position >= 0;
    }),
  );
  return isReordered ? [place(pointer, 'order', a, b)] : found;
}
