import { type Fault, type FaultKind, faultKinds } from '../../../reference-server/index.ts';
import { due } from './detection.fixture.ts';

/** Kinds of which one fault hides no other: each is about a field, a message or a way of asking of its own. */
const besideOthers: readonly FaultKind[] = [
  'bounds',
  'enums',
  'patterns',
  'near misses',
  'required',
  'mirrors',
  'echo',
  'values',
  'stored',
  'messages',
  'authentication',
  'keys',
  'spellings',
  'effects',
  'state',
  'neighbours',
];

/** So many faults at most share a server. */
const mostTogether = 8;

/**
 * The catalogue in groups of faults that a server can have together while each is still told from the others: faults of
 * the same operations that break different requirements. One that is then not found is to be tried alone.
 */
export function faultGroups(): readonly (readonly Fault[])[] {
  const groups: Fault[][] = [];
  for (const [kind, rows] of Object.entries(faultKinds) as [FaultKind, readonly Fault[]][]) {
    for (const fault of rows) {
      const joined = groups.find(
        ([first, ...rest]) =>
          first !== undefined &&
          besideOthers.includes(kind) &&
          rest.length + 1 < mostTogether &&
          kindOf(first) !== undefined &&
          first.endpoints.join() === fault.endpoints.join() &&
          [first, ...rest].every(other => due(other).every(id => !due(fault).includes(id))),
      );
      if (joined === undefined) groups.push([fault]);
      else joined.push(fault);
    }
  }
  return groups;
}

/** The kind of a fault that may have others beside it. */
const kindOf = (fault: Fault): FaultKind | undefined =>
  besideOthers.find(kind => (faultKinds[kind] as readonly Fault[]).includes(fault));
