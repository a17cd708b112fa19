import type { EndpointId } from '../../../contracts/endpoint.ts';
import type { Answer } from '../../api/answer.ts';
import type { ApiRequest, Handler } from '../../api/request.ts';
import type { Defect } from '../fault.ts';
import type { Alteration, Members } from './members.ts';

/** Puts something around the whole of an operation, refusals included. */
export const around =
  (wrap: (handler: Handler, id: EndpointId) => Handler): Defect =>
  () => ({ decorate: (id, handler) => wrap(handler, id) });

/** Puts something around the work of an operation: what it wraps is reached by valid requests with the key only. */
export const aroundWork =
  (wrap: (handler: Handler, id: EndpointId) => Handler): Defect =>
  () => ({ decorateOperation: (id, handler) => wrap(handler, id) });

const isSuccess = ({ status }: Answer): boolean => status >= 200 && status < 300;

/** Changes answers of success. The body is a copy that may be changed in place. */
export const inAnswer = (change: (answer: Answer & { body: Members }, request: ApiRequest) => Answer): Defect =>
  around(handler => async (request, store, settings) => {
    const answer = await handler(request, store, settings);
    if (!isSuccess(answer)) return answer;
    return change({ ...answer, body: structuredClone(answer.body) as Members }, request);
  });

/** Changes the body of success in place, or puts another value in its place. */
export const inBody = (change: (body: Members, request: ApiRequest) => unknown): Defect =>
  inAnswer((answer, request) => ({ ...answer, body: change(answer.body, request) ?? answer.body }));

/** Changes `data` of success in place: of a list every item. The sent body, or nothing, is at hand. */
export const inData = (change: (entity: Members, request: ApiRequest, index: number) => unknown): Defect =>
  inBody((body, request) => {
    const { data } = body;
    for (const [index, entity] of (Array.isArray(data) ? data : [data]).entries())
      change(entity as Members, request, index);
  });

/** Changes one member of `data` (or of each item). */
export const shows = (alteration: Alteration): Defect => inData(entity => alteration(entity));

/** Changes one member of the third item of a list and after: what a check of the first item never sees. */
export const showsLater = (alteration: Alteration): Defect =>
  inData((entity, _request, index) => {
    if (index >= 2) alteration(entity);
  });

/** Answers in another way than the operation, where `instead` gives an answer. */
export const instead = (answer: (request: ApiRequest) => Answer | Promise<Answer> | undefined): Defect =>
  around(handler => async (request, store, settings) => (await answer(request)) ?? handler(request, store, settings));

/** The body of a request as an object; an empty one where it is none. */
export const sentBy = ({ body }: ApiRequest): Members =>
  typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Members) : {};
