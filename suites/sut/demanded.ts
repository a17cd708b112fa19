import { type EndpointId, endpointRow, endpointsWhere } from '../../contracts/endpoints.ts';
import { nearChanges } from '../generators/index.ts';
import type { Bases } from '../protocol/base.ts';
import type { Target } from '../protocol/sut.ts';

/**
 * Returns the fields that the target file declares as demanded by an operation. Fields required by the specification
 * are excluded: they are sent anyway, and may be left out to test the refusal.
 */
function declared({ requires }: Target, endpoint: EndpointId): readonly string[] {
  const fields = (requires as Partial<Record<EndpointId, readonly string[]>> | undefined)?.[endpoint] ?? [];
  return fields.filter(field => endpointRow(endpoint).body?.required?.includes(field) !== true);
}

/** Demanded flags that are sent as true: their operation does for good, with or without them, what they force. */
const forcing: ReadonlySet<string> = new Set(['forceArchive']);

/** Returns the changes that the target's demands make to its requests, each with an ordinary value. */
export function demandedBy(target: Target): Bases {
  const bases: Bases = new Map();
  for (const endpoint of endpointsWhere(({ body }) => body !== null)) {
    const fields = declared(target, endpoint);
    const { body } = endpointRow(endpoint);
    if (fields.length === 0 || body === null) continue;
    const changes = nearChanges(body, {}, target)
      .more.filter(({ field }) => fields.includes(field))
      .map(change => (forcing.has(change.field) ? { ...change, becomes: true } : change));
    bases.set(endpoint, { changes, isJudged: true });
  }
  return bases;
}

/** Returns the demanded fields for which no value can be sent. */
export function unsendable(target: Target): readonly { readonly endpoint: EndpointId; readonly field: string }[] {
  const bases = demandedBy(target);
  return [...bases].flatMap(([endpoint, { changes }]) =>
    declared(target, endpoint)
      .filter(field => !changes.some(({ pointer }) => pointer === `/${field}`))
      .map(field => ({ endpoint, field })),
  );
}
