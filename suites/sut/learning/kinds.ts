import type { ReferenceKind, Schema } from '../../../contracts/dialect.ts';
import type { EndpointId } from '../../../contracts/endpoints.ts';
import { endpointRow } from '../../../contracts/endpoints.ts';
import type { LearnableKind } from '../../../contracts/target.ts';
import { childrenOf } from '../../../contracts/walk.ts';
import { references } from '../../generators/index.ts';
import type { Target } from '../../protocol/sut.ts';
import { notSentTo } from './lessons.ts';

/** The kinds of references in a schema, without those of features that the target does not declare. */
function referencesIn(schema: Schema, target: Target): readonly ReferenceKind[] {
  const { refersTo, capability, semantics } = schema.annotation ?? {};
  if (semantics === 'guarded' || (capability !== undefined && !target.has(capability))) return [];
  const below = childrenOf(schema).flatMap(([, node]) => referencesIn(node, target));
  return refersTo === undefined ? below : [refersTo, ...below];
}

/** The kinds of names that the requests of an endpoint ask for, as far as answers can teach them. */
export function kindsFor(target: Target, endpoint: EndpointId): ReadonlySet<LearnableKind> {
  const { body, resource } = endpointRow(endpoint);
  const without = notSentTo[resource] ?? [];
  const asked = body === null ? [] : referencesIn(body, target).filter(kind => !without.includes(kind));
  return new Set(asked.flatMap(kind => references[kind].learned ?? []));
}

/** Whether the target file lets names of a kind be learned. */
export const mayLearn = ({ learn = true }: Pick<Target, 'learn'>, kind: LearnableKind): boolean =>
  typeof learn === 'boolean' ? learn : learn[kind] !== false;
