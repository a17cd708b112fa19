import type { CheckContext } from '../../protocol/check.ts';
import { type EntityKind, entityKinds } from '../../state/entity-kinds.ts';
import { fixtureNames } from '../../sut/target.ts';

/** The fixtures of a kind beside the one that is written: first those whose name begins as its own does. */
export function besideOf(
  kind: EntityKind,
  { target, minimal: { param = '' } }: Pick<CheckContext, 'target' | 'minimal'>,
): readonly string[] {
  const others = fixtureNames(target, kind.fixtures).filter(name => name !== param);
  const isAlike = (name: string): boolean => name.startsWith(param) || param.startsWith(name);
  return [...others.filter(isAlike), ...others.filter(name => !isAlike(name))];
}

/** So many experiments are written beside the one of the endpoint: none of them can be put back. */
const mostExperiments = 3;

/** The experiments beside the one of an endpoint that a run may write to, to have something to lose. */
export const experimentsBeside = (context: Pick<CheckContext, 'target' | 'minimal'>): readonly string[] =>
  besideOf(entityKinds.experiment, context).slice(0, mostExperiments);
