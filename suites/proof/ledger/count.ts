import type { ReferenceKind, Schema } from '../../../contracts/dialect.ts';
import { membersOf } from '../../../contracts/json.ts';
import { memoized } from '../../../contracts/memoized.ts';
import { steps } from '../../../contracts/pointer.ts';
import { remedyFor } from '../../generators/index.ts';
import type { Cell } from '../../ledger/cell.ts';
import { relationOf } from '../../ledger/cells.ts';
import type { TargetCapabilities } from '../../protocol/sut.ts';
import { seen } from './seen.ts';
import type { Trial } from './trial.ts';
import type { Attempt, Tried } from './tried.ts';

/** Why nothing counts for a cell. */
export const reasons = {
  capability: 'the target does not declare the capability',
  vocabulary: 'there are too few names that exist',
  harm: 'it may lock, move or destroy something, or no answer shows what would have to be put back',
  premise: 'it was refused, or its control was; or the answers of this target show nothing of the kind',
  budget: 'nothing of the kind was sent, or one value alone',
} as const;

export type Reason = keyof typeof reasons;

/** What became of a cell. */
export type State =
  /** By the exchange that shows it. */
  | { readonly state: 'proven' | 'broken' | 'not shown'; readonly by: string }
  /** With the line of the target file that would change it, where there is one. */
  | { readonly state: 'not tried'; readonly reason: Reason; readonly line?: string };

export type CountedCell = State & { readonly cell: Cell };

/** What a run found: the exchange, where in its answer, and the field that its case was about. */
export interface Finding {
  readonly id: string;
  readonly pointer: string;
  readonly field?: string;
}

/** The case of an exchange: its id without the number of the request. */
const caseOf = (id: string): string => id.replace(/\.\d{1,3}$/, '');

/** The field of the body under which a JSON Pointer into an answer falls. */
const fieldAt = (pointer: string): string | undefined => {
  const [first, ...others] = steps(pointer);
  return first === 'data' ? others.find(step => !/^\d+$/.test(step)) : undefined;
};

/** The field of the body to which a place belongs. */
const fieldOf = (node: Cell['node']): string | undefined => node?.path.split(/[.[]/)[0];

/** Whether a finding is about what a cell is about: its field, or, as both have none, the operation. */
function isAbout({ pointer, field }: Finding, { node, relation }: Cell): boolean {
  const own = fieldOf(node);
  const told = fieldAt(pointer) ?? (field === undefined ? undefined : steps(field)[0]);
  return told === own || (told === undefined && relationOf({ relation }).side === 'refusal');
}

/** What the chain of a place, or the items of a list, refer to. */
const kindNamed = (chain: readonly Schema[]): ReferenceKind | undefined =>
  [...chain, ...chain.slice(-1).flatMap(({ items }) => items ?? [])]
    .flatMap(({ annotation }) => annotation?.refersTo ?? [])
    .at(-1);

/** The fields that the answers of an operation show. */
const fieldsShown = memoized(
  (all: readonly Attempt[] & object) =>
    new Set(all.flatMap(({ shown }) => shown.flatMap(({ entity }) => Object.keys(membersOf(entity))))),
);

/** True of a field that was never sent, for no answer shows what would have to be put back. */
function isUnknown({ row, node, endpoint }: Cell, tried: Tried): boolean {
  const field = fieldOf(node);
  if (row.effect !== 'restorable' || field === undefined) return false;
  return tried.sent(endpoint, field).length === 0 && !fieldsShown(tried.attempts(endpoint)).has(field);
}

function notTried(cell: Cell, trials: readonly Trial[], tried: Tried, target: TargetCapabilities): State {
  const chain = relationOf(cell).of === 'data' ? [] : (cell.node?.chain ?? []);
  const lacking = chain.flatMap(({ annotation }) => annotation?.capability ?? []).find(one => !target.has(one));
  if (lacking !== undefined) return { state: 'not tried', reason: 'capability', line: `capabilities: ["${lacking}"]` };
  const isGuarded = chain.some(({ annotation }) => annotation?.semantics === 'guarded');
  const guarded = chain.at(-1)?.annotation?.guardedValues ?? [];
  if (isGuarded || guarded.some(one => JSON.stringify(one) === cell.variant))
    return { state: 'not tried', reason: 'harm' };
  const kind = kindNamed(chain);
  const needed = seen[cell.relation].names?.(cell.variant) ?? 1;
  if (kind !== undefined && target.references(kind).length < needed)
    return { state: 'not tried', reason: 'vocabulary', line: remedyFor(kind) };
  const hasAccepted = tried.attempts(cell.endpoint).some(({ outcome }) => outcome === 'accepted');
  if (!hasAccepted || relationOf(cell).of === 'data' || trials.some(({ result }) => result === 'refused'))
    return { state: 'not tried', reason: 'premise' };
  return { state: 'not tried', reason: isUnknown(cell, tried) ? 'harm' : 'budget' };
}

/**
 * What a run proved, did not show and did not try of the cells. A pure function: of the exchanges, what was found in
 * them, and the names and capabilities of the target.
 */
export function countCells(
  cells: readonly Cell[],
  tried: Tried,
  findings: readonly Finding[],
  target: TargetCapabilities,
): readonly CountedCell[] {
  const found = new Map<string, Finding[]>();
  for (const one of findings) found.set(caseOf(one.id), [...(found.get(caseOf(one.id)) ?? []), one]);
  return cells.map(cell => {
    const trials = [...seen[cell.relation].find(tried, cell)];
    const broken = trials.find(({ by }) => found.get(caseOf(by))?.some(one => isAbout(one, cell)));
    if (broken !== undefined) return { cell, state: 'broken', by: broken.by };
    const shown = trials.find(({ result }) => result === 'shown');
    if (shown !== undefined) return { cell, state: 'proven', by: shown.by };
    const accepted = trials.find(({ result }) => result === 'accepted');
    if (accepted !== undefined) return { cell, state: 'not shown', by: accepted.by };
    return { cell, ...notTried(cell, trials, tried, target) };
  });
}
