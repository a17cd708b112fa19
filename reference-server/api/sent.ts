import type { EndpointId } from '../../contracts/endpoint.ts';
import { endpoints } from '../../contracts/endpoints.ts';

/** The documented members of a body that were sent. Unknown ones are ignored, `__proto__` and its kind among them. */
export const sentOf = <Id extends EndpointId, B extends object>(id: Id, body: B): B => {
  const properties: object = endpoints[id].body?.properties ?? {};
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) if (Object.hasOwn(properties, name)) result[name] = value;
  return result as B;
};
