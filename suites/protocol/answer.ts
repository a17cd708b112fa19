import type { Endpoint } from '../../contracts/endpoint.ts';
import { type EndpointId, endpoints } from '../../contracts/endpoints.ts';
import { isObject, type Json, type Members, membersOf } from '../../contracts/json.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import type { Reply } from './reply.ts';

/** The key of a request: the right one, none, another value, or the right one under another spelling of the header. */
export type KeyUse =
  | { readonly kind: 'valid' }
  | { readonly kind: 'none' }
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'spelled'; readonly header: string };

/** A request in words, and the one place in which it differs from an accepted one. */
export interface RequestDescription {
  readonly title: string;
  /** JSON Pointer (RFC 6901) into the body. */
  readonly pointer: string;
  readonly sent?: Json | undefined;
}

/** Another way to write the same request, which changes nothing of what it says. */
export interface Spelling {
  /** Writes the body as JSON in another way. */
  readonly write?: (body: Json) => string;
  /** Spells the name of a header, of which the letter case means nothing (RFC 9110 section 5.1). */
  readonly header?: (name: string) => string;
  /** Leaves `Accept` out: whatever comes is welcome (RFC 9110 section 12.5.1). */
  readonly noAccept?: true;
  /** Sends the body in chunks, without its length (RFC 9112 section 7.1). */
  readonly chunked?: true;
}

/** A request in the specification's terms. Everything but the key defaults to the minimal request of the endpoint. */
export interface ApiRequest {
  readonly endpoint: EndpointId;
  /** Path parameter, encoded by the session. */
  readonly param?: string | undefined;
  /** The path instead, encoded, after the base URL. Such a request is not judged as one of the endpoint's own. */
  readonly rawPath?: string;
  readonly query?: Readonly<Record<string, string | number>>;
  /** Another method than the endpoint's. Such a request is not judged as one of the endpoint's own. */
  readonly method?: string;
  readonly body?: Json | undefined;
  /** A body that is sent as it is, instead of `body`. */
  readonly raw?: string | Buffer;
  /** Content type of the body; null sends none. */
  readonly contentType?: string | null;
  readonly key?: KeyUse;
  /** An open requirement for which the status of the answer is to be noted, and what was sent, in words. */
  readonly asks?: { readonly requirement: RequirementId; readonly subject: string };
  readonly headers?: Readonly<Record<string, string>>;
  /** No passive check judges it: it asks what the specification says nothing of. */
  readonly unobserved?: true;
  /**
   * Ids of passive checks that the check which sends it asks by itself. It carries much at once: they are shown the part of
   * it that matters instead.
   */
  readonly judgedApart?: readonly string[];
  /** What it is, where it is a part of what its case is about: a finding says this of it. */
  readonly about?: RequestDescription;
  /** How it is written; absent: as most clients would. */
  readonly spelling?: Spelling;
  /** It is sent without what the target was found to demand, see `Base`. */
  readonly asIs?: true;
  /** The verdict does not hang on it: not sent where what may still be created is needed for others. */
  readonly spare?: boolean;
  /** Members of the body that others send as well at the same moment: what comes back of them may be theirs. */
  readonly contested?: readonly string[];
}

/** True of a request with the right key, as far as the suite knows. */
export const usesKey = ({ key = { kind: 'valid' } }: ApiRequest): boolean =>
  key.kind === 'valid' || key.kind === 'spelled';

/** True of a request that only shows: a gate is shown by an empty patch (section 4.6). */
export const isReading = ({ endpoint, body }: ApiRequest): boolean =>
  endpoints[endpoint].method === 'GET' || (isObject(body) && Object.keys(body).length === 0);

/** An answer in the specification's terms. */
export interface Answer {
  /** `endpoint/check#path`, with `.n` from the second request of a case on. */
  readonly id: string;
  readonly request: ApiRequest;
  /** The body that was sent, names stamped, in the specification's names. */
  readonly sent: Json | undefined;
  readonly reply: Reply;
  readonly status: number;
  /** True of a 2xx status. */
  readonly success: boolean;
  /** The JSON value, in the specification's names; undefined when there is none. */
  readonly value: unknown;
  /** `data` of the value, if it is an object that has one. */
  readonly data: unknown;
  /** True when it answers one of the operations of the API as such: its method, its path, whatever the body. */
  readonly own: boolean;
}

/**
 * True of a success with a sound frame (section 1): an object with a `message`, with `data` of the shape that the
 * operation has, and with `pagination` where it is a list. Only such an answer accepts a request: of what stands in a
 * broken frame nothing can be told.
 */
export const isAccepted = (answer: Answer): boolean => isAcceptedBy(endpoints[answer.request.endpoint], answer);

/** The same of an operation whose row is at hand. */
export function isAcceptedBy(
  { list }: Pick<Endpoint, 'list'>,
  { success, value, data }: Pick<Answer, 'success' | 'value' | 'data'>,
): boolean {
  if (!success || !isObject(value) || typeof value.message !== 'string') return false;
  return list ? Array.isArray(data) && isObject(value.pagination) : isObject(data);
}

/** True of an answer that refuses the key (RFC 9110 sections 15.5.2 and 15.5.4). */
export const isKeyRefusal = (answer: Answer): boolean => answer.status === 401 || answer.status === 403;

/** True where no answer came. One that is too long to be read is an answer. */
export const isSilence = ({ reply: { failure } }: Answer): boolean => failure !== null && failure.kind !== 'too-large';

/** How an answer reads in a finding: its status, or why there is none. */
export function outcomeOf(answer: Answer): string {
  return answer.reply.failure === null ? `status ${answer.status}` : answer.reply.failure.message;
}

/** `data` as an object; an empty one when it is none. */
export const dataObject = ({ data }: Pick<Answer, 'data'>): Members => membersOf(data);

/** What an answer shows, of any type: the items of `data` where it is a list, else `data`, each with its pointer. */
export function itemsOf({ data }: Answer, { list }: Endpoint): readonly { item: unknown; pointer: string }[] {
  if (!list) return [{ item: data, pointer: '/data' }];
  return (Array.isArray(data) ? data : []).map((item, index) => ({ item, pointer: `/data/${index}` }));
}

/** The body of a request as a value: parsed where it is sent as it is; undefined where it is none. */
export function bodyValue({ body, raw }: Pick<ApiRequest, 'body' | 'raw'>): unknown {
  if (raw === undefined) return body;
  try {
    return JSON.parse(raw.toString());
  } catch {
    return undefined;
  }
}

/** True when the request said that nothing was to be persisted; of a body that was sent as it is, by its text. */
export const isDryRun = ({ sent, request }: Pick<Answer, 'sent' | 'request'>): boolean =>
  request.raw === undefined
    ? membersOf(sent).dryRun === true
    : /"dryRun"\s*:\s*true/.test(request.raw.toString('latin1'));

/** What an answer shows by its reply alone; `value` is that of its body, in the specification's names. */
export const replied = (
  reply: Reply,
  value: unknown,
): Pick<Answer, 'reply' | 'status' | 'success' | 'value' | 'data'> => ({
  reply,
  status: reply.status,
  success: reply.status >= 200 && reply.status < 300,
  value,
  data: membersOf(value).data,
});
