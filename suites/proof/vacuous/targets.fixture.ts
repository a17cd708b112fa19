import type { Endpoint } from '../../../contracts/endpoint.ts';
import { endpointRow } from '../../../contracts/endpoints.ts';
import { isObject, type JsonObject } from '../../../contracts/json.ts';
import { operationAt } from '../../../contracts/operation-at.ts';
import { samples } from '../../../contracts/resources/samples.fixture.ts';
import { specificationNaming } from '../../../contracts/target.ts';
import { testKey } from '../testing/reference-run.ts';

/** A request as a vacuous target gets it. */
export interface VacuousRequest {
  readonly method: string;
  /** The path without its query. */
  readonly path: string;
  /** The value of the key header. */
  readonly key: string | undefined;
  /** The body as JSON; undefined if there is none. */
  readonly body: unknown;
  /** The requested operation, and the value of its path parameter. */
  readonly row: Endpoint | undefined;
  readonly param: string;
}

/** An answer: a status, and the body as it is sent. */
export interface VacuousAnswer {
  readonly status: number;
  readonly text: string;
}

/** A server that implements nothing of the API. */
export interface VacuousTarget {
  readonly id: string;
  /** Its behaviour, in words that follow "a server that". */
  readonly title: string;
  readonly answer: (request: VacuousRequest) => VacuousAnswer;
}

const ok = (value: unknown): VacuousAnswer => ({ status: 200, text: JSON.stringify(value) });
const refused = (status: number): VacuousAnswer => ({ status, text: JSON.stringify({ message: 'Refused.' }) });

const noPages = { itemsPerPage: 10, pageNumber: 1, totalItems: 0, nextPage: null, previousPage: null, all: '' };

const empty = (row: Endpoint | undefined, message = ''): VacuousAnswer =>
  ok(row?.list === true ? { message, data: [], pagination: noPages } : { message, data: {} });

/** Returns the sample entity for an operation, with the identity from the path. */
function sampleOf({ resource }: Endpoint, param: string): JsonObject {
  // biome-ignore format: a table
  const known: Partial<Record<Endpoint['resource'], object>> = {
    'gate':             { ...samples.gate, id: param },
    'config':           { ...samples.dynamicConfig, id: param },
    'experiment':       { ...samples.experiment, id: param },
    'qualifying-event': { ...samples.qualifyingEvent, name: param },
    'metric':           { ...samples.metric },
  };
  return (known[resource] ?? {}) as JsonObject;
}

/** Merges what was sent into a constant entity, like a handler that forgets to store. */
function shownAsStored({ row, param, body }: VacuousRequest): VacuousAnswer {
  if (row === undefined) return refused(404);
  if (row.list) return empty(row, row.message ?? 'Done.');
  const sent = isObject(body) ? body : {};
  const identity = row.resource === 'metric' ? { id: `${sent.name}::${sent.type}` } : {};
  return ok({ message: row.message ?? 'Done.', data: { ...sampleOf(row, param), ...sent, ...identity } });
}

const withKey =
  (answer: VacuousTarget['answer']): VacuousTarget['answer'] =>
  request =>
    request.key === testKey ? answer(request) : refused(401);

/** Servers that do nothing, from the simplest to those that most resemble a working one. */
// biome-ignore format: a table
export const vacuousTargets: readonly VacuousTarget[] = [
  { id: 'empty-object',     title: 'answers `{}` to everything',                                              answer: () => ok({}) },
  { id: 'null',             title: 'answers 200 with `null` to everything',                                   answer: () => ok(null) },
  { id: 'no-body',          title: 'answers 200 without a body to everything',                                answer: () => ({ status: 200, text: '' }) },
  { id: 'request-returned', title: 'answers the JSON of the request as the whole answer',                     answer: ({ body }) => ok(body ?? {}) },
  { id: 'body-as-data',     title: 'answers the body of the request as `data`',                               answer: ({ body }) => ok({ message: '', data: body ?? {} }) },
  { id: 'sound-and-empty',  title: 'answers a sound frame with empty `data` to everything',                   answer: ({ row }) => empty(row) },
  { id: 'empty-with-key',   title: 'answers a sound frame with empty `data` to everything that has the key',  answer: withKey(({ row }) => empty(row)) },
  { id: 'first-answer',     title: 'answers to everything what it answered first, a list of two segments',       answer: () => ok({ message: 'Segments listed successfully.', data: [samples.segment, { ...samples.segment, id: 'another' }], pagination: { ...noPages, totalItems: 2 } }) },
  { id: 'one-gate',         title: 'answers one valid gate to everything',                                    answer: () => ok({ message: 'Gate updated successfully.', data: { ...samples.gate, id: 'new_checkout' } }) },
  { id: 'same-entity',      title: 'answers a valid, constant entity to every operation, and lists nothing',  answer: ({ row, param }) => row === undefined || row.list ? empty(row, row?.message ?? '') : ok({ message: row.message ?? '', data: sampleOf(row, param) }) },
  { id: 'nothing-stored',   title: 'answers what it is sent as if it were stored, and stores nothing',        answer: shownAsStored },
  { id: 'nothing-stored-with-key', title: 'answers what has the key as if it were stored, and stores nothing',                             answer: withKey(shownAsStored) },
  { id: 'nothing-found',    title: 'answers 404 with a sound error to everything',                            answer: () => refused(404) },
  { id: 'nothing-allowed',  title: 'answers 401 with a sound error to everything',                            answer: () => refused(401) },
  { id: 'nothing-accepted', title: 'lists nothing, and refuses every write with 400',                         answer: ({ row }) => (row?.list === true ? empty(row, row.message ?? '') : refused(400)) },
];

/** Parses a request as the API would. */
export function readRequest(method: string, url: string, key: string | undefined, text: string): VacuousRequest {
  const path = url.split('?')[0] ?? '';
  const found = operationAt(method, path);
  return {
    method,
    path,
    key,
    body: parsed(text),
    row: found && endpointRow(found.endpoint),
    param: found?.param ?? '',
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The header of the key, in the spelling of Node. */
export const keyHeader = specificationNaming.apiKeyHeader.toLowerCase();
