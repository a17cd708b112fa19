import type { Schema } from '../../contracts/dialect.ts';
import { isObject } from '../../contracts/json.ts';
import { join, same } from '../../contracts/pointer.ts';
import type { DifferenceAspect } from '../../contracts/report/difference.ts';
import { propertiesOf } from '../judge/compared.ts';
import { inWordsApart } from '../judge/words.ts';
import type { Counterparts } from './counterparts.ts';
import { anyPosition, type Located } from './located.ts';
import { idScopeOf, itemsOf, kindOf, type ValueKind } from './members.ts';

/** Two values of the same place, and what was sent for it on each side. */
interface Both {
  readonly a: unknown;
  readonly b: unknown;
  readonly sentA?: unknown;
  readonly sentB?: unknown;
  readonly shown: Schema | undefined;
  readonly asked: Schema | undefined;
  /** The name of the member that holds it. */
  readonly name: string;
  /** Of which entity the answer is, so that ids which it gives are one only among its own. */
  readonly entity?: string;
}

const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

const place = (pointer: string, aspect: DifferenceAspect, a: unknown, b: unknown): Located => {
  const [one, other] = inWordsApart(a, b);
  return { pointer: anyPosition(pointer), aspect, a: one, b: other };
};

/** How many digits a number has before the point: seconds and milliseconds differ by three. */
const digits = (value: unknown): number => String(Math.trunc(Number(value))).length;

const member = (value: unknown, name: string | number): unknown =>
  (value as Record<string | number, unknown> | undefined)?.[name];

const folded = (list: readonly unknown[]): string =>
  JSON.stringify([...new Set(list.map(item => String(item).trim().toLowerCase()))].sort());

/** Compares what two servers show at one place, guided by what the contract says of it. */
export function compareValues(counterparts: Counterparts, both: Both, pointer: string): Located[] {
  const { a, b, name, shown, asked } = both;
  if (a === undefined && b === undefined) return [];
  if (a === undefined || b === undefined) return [place(pointer, 'presence', a, b)];
  if (isAsSent(both)) return [];
  const kind = kindOf(name, shown, asked);
  if (typeOf(a) !== typeOf(b)) return [place(pointer, a === null || b === null ? 'value' : 'type', a, b)];
  if (Array.isArray(a)) return compareLists(counterparts, both, pointer, kind);
  if (isObject(a)) return compareObjects(counterparts, both, pointer);
  if (kind === 'clock' && typeof a === 'number') return digits(a) === digits(b) ? [] : [place(pointer, 'value', a, b)];
  if (kind === 'clock' || kind === 'measured' || kind === 'version') return [];
  if (kind === 'id' && typeof a !== 'boolean') {
    const scope = idScopeOf(name, pointer, both.entity ?? '', shown, asked);
    const isSame = counterparts.sameId(a as string | number, b as string | number, scope);
    return isSame ? [] : [place(pointer, 'value', a, b)];
  }
  const isSame = typeof a === 'string' && typeof b === 'string' ? counterparts.sameText(a, b) : a === b;
  return isSame ? [] : [place(pointer, 'value', a, b)];
}

/** True where both show what each of them was sent: where that differs, the target's own names made it so. */
function isAsSent({ a, b, sentA, sentB }: Both): boolean {
  if (sentA === undefined || sentB === undefined || sentA === null || sentB === null) return false;
  return same(a as never, sentA as never) && same(b as never, sentB as never);
}

function compareObjects(
  counterparts: Counterparts,
  { a, b, sentA, sentB, shown, asked, entity = '' }: Both,
  pointer: string,
): Located[] {
  const names = new Set([...Object.keys(a as object), ...Object.keys(b as object)]);
  const ofShown = propertiesOf(shown);
  const ofAsked = propertiesOf(asked);
  return [...names].flatMap(name =>
    compareValues(
      counterparts,
      {
        a: member(a, name),
        b: member(b, name),
        sentA: member(sentA, name),
        sentB: member(sentB, name),
        shown: ofShown?.[name],
        asked: ofAsked?.[name],
        name,
        entity,
      },
      join(pointer, name),
    ),
  );
}

function compareLists(
  counterparts: Counterparts,
  { a, b, sentA, sentB, shown, asked, name, entity = '' }: Both,
  pointer: string,
  kind: ValueKind | undefined,
): Located[] {
  const ofA = a as readonly unknown[];
  const ofB = b as readonly unknown[];
  if (kind === 'tags' && folded(ofA) === folded(ofB))
    return same(a as never, b as never) ? [] : [place(pointer, 'order', a, b)];
  if (ofA.length !== ofB.length) return [place(pointer, 'value', a, b)];
  const compareAt = (index: number, other: number): Located[] =>
    compareValues(
      counterparts,
      {
        a: ofA[index],
        b: ofB[other],
        sentA: member(sentA, index),
        sentB: member(sentB, other),
        shown: itemsOf(shown),
        asked: itemsOf(asked),
        name,
        entity,
      },
      join(pointer, index),
    );
  const found = ofA.flatMap((_, index) => compareAt(index, index));
  if (found.length === 0 || ofA.length < 2) return found;
  const left = [...ofB.keys()];
  const isReordered = counterparts.tentatively(() =>
    ofA.every((_, index) => {
      const position = left.findIndex(other => compareAt(index, other).length === 0);
      if (position >= 0) left.splice(position, 1);
      return position >= 0;
    }),
  );
  return isReordered ? [place(pointer, 'order', a, b)] : found;
}
