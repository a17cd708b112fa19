import type { EndpointId } from '../../contracts/endpoint.ts';
import type { Infer } from '../../contracts/infer.ts';
import type { pagination } from '../../contracts/resources/index.ts';
import type { Answer } from '../api/answer.ts';
import type { Hooks } from '../api/hooks.ts';
import type { ApiRequest } from '../api/request.ts';
import type { Reader } from '../store/store.ts';

/** Small decorators over whole operations, of which the rows of the dialects are made. */

export type Pagination = Infer<typeof pagination>;
/** The body of a success (section 1). */
export interface Success {
  readonly message: string;
  readonly data: unknown;
  readonly pagination?: Pagination;
}
/** An entity of an answer: `data`, or one item of it. */
export type Entity = Readonly<Record<string, unknown>>;

const isSuccess = ({ status }: Answer): boolean => status >= 200 && status < 300;

/** Changes every success. */
export const onSuccess = (
  change: (body: Success, request: ApiRequest) => Success,
  status?: number,
): Pick<Hooks, 'decorate'> => ({
  decorate: (_id, handler) => async (request, store, settings) => {
    const answer = await handler(request, store, settings);
    return isSuccess(answer)
      ? { ...answer, status: status ?? answer.status, body: change(answer.body as Success, request) }
      : answer;
  },
});

/** Answers another code of success. */
export const successStatus = (status: number) => onSuccess(body => body, status);

/** Changes every entity of every success: `data` itself, or each of its items. */
export const onEntity = (change: (entity: Entity, request: ApiRequest) => Entity) =>
  onSuccess((body, request) => ({
    ...body,
    data: Array.isArray(body.data)
      ? body.data.map(item => change(item as Entity, request))
      : change(body.data as Entity, request),
  }));

/** Changes the pagination of every list. */
export const onPagination = (change: (pagination: Pagination, request: ApiRequest) => Partial<Pagination>) =>
  onSuccess((body, request) =>
    body.pagination === undefined
      ? body
      : { ...body, pagination: { ...body.pagination, ...change(body.pagination, request) } },
  );

/** Changes every request whose body could be read before anything of it is looked at but the path. */
export const onRequest = (change: (request: ApiRequest) => ApiRequest): Pick<Hooks, 'decorate'> => ({
  decorate: (_id, handler) => (request, store, settings) => handler(change(request), store, settings),
});

/** Answers instead of the operation, once key and body are found right, where `answer` gives one. */
export const instead = (
  answer: (request: ApiRequest, store: Reader, id: EndpointId) => Answer | undefined | Promise<Answer | undefined>,
): Pick<Hooks, 'decorateOperation'> => ({
  decorateOperation: (id, handler) => async (request, store, settings) =>
    (await answer(request, store, id)) ?? handler(request, store, settings),
});
