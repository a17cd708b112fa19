import type { Endpoint } from '../../contracts/endpoint.ts';
import { type EndpointId, endpoints } from '../../contracts/endpoints.ts';
import { isObject, type Json, type JsonObject, membersOf, parsedJson } from '../../contracts/json.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import type { Reply } from './reply.ts';

/** The key of a request: the right one, none, another value, or the right one in a header with another spelling. */
export type KeyUse =
  | { readonly kind: 'valid' }
  | { readonly kind: 'none' }
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'spelled'; readonly header: string };

/** A request in words, and the one place in which it differs from its control. */
export interface RequestDescription {
  readonly title: string;
  /** JSON Pointer (RFC 6901) into the body. */
  readonly pointer: string;
  readonly sent?: Json | undefined;
}

/** Another way to write the same request, with the same meaning. */
export interface Spelling {
  /** Serialises the body as JSON in another way. */
  readonly write?: (body: Json) => string;
  /** Spells a header name, whose letter case means nothing (RFC 9110 section 5.1). */
  readonly header?: (name: string) => string;
  /** Omits `Accept`, which means that any answer is welcome (RFC 9110 section 12.5.1). */
  readonly noAccept?: true;
  /** Sends the body in chunks, without its length (RFC 9112 section 7.1). */
  readonly chunked?: true;
  /**
   * Percent-encodes a character of the path parameter that needs no encoding, which means nothing, with hexadecimal
   * digits in this letter case, which means nothing either (RFC 3986 sections 2.1 and 2.3).
   */
  readonly encodesMore?: 'upper' | 'lower';
}

/** A request in the specification's terms; by default with the right key. */
export interface ApiRequest {
  readonly endpoint: EndpointId;
  /** Path parameter, encoded by the session. */
  readonly param?: string | undefined;
  /** Replaces the encoded path after the base URL. The request is not judged as one of the endpoint. */
  readonly rawPath?: string;
  readonly query?: Readonly<Record<string, string | number>>;
  /** Replaces the endpoint's method. The request is not judged as one of the endpoint. */
  readonly method?: string;
  readonly body?: Json | undefined;
  /** A body sent verbatim, instead of `body`. */
  readonly raw?: string | Buffer;
  /** Content type of the body; null sends none. */
  readonly contentType?: string | null;
  readonly key?: KeyUse;
  /** An open requirement for which to record the answer's status, and a description of what was sent. */
  readonly asks?: { readonly requirement: RequirementId; readonly subject: string };
  readonly headers?: Readonly<Record<string, string>>;
  /** No passive check judges it, because the specification does not cover what it asks. */
  readonly unobserved?: true;
  /** Ids of passive checks to skip. The sending check calls them itself on the relevant part of a large answer. */
  readonly judgedApart?: readonly string[];
  /** Description for findings, if it is only a part of its case. */
  readonly about?: RequestDescription;
  /** Its spelling; absent: as most clients write it. */
  readonly spelling?: Spelling;
  /** It is sent without what the target was found to demand, see `Base`. */
  readonly asIs?: true;
  /** It sends what the entity had when last seen, only to have it shown: the target refuses an empty patch. */
  readonly toRead?: true;
  /**
   * The verdict does not depend on it: it is not sent if the creation budget is needed for others. `examining`: it only
   * makes a finding smaller, or repeats what is a warning at most, and leaves more to them.
   */
  readonly spare?: boolean | 'examining';
  /** Members that overlapping requests also send: the answer may show their values. */
  readonly contested?: readonly string[];
  /** The only members of the body whose effect is stated, because their values may change the others. Absent: all. */
  readonly onlyJudged?: readonly string[];
}

/** True if a request carries the right key, as far as the suite knows. */
export const usesKey = ({ key = { kind: 'valid' } }: ApiRequest): boolean =>
  key.kind === 'valid' || key.kind === 'spelled';

/**
 * True if the request only reads: an empty patch shows a gate (section 4.6). An empty body of any other operation is a
 * write.
 */
export const isReading = ({ endpoint, body }: ApiRequest): boolean =>
  endpoints[endpoint].method === 'GET' ||
  (endpoints[endpoint].action === 'patch' && isObject(body) && Object.keys(body).length === 0);

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
  /** True if the request used the method and path of an operation of the API, whatever the body. */
  readonly own: boolean;
  /** True if `data` lacks items of the list that came, as only so many of one list are judged. */
  readonly isCut?: true;
}

/**
 * True for a success with a sound frame (section 1): an object with a `message`, `data` of the right shape, and
 * `pagination` in a list. Only such an answer accepts a request, because nothing in a broken frame can be trusted.
 */
export const isAccepted = (answer: Answer): boolean => isAcceptedBy(endpoints[answer.request.endpoint], answer);

/** The same for a given row. */
export function isAcceptedBy(
  { list }: Pick<Endpoint, 'list'>,
  { success, value, data }: Pick<Answer, 'success' | 'value' | 'data'>,
): boolean {
  if (!success || !isObject(value) || typeof value.message !== 'string') return false;
  return list ? Array.isArray(data) && isObject(value.pagination) : isObject(data);
}

/** True if an answer refuses the key (RFC 9110 sections 15.5.2 and 15.5.4). */
export const isKeyRefusal = (answer: Answer): boolean => answer.status === 401 || answer.status === 403;

/** True if no answer came. An answer that is too long to read is still an answer. */
export const isSilence = ({ reply: { failure } }: Answer): boolean => failure !== null && failure.kind !== 'too-large';

/** Returns an answer in a finding's words: its status, or why there is none. */
export function outcomeOf(answer: Answer): string {
  return answer.reply.failure ? answer.reply.failure.message : `status ${answer.status}`;
}

/** Returns `data` as an object; an empty one if it is none. */
export const dataObject = ({ data }: Answer): Readonly<JsonObject> => membersOf(data);

/** Returns the items of `data` in a list, else `data` itself, of any type, each with its pointer. */
export function itemsOf(
  { data }: { readonly data?: unknown },
  { list }: Endpoint,
): readonly { item: unknown; pointer: string }[] {
  if (!list) return [{ item: data, pointer: '/data' }];
  return (Array.isArray(data) ? data : []).map((item, index) => ({ item, pointer: `/data/${index}` }));
}

/** Returns a request's body as a value: a raw body is parsed; undefined if it is not JSON. */
export function bodyValue({ body, raw }: ApiRequest): unknown {
  return raw === undefined ? body : parsedJson(raw.toString());
}

/** True if the request was a dry run; the text decides for a raw body. */
export const isDryRun = ({ sent, request }: Pick<Answer, 'sent' | 'request'>): boolean =>
  request.raw === undefined
    ? membersOf(sent).dryRun === true
    : /"dryRun"\s*:\s*true/.test(request.raw.toString('latin1'));

/** Returns the parts of an answer that derive from the reply; `value` is its body, in the specification's names. */
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
