import { isDeepStrictEqual } from 'node:util';
import { endpoints } from '../../contracts/endpoints.ts';
import { isObject, type Members } from '../../contracts/json.ts';
import { type Answer, dataObject } from '../protocol/answer.ts';

/** Each gate as the answer to the last write showed it. */
export type Gates = Map<string, Members>;

/** Notes a gate as the answer to a write shows it; of a read, where nothing is known of the gate. */
export function noteGate(gates: Gates, answer: Answer): void {
  if (!answer.success || !answer.own || endpoints[answer.request.endpoint].collection !== 'gates') return;
  const { param, body } = answer.request;
  const isRead = isObject(body) && Object.keys(body).length === 0;
  if (param !== undefined && !(isRead && gates.has(param))) gates.set(param, dataObject(answer));
}

/** Of a gate that several wrote to at once it is known what all their answers show alike. */
export function noteGatesOfCrowd(gates: Gates, answers: readonly Answer[]): void {
  const byGate = new Map<string, Answer[]>();
  for (const answer of answers) {
    const { endpoint, param } = answer.request;
    if (!answer.success || endpoints[endpoint].collection !== 'gates' || param === undefined) continue;
    byGate.set(param, [...(byGate.get(param) ?? []), answer]);
  }
  for (const [gate, [first, ...others]] of byGate) {
    if (first === undefined || others.length === 0) continue;
    const alike = Object.entries(dataObject(first)).filter(([name, value]) =>
      others.every(other => isDeepStrictEqual(dataObject(other)[name], value)),
    );
    gates.set(gate, Object.fromEntries(alike));
  }
}
