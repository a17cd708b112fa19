import type { EndpointId } from '../../contracts/endpoints.ts';
import type { Json } from '../../contracts/json.ts';
import type { Level, Profile } from '../../contracts/report/journal.ts';

/** The key that a request carried, as far as it matters to a comparison: never its value. */
export type RecordedKey = 'valid' | 'none' | 'other';

/** One exchange of a run, in the specification's names, bounded, and free of secrets. */
export interface RecordedExchange {
  /** `endpoint/check#path`, with `.n` from the second request of a case on. */
  readonly id: string;
  readonly endpoint: EndpointId;
  readonly request: {
    readonly method: string;
    /** As it went on the wire, relative to the base URL. */
    readonly path: string;
    readonly param?: string;
    readonly query?: Readonly<Record<string, string | number>>;
    /** The body that was sent, names stamped; absent where there was none. */
    readonly body?: Json;
    /** The beginning of a body that was sent as it is. */
    readonly raw?: string;
    readonly key: RecordedKey;
    /** The OPEN requirement that the request asks about. */
    readonly asks?: string;
    /** False of a request with another method or path than its operation has. */
    readonly own: boolean;
  };
  /** 0 where there was no answer. */
  readonly status: number;
  readonly failure?: string;
  /** The media type without its parameters, in lower case. */
  readonly mediaType?: string;
  /** The JSON value of the answer; absent where there is none, or where it is too large to be kept. */
  readonly value?: Json;
  /** The beginning of a body that is no JSON, or too large. */
  readonly text?: string;
  /** The value is left out because it is too large. */
  readonly isTooLong?: true;
  /** When it went on the wire and when its answer was there, in milliseconds of a clock that never goes back. */
  readonly begunMs?: number;
  readonly answeredMs?: number;
}

/** A broken requirement, and the exchange that showed it. */
export interface RecordedBreach {
  /** The id of the exchange. */
  readonly id: string;
  readonly requirement: string;
  readonly level: Level;
  readonly pointer: string;
  readonly expected: string;
  readonly actual: string;
}

/** What a run did and saw, in the form in which it is compared and kept. */
export interface Recording {
  readonly version: 1;
  /** The version of this program, which decides what is sent. */
  readonly tool: string;
  readonly baseUrl: string;
  readonly seed: number;
  readonly profile: Profile;
  readonly readOnly: boolean;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  /** What marks the names of all that the run created. */
  readonly token: string;
  /** How the run ended, and why before its end. */
  readonly outcome: string;
  readonly because?: string;
  readonly requests: number;
  /** The title of each case, by `endpoint/check#path`. */
  readonly titles: Readonly<Record<string, string>>;
  /** Of a case about one field of the body: the JSON Pointer to it, by `endpoint/check#path`. */
  readonly pointers: Readonly<Record<string, string>>;
  readonly exchanges: readonly RecordedExchange[];
  /** What was sent again, to be shrunk or confirmed, under the id of the first time; absent where it was not noted. */
  readonly again?: readonly RecordedExchange[];
  readonly breaches: readonly RecordedBreach[];
  /** `endpoint/check` of what could not be tested, and why. */
  readonly untested: Readonly<Record<string, string>>;
}

/** Whether an answer accepts its request, as far as its status tells. */
export const isAcceptedStatus = ({ status }: Pick<RecordedExchange, 'status'>): boolean =>
  status >= 200 && status < 300;
