import type { EndpointId } from '../../../contracts/endpoints.ts';
import { endpointRow } from '../../../contracts/endpoints.ts';
import type { Json } from '../../../contracts/json.ts';
import type { RecordedBreach, RecordedExchange, Recording } from './recording.ts';

/** The given parts of an exchange; the rest is that of an accepted request to the operation. */
export interface Made {
  readonly id: string;
  readonly endpoint?: EndpointId;
  readonly body?: Json;
  readonly param?: string;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly status?: number;
  readonly value?: Json;
  readonly request?: Partial<RecordedExchange['request']>;
  readonly failure?: string;
}

/** Returns an exchange. */
export function exchange({ id, endpoint = 'patch-gate', status = 200, request, ...made }: Made): RecordedExchange {
  const { method, path } = endpointRow(endpoint);
  const { body, param, query, value, failure } = made;
  return {
    id,
    endpoint,
    request: {
      method,
      path,
      key: 'valid',
      own: true,
      ...(body === undefined ? {} : { body }),
      ...(param === undefined ? {} : { param }),
      ...(query === undefined ? {} : { query }),
      ...request,
    },
    status,
    mediaType: 'application/json',
    ...(value === undefined ? {} : { value }),
    ...(failure === undefined ? {} : { failure }),
  };
}

/** Returns the answer to an accepted request with an entity, or with the items of a list. */
export const shows = (data: Json, rest: { readonly [name: string]: Json } = {}): Json => ({
  message: 'Done.',
  data,
  ...rest,
});

/** Returns a recording of these exchanges; each id gives the case. */
export const recording = (
  token: string,
  exchanges: readonly RecordedExchange[],
  rest: Partial<Recording> & { readonly breaches?: readonly RecordedBreach[] } = {},
): Recording => ({
  version: 1,
  tool: '1',
  baseUrl: `http://${token}.example`,
  seed: 1,
  profile: 'quick',
  readOnly: false,
  only: [],
  skip: [],
  token,
  outcome: 'complete',
  requests: exchanges.length,
  titles: Object.fromEntries(exchanges.map(({ id }) => [id.replace(/\.\d+$/, ''), `the case ${id}`])),
  pointers: {},
  exchanges,
  breaches: [],
  untested: {},
  ...rest,
});
