import type { Endpoint } from '../../contracts/endpoint.ts';
import { type EndpointId, endpointRow, endpoints } from '../../contracts/endpoints.ts';
import type { Json, JsonObject } from '../../contracts/json.ts';
import { givenAnswer } from '../proof/testing/answers.ts';
import type { ApiRequest } from '../protocol/answer.ts';
import type { ModelOptions } from './exchange.ts';
import { createModel } from './interpret.ts';
import { isFirm, type Suspicion } from './suspicion.ts';

/** A read operation that the specification lacks; a custom table of endpoints may have one. */
export const readGate = 'read-gate' as EndpointId;
const readGateRow: Endpoint = {
  ...endpoints['patch-gate'],
  method: 'GET',
  title: 'Read Gate',
  action: 'read',
  effect: 'read',
  body: null,
  message: null,
};

/** The parts of an answer that a model reads. */
export interface Shown {
  readonly status?: number;
  readonly data?: unknown;
  readonly pagination?: JsonObject;
}

/** Tells a model of exchanges, ten milliseconds apart, and keeps its suspicions. */
export function tell(options: Partial<ModelOptions> = {}) {
  const model = createModel({
    settleMs: 0,
    token: 'ours',
    rowOf: id => (id === readGate ? readGateRow : endpointRow(id)),
    ...options,
  });
  const suspicions: Suspicion[] = [];
  const covers = new Set<string>();
  const asked = new Map<number, { request: ApiRequest; sent: Json | undefined }>();
  let number = 0;
  let atMs = 0;
  function begin(request: ApiRequest): number {
    number += 1;
    atMs += 10;
    asked.set(number, { request, sent: request.body });
    model.interpret({ kind: 'begun', number, atMs, request, sent: request.body });
    return number;
  }
  function answer(of: number, { status = 200, data, pagination }: Shown, lost: readonly number[] = []): void {
    const { request, sent } = asked.get(of) as { request: ApiRequest; sent: Json | undefined };
    atMs += 10;
    const value = { message: 'Done.', data, ...(pagination === undefined ? {} : { pagination }) };
    const { endpoint: _, ...more } = request;
    const given = givenAnswer({ status, value, request: more, ...(sent === undefined ? {} : { sent }) });
    const told = model.interpret({
      kind: 'answered',
      number: of,
      lost,
      atMs,
      answer: { ...given, request },
    });
    suspicions.push(...told.suspicions);
    for (const one of [...told.covers.values()].flatMap(all => [...all])) covers.add(one);
  }
  return {
    begin,
    answer,
    /** Begins and ends an exchange with nothing else in flight. */
    exchange: (request: ApiRequest, shown: Shown): void => answer(begin(request), shown),
    wait(ms: number): void {
      atMs += ms;
    },
    suspicions,
    covers,
    size: model.size,
    /** Returns one line per suspicion: `firm` or the excuses, the kind, the place, the first requirement. */
    said: () =>
      suspicions.map(one => {
        const excuses = one.isExplained ? 'explained' : isFirm(one) ? 'firm' : [...one.excuses].sort().join('+');
        return [excuses, one.kind, one.id, one.field, one.requirements[0]].filter(part => part !== '').join(' ');
      }),
  };
}

/** A gate as answers show it. */
export const gate = (id: string, more: JsonObject = {}): JsonObject => ({
  id,
  name: `Gate ${id}`,
  description: `All about ${id}`,
  type: 'TEMPORARY',
  isEnabled: true,
  tags: [`tag-of-${id}`],
  ...more,
});

/** A patch of a gate. */
export const patch = (param: string, body: JsonObject = {}): ApiRequest => ({ endpoint: 'patch-gate', param, body });
