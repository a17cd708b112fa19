import type { CheckContext } from '../../protocol/check.ts';
import { type DisposableKind, disposableNames } from '../../protocol/disposable.ts';
import { type EntityKind, entityKinds } from '../../state/entity-kinds.ts';
import { fixtureNames } from '../../sut/target.ts';

/**
 * Returns the other fixtures of a kind, first those whose name is a prefix or an extension of this one's. Disposable
 * ones are left to the check that is about them, which may leave them locked.
 */
export function besideOf(
  kind: EntityKind,
  { target, minimal: { param = '' } }: Pick<CheckContext, 'target' | 'minimal'>,
): readonly string[] {
  const { fixtures } = kind;
  const spared = fixtures === 'experiments' || fixtures === 'qualifyingEvents' ? disposableNames(target, fixtures) : [];
  const others = fixtureNames(target, fixtures).filter(name => name !== param && !spared.includes(name));
  const isAlike = (name: string): boolean => name.startsWith(param) || param.startsWith(name);
  return [...others.filter(isAlike), ...others.filter(name => !isAlike(name))];
}

/** Maximum number of other experiments that are written: none of them can be restored. */
const mostExperiments = 3;

/** Returns the other experiments that a run may write to, so that there is something to lose. */
export const experimentsBeside = (context: Pick<CheckContext, 'target' | 'minimal'>): readonly string[] =>
  besideOf(entityKinds.experiment, context).slice(0, mostExperiments);

/** Returns the disposable fixture of a kind that a run uses: one that no other check is about. */
export const disposableBeside = (
  { target, minimal }: Pick<CheckContext, 'target' | 'minimal'>,
  kind: DisposableKind,
): string | undefined => disposableNames(target, kind).find(name => name !== minimal.param);
