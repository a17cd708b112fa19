import type { ReferenceKind, Schema } from '../../contracts/dialect.ts';
import type { EndpointId } from '../../contracts/endpoints.ts';
import type { Reason } from '../../contracts/report/ledger.ts';
import { remedyFor } from '../generators/index.ts';
import { consentFor, disposableLine, disposableNames } from '../protocol/disposable.ts';
import type { Target, TargetCapabilities } from '../protocol/sut.ts';
import { type Cell, relationOf } from './cells.ts';
import type { OperationHistory } from './history.ts';

/** Why nothing counts for a cell, with the line of the target file that would change that, if any. */
export interface NotTried {
  readonly state: 'not tried';
  readonly reason: Reason;
  readonly line?: string;
}

/** The parts of a target that decide what can be tried. */
export interface LedgerTarget extends Pick<TargetCapabilities, 'references' | 'has'>, Pick<Target, 'disposable'> {
  /** Returns the line without which an operation cannot be requested; undefined if none is missing. */
  readonly missing?: (endpoint: EndpointId) => string | undefined;
}

const notTried = (reason: Reason, line?: string): NotTried => ({
  state: 'not tried',
  reason,
  ...(line === undefined ? {} : { line }),
});

/** Returns the body field that a place belongs to. */
export const fieldOf = (node: Cell['node']): string | undefined => node?.path.split(/[.[]/)[0];

/** Returns the kind that a place, or the items of its list, refer to. */
const kindNamed = (chain: readonly Schema[]): ReferenceKind | undefined =>
  [...chain, ...chain.slice(-1).flatMap(({ items }) => items ?? [])]
    .flatMap(({ annotation }) => annotation?.refersTo ?? [])
    .at(-1);

/** Returns why a cell cannot be tried, whatever is sent. Known before a run. */
export function hinderedBy(cell: Cell, target: LedgerTarget): NotTried | undefined {
  const chain = relationOf(cell).of === 'data' ? [] : (cell.node?.chain ?? []);
  const lacking = chain.flatMap(({ annotation }) => annotation?.capability ?? []).find(one => !target.has(one));
  if (lacking) return notTried('capability', `capabilities: ["${lacking}"]`);
  const line = target.missing?.(cell.endpoint);
  if (line !== undefined) return notTried('vocabulary', line);
  const isGuarded = chain.some(({ annotation }) => annotation?.semantics === 'guarded');
  const guarded = chain.at(-1)?.annotation?.guardedValues ?? [];
  if (isGuarded || guarded.some(one => JSON.stringify(one) === cell.variant)) {
    const consent = consentFor(cell.endpoint, cell.node?.path ?? '');
    if (!consent) return notTried('harm');
    if (disposableNames(target, consent).length === 0) return notTried('harm', disposableLine(consent));
  }
  const kind = kindNamed(chain);
  const needed = relationOf(cell).names?.(cell.variant) ?? 1;
  const known = kind ? target.references(kind).length : 0;
  if (kind && known < needed) return notTried('vocabulary', remedyFor(kind, known, needed));
  return undefined;
}

/** True for a field that was never sent because no answer shows the value to restore. */
function isUnknown({ row, node }: Cell, { sent, shown }: OperationHistory): boolean {
  const field = fieldOf(node);
  return row.effect === 'restorable' && field !== undefined && !sent.has(field) && !shown.has(field);
}

/** Returns why nothing counts for a cell after a run. `isRefused`: a request for it was refused. */
export function notTriedBecause(
  cell: Cell,
  target: LedgerTarget,
  operation: OperationHistory,
  isRefused: boolean,
): NotTried {
  const hindered = hinderedBy(cell, target);
  if (hindered) return hindered;
  if (!operation.hasSent()) return notTried('budget');
  if (!operation.hasAccepted() || relationOf(cell).of === 'data' || isRefused) return notTried('premise');
  return notTried(isUnknown(cell, operation) ? 'harm' : 'budget');
}
