import type { Shown } from '../../../contracts/redaction/shown.ts';
import type { RunEvent } from '../../../contracts/report/journal.ts';
import type { TrafficOptions } from '../../../contracts/report/traffic.ts';
import type { Naming } from '../../../contracts/target.ts';
import type { SeenBreach, Unjudged } from '../exchange/breach.ts';
import type { ExpectedBreach } from './expected-breaches.ts';

/** Options for judging traffic. */
export interface TrafficJudgeOptions {
  /** The base URL of the server; the paths of exchanges are relative to it. */
  readonly baseUrl: URL;
  /** Names that differ from those of the specification. */
  readonly naming?: Partial<Naming>;
  /** The key, if known: it is then recognised wherever it is sent. Keys in the traffic are redacted in any case. */
  readonly apiKey?: string;
  /**
   * False if the recording leaves keys out, so that an absent key does not count as missing. Default true: an absent
   * header was not sent.
   */
  readonly keysSeen?: boolean;
  /** True if only the observed clients write. Default false: contradicting earlier answers is then a warning. */
  readonly soleWriter?: boolean;
  /** False to judge requests only. Default true: answers are compared with earlier ones. */
  readonly judgesState?: boolean;
  /** Maximum time until a write must show, in milliseconds; default 2,000. */
  readonly settleMs?: number;
  /** The side whose breaches fail; default both. */
  readonly failOn?: TrafficOptions['failOn'];
  /** Breaches that the client makes on purpose. */
  readonly expected?: readonly ExpectedBreach[];
  /** The file of the expected breaches. */
  readonly expectedFile?: string;
  /** True if the embedded reference server answers. */
  readonly embedded?: boolean;
  /** The origins of the traffic. */
  readonly sources?: readonly string[];
  /** True if a broken SHOULD fails too. */
  readonly strict?: boolean;
  /** When the observation began, as ISO 8601 text; default now. Only reports use it. */
  readonly startedAt?: string;
  /** Takes the events of the run, one by one. */
  readonly emit: (event: Shown<RunEvent>) => void;
  /** Called at once for each breach. */
  readonly onBreach?: (breach: SeenBreach) => void;
  /**
   * Called at once for each side of an exchange that could not be judged, because a gate must know what was not
   * examined. Paths outside the API do not count, unless a server may read them as paths of the API.
   */
  readonly onUnjudged?: (one: Unjudged) => void;
}
