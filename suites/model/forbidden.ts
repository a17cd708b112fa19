import type { Resource } from '../../contracts/endpoint.ts';
import type { EndpointId } from '../../contracts/endpoints.ts';
import { membersOf } from '../../contracts/json.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import type { Asked } from './exchange.ts';
import type { Moment, Outcome } from './knowledge.ts';
import { idle, kinds } from './resources.ts';

/** A name that must not appear in lists, and the requirement that is broken if it does. */
export interface Forbidden {
  readonly resource: Resource;
  readonly id: string;
  readonly requirement: RequirementId;
  readonly number: number;
  readonly endpoint: EndpointId;
  readonly ended: Moment;
  /** The former name, if the write would have changed it. */
  readonly instead: string | undefined;
  isTold: boolean;
}

/** Returns the names that a write must not have brought into lists. */
export function forbids({ row, body, param }: Asked, outcome: Outcome): [string, RequirementId][] {
  const kind = kinds[row.resource];
  const fields = membersOf(body);
  const isIdle = outcome === 'refused' || outcome === 'keyless' || outcome === 'dry';
  if (kind.created !== undefined && isIdle) {
    const requirement =
      outcome === 'dry' ? (kind.dry ?? idle.refused) : outcome === 'keyless' ? idle.keyless : idle.refused;
    return [[kind.created(fields), requirement]];
  }
  const { name } = fields;
  const { renamed } = kind.lists ?? {};
  return renamed !== undefined && typeof name === 'string' && name !== param ? [[name, renamed]] : [];
}
