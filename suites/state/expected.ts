import type { JsonObject, Members } from '../../contracts/json.ts';
import { steps } from '../../contracts/pointer.ts';
import { storedMismatches } from '../judge/echo.ts';
import { asItWas, saidLost } from '../judge/words.ts';
import type { Said } from '../protocol/fault.ts';
import { differencesIn, type EntityKind } from './entity-kinds.ts';

/** What an entity must look like: as it was last read, but for what was written since. */
export interface Expected {
  readonly known: Members;
  /** The last value that was sent of each field since. */
  readonly sent: JsonObject;
  /** A write since may have replaced the whole: what it did not carry says nothing. */
  readonly isOpen: boolean;
}

/** Sent as one member and answered as another: sending one may change the others. */
const answeredAs: Readonly<Record<string, readonly string[]>> = {
  teamID: ['teamID', 'team'],
  team: ['team', 'teamID'],
  creatorID: ['creatorID', 'creatorName', 'creatorEmail'],
  creatorEmail: ['creatorEmail', 'creatorName', 'creatorID'],
};

/** The members of an entity that a body may change. */
export const mayChange = (body: JsonObject): string[] =>
  Object.keys(body).flatMap(field => answeredAs[field] ?? [field]);

/** An entity that was just read. */
export const asRead = (known: Members): Expected => ({ known, sent: {}, isOpen: false });

/** An entity of which a write carried a body that changes what it carries and, unless it replaces the whole, no more. */
export function afterWrite({ known, sent, isOpen }: Expected, body: JsonObject, replaces: boolean): Expected {
  if (replaces) return { known, sent: body, isOpen: true };
  // Where two members name the same, the one that was sent last says what the other is.
  const overwritten = mayChange(body).filter(field => !Object.hasOwn(body, field));
  const kept = Object.entries(sent).filter(([field]) => !overwritten.includes(field));
  return { known, sent: { ...Object.fromEntries(kept), ...body }, isOpen };
}

/** A member that is otherwise than expected. */
export interface Deviation {
  readonly field: string;
  /** JSON Pointer into the answer. */
  readonly pointer: string;
  readonly before: unknown;
  readonly after: unknown;
  /** What it should be. */
  readonly expected: Said;
  /** True where it was sent, false where it should have stayed as it was. */
  readonly isSent: boolean;
}

/** The members of an entity, as it was read, that are otherwise than expected. */
export function deviationsOf(kind: EntityKind, expected: Expected, entity: Members): readonly Deviation[] {
  const { row, leaveOut, notStored = [], at = '/data', settings = one => one } = kind;
  const { known, sent, isOpen } = expected;
  const [before, after] = [settings(known), settings(entity)];
  const isCompared = ([field]: readonly [string, unknown]): boolean => ![...leaveOut, ...notStored].includes(field);
  const stored = Object.fromEntries(Object.entries(settings(sent)).filter(isCompared)) as JsonObject;
  const lost = storedMismatches(stored, after, row, at, { ...(isOpen ? {} : before), ...after })
    // In which order a list shows what was sent is judged where the answer to the write is.
    .filter(({ kind: how }) => how !== 'order')
    .map(({ pointer, sent: value, got }): Deviation => {
      const [field = ''] = steps(pointer.slice(at.length));
      const expects = saidLost(value, ', as last sent');
      return { field, pointer, before: before[field], after: got, expected: expects, isSent: true };
    });
  const changed = isOpen ? [] : differencesIn(kind, known, entity, mayChange(sent));
  return [
    ...lost,
    ...changed.map((one): Deviation => {
      const pointer = `${at}/${one.field}`;
      return { ...one, pointer, expected: asItWas(one.field, one.before), isSent: false };
    }),
  ];
}
