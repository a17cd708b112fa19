import type { CheckContext } from '../../protocol/check.ts';
import { type EntityKind, entityKinds } from '../../state/entity-kinds.ts';
import { fixtureNames } from '../../sut/target.ts';

/** Returns the other fixtures of a kind, first those whose name is a prefix or an extension of this one's. */
export function besideOf(
  kind: EntityKind,
  { target, minimal: { param = '' } }: Pick<CheckContext, 'target' | 'minimal'>,
): readonly string[] {
  const others = fixtureNames(target, kind.fixtures).filter(name => name !== param);
  const isAlike = (name: string): boolean => name.startsWith(param) || param.startsWith(name);
  return [...others.filter(isAlike), ...others.filter(name => !isAlike(name))];
}

/** Maximum number of other experiments that are written: none of them can be restored. */
const mostExperiments = 3;

/** Returns the other experiments that a run may write to, so that there is something to lose. */
export const experimentsBeside = (context: Pick<CheckContext, 'target' | 'minimal'>): readonly string[] =>
  besideOf(entityKinds.experiment, context).slice(0, mostExperiments);
