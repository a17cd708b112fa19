import { isDeepStrictEqual } from 'node:util';
import { endpointRow, endpoints } from '../../contracts/endpoints.ts';
import { grouped } from '../../contracts/grouped.ts';
import { isObject, type Json, type JsonObject, type Members } from '../../contracts/json.ts';
import { type Answer, type ApiRequest, dataObject, isDryRun, isReading } from '../protocol/answer.ts';
import { changed } from '../protocol/base.ts';
import type { Wire } from './session.ts';

/** Returns the name of a request's entity in `Wire.held`. */
export const heldName = ({ endpoint, param }: Pick<ApiRequest, 'endpoint' | 'param'>): string =>
  `${endpointRow(endpoint).resource} ${param}`;

/** True if a request's answer shows the entity that it writes, which others read again. */
const isReadable = ({ endpoint }: ApiRequest): boolean =>
  ['gate', 'qualifying-event'].includes(endpointRow(endpoint).resource) && !endpointRow(endpoint).list;

/** Records an entity from the answer to a write, if others read it again. */
export function noteHeld(held: Wire['held'], answer: Answer): void {
  if (answer.success && answer.own && isReadable(answer.request) && !isDryRun(answer))
    held.set(heldName(answer.request), dataObject(answer));
}

/**
 * Adds to a request the fields that the target demands, as far as the run knows them. They keep the entity's values, or
 * those that a simultaneous request `beside` it writes.
 */
export function acceptable(
  { bases, held }: Pick<Wire, 'bases' | 'held'>,
  request: ApiRequest,
  beside: readonly ApiRequest[],
): ApiRequest {
  const { endpoint, body, raw, asIs } = request;
  const changes = bases.get(endpoint)?.changes ?? [];
  if (changes.length === 0 || asIs === true || raw !== undefined || !isObject(body)) return request;
  const others = beside.filter(
    other => other !== request && other.endpoint === endpoint && other.param === request.param,
  );
  const entity = Object.assign({}, held.get(heldName(request)), ...others.map(other => other.body));
  return { ...request, body: changed(body as JsonObject, changes, field => entity[field] as Json | undefined) };
}

/** Each gate as the answer to the last write showed it. */
export type Gates = Map<string, Members>;

/** Records a gate from the answer to a write, or to a read if nothing is known of the gate. */
export function noteGate(gates: Gates, answer: Answer): void {
  if (!answer.success || !answer.own || endpoints[answer.request.endpoint].collection !== 'gates') return;
  const { param } = answer.request;
  if (param !== undefined && !(isReading(answer.request) && gates.has(param))) gates.set(param, dataObject(answer));
}

/** Records what the answers to simultaneous writes to a gate all show alike. */
export function noteGatesOfCrowd(gates: Gates, answers: readonly Answer[]): void {
  const ofGates = answers.filter(
    ({ success, request: { endpoint } }) => success && endpoints[endpoint].collection === 'gates',
  );
  for (const [gate, [first, ...others]] of grouped(ofGates, ({ request }) => request.param)) {
    if (gate === undefined || first === undefined || others.length === 0) continue;
    const alike = Object.entries(dataObject(first)).filter(([name, value]) =>
      others.every(other => isDeepStrictEqual(dataObject(other)[name], value)),
    );
    gates.set(gate, Object.fromEntries(alike));
  }
}
