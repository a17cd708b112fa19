import { isDeepStrictEqual } from 'node:util';
import { endpointRow, endpoints } from '../../contracts/endpoints.ts';
import { grouped } from '../../contracts/grouped.ts';
import { isObject, type Json, type JsonObject, type Members } from '../../contracts/json.ts';
import { type Answer, type ApiRequest, dataObject, isDryRun, isReading } from '../protocol/answer.ts';
import { changed } from '../protocol/base.ts';
import type { Wire } from './session.ts';

/** What an entity that a request is about is called in `Wire.held`. */
export const heldName = ({ endpoint, param }: Pick<ApiRequest, 'endpoint' | 'param'>): string =>
  `${endpointRow(endpoint).resource} ${param}`;

/** True of a request whose answer shows the one entity that it writes to, where others read it again. */
const isReadable = ({ endpoint }: ApiRequest): boolean =>
  ['gate', 'qualifying-event'].includes(endpointRow(endpoint).resource) && !endpointRow(endpoint).list;

/** Notes an entity that others read again, as the answer to a write shows it. */
export function noteHeld(held: Wire['held'], answer: Answer): void {
  if (answer.success && answer.own && isReadable(answer.request) && !isDryRun(answer))
    held.set(heldName(answer.request), dataObject(answer));
}

/**
 * A request as the target takes it: with what it demands, where the run knows of that. Entities keep what they hold, or
 * what a request `beside` it gives them at the same moment.
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

/** Notes a gate as the answer to a write shows it; of a read, where nothing is known of the gate. */
export function noteGate(gates: Gates, answer: Answer): void {
  if (!answer.success || !answer.own || endpoints[answer.request.endpoint].collection !== 'gates') return;
  const { param } = answer.request;
  if (param !== undefined && !(isReading(answer.request) && gates.has(param))) gates.set(param, dataObject(answer));
}

/** Of a gate that several wrote to at once it is known what all their answers show alike. */
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
