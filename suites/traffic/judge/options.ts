import type { Shown } from '../../../contracts/redaction/shown.ts';
import type { RunEvent } from '../../../contracts/report/journal.ts';
import type { TrafficOptions } from '../../../contracts/report/traffic.ts';
import type { Naming } from '../../../contracts/target.ts';
import type { SeenBreach, Unjudged } from '../exchange/breach.ts';
import type { ExpectedBreach } from './expected-breaches.ts';

/** What traffic is judged with. */
export interface TrafficJudgeOptions {
  /** The base URL of the server; paths of exchanges stand below it. */
  readonly baseUrl: URL;
  /** Names that differ from those of the specification. */
  readonly naming?: Partial<Naming>;
  /** The key, where it is known: then it is recognised wherever it is sent. Keys that are sent are redacted anyway. */
  readonly apiKey?: string;
  /**
   * False where the recording leaves out keys, so that an absent one is not missing. True when absent: a header that is
   * not there was not sent.
   */
  readonly keysSeen?: boolean;
  /** Nobody but the observed clients writes. False when absent: what contradicts earlier answers is then a warning. */
  readonly soleWriter?: boolean;
  /** False where only requests are of interest. True when absent: answers are held against earlier ones. */
  readonly judgesState?: boolean;
  /** So long what was written may take to show, in milliseconds; 2,000 when absent. */
  readonly settleMs?: number;
  /** Whose breaches fail; both when absent. */
  readonly failOn?: TrafficOptions['failOn'];
  /** Breaches that the client makes on purpose. */
  readonly expected?: readonly ExpectedBreach[];
  /** The file that they stand in. */
  readonly expectedFile?: string;
  /** True where the embedded reference server answers. */
  readonly embedded?: boolean;
  /** Where the traffic is taken from. */
  readonly sources?: readonly string[];
  /** A broken SHOULD fails too. */
  readonly strict?: boolean;
  /** When the observation began, as ISO 8601 text; now when absent. For reports alone. */
  readonly startedAt?: string;
  /** Takes the events of the run, one after another. */
  readonly emit: (event: Shown<RunEvent>) => void;
  /** Told of each breach at once. */
  readonly onBreach?: (breach: SeenBreach) => void;
  /**
   * Told at once of each side of an exchange that could not be judged: whoever lets only what is right pass has to know
   * what nobody has looked at. Paths outside the API are none, unless a server may read them as others.
   */
  readonly onUnjudged?: (one: Unjudged) => void;
}
