import { endpoints } from '../../../contracts/endpoints.ts';
import type { RunEvent } from '../../../contracts/report/journal.ts';
import type { Report } from '../../../contracts/report/report.ts';
import { allRequirements } from '../../../contracts/requirements/index.ts';
import { samples } from '../../../contracts/resources/samples.fixture.ts';
import { foldJournal } from '../../../reports/index.ts';
import {
  createTrafficJudge,
  type ObservedBody,
  type ObservedExchange,
  type ObservedHeaders,
  type TrafficJudgeOptions,
  type Unknown,
} from '../../traffic/index.ts';

/** The key of the clients of the tests. */
export const clientKey = 'Client-Key-of-the-tests';

/** The parts of an exchange that a test specifies. */
export interface GivenExchange {
  readonly method?: string;
  /** Path and query. */
  readonly target?: string;
  /** Headers added to, or replacing, the key and the content type; null removes one. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** A JSON value; `raw` is sent literally. */
  readonly body?: unknown;
  readonly raw?: string;
  readonly requestBody?: ObservedBody | Unknown | null;
  readonly requestHeaders?: ObservedHeaders | Unknown;
  readonly status?: number;
  readonly answer?: unknown;
  readonly answerText?: string;
  readonly answerBody?: ObservedBody | Unknown | null;
  readonly answerHeaders?: ObservedHeaders | Unknown;
  readonly failure?: string;
  readonly beganAtMs?: number;
  readonly sentAtMs?: number;
  readonly answeredAtMs?: number;
}

/** Returns the bytes of a text as an observed body. */
export const bytesOf = (text: string): ObservedBody => {
  const bytes = Buffer.from(text);
  return { bytes, length: bytes.length, isCut: false };
};

const whole = (value: unknown, text?: string): ObservedBody | null =>
  text !== undefined ? bytesOf(text) : value === undefined ? null : bytesOf(JSON.stringify(value));

/** Returns an observed exchange with ordinary values for everything that is not given. */
export function givenExchange(given: GivenExchange, number = 1): ObservedExchange {
  const body = given.requestBody === undefined ? whole(given.body, given.raw) : given.requestBody;
  const usual: Record<string, string | null> = {
    'SERVICE-API-KEY': clientKey,
    ...(body === null ? {} : { 'content-type': 'application/json' }),
    ...given.headers,
  };
  const headers = Object.entries(usual).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
  const answer = given.answerBody === undefined ? whole(given.answer, given.answerText) : given.answerBody;
  const sentAtMs = given.sentAtMs ?? number * 10_000;
  return {
    number,
    source: 'test',
    request: {
      method: given.method ?? 'GET',
      target: given.target ?? '/console/v1/segments',
      headers: given.requestHeaders ?? headers,
      body,
    },
    response:
      given.failure === undefined
        ? {
            status: given.status ?? 200,
            headers: given.answerHeaders ?? [['content-type', 'application/json']],
            body: answer,
          }
        : { failure: given.failure },
    ...(given.beganAtMs === undefined ? {} : { beganAtMs: given.beganAtMs }),
    sentAtMs,
    answeredAtMs: given.answeredAtMs ?? sentAtMs + 5,
  };
}

/** What the judge reported about traffic. */
export interface JudgedTraffic {
  readonly events: readonly RunEvent[];
  readonly report: Report;
  /** `side requirement pointer`, each once, in the order of the report. */
  readonly found: readonly string[];
  /** `requirement subject` of each note. */
  readonly notes: readonly string[];
  readonly remembered: number;
}

/** Judges exchanges one after another. */
export function judgedTraffic(
  exchanges: Iterable<ObservedExchange>,
  options: Partial<TrafficJudgeOptions> = {},
): JudgedTraffic {
  const events: RunEvent[] = [];
  const judge = createTrafficJudge({
    baseUrl: new URL('http://api.invalid'),
    startedAt: '2026-01-01T00:00:00.000Z',
    emit: event => void events.push(event),
    ...options,
  });
  for (const exchange of exchanges) judge.observe(exchange);
  judge.end();
  const fold = foldJournal({ endpoints, requirements: allRequirements });
  for (const event of events) fold.add(event);
  const report = fold.report();
  const found = report.endpoints.flatMap(({ checks }) =>
    checks.flatMap(({ side, findings }) =>
      findings.map(({ requirement, pointer }) => `${side} ${requirement} ${pointer}`),
    ),
  );
  return {
    events,
    report,
    found: [...new Set(found)],
    notes: report.observations.map(({ requirement, subject }) => `${requirement} ${subject}`),
    remembered: judge.remembered(),
  };
}

/** Judges exchanges one after another, with ordinary values for everything that is not given. */
export const judgedInTurn = (
  given: readonly GivenExchange[],
  options: Partial<TrafficJudgeOptions> = {},
): JudgedTraffic =>
  judgedTraffic(
    given.map((one, index) => givenExchange(one, index + 1)),
    options,
  );

/** The answer to an accepted update of the gate `gate_a`, with some members changed. */
export const gateUpdated = (changes: object = {}) => ({
  message: 'Gate updated successfully.',
  data: { ...samples.gate, id: 'gate_a', ...changes },
});

/** A patch of that gate and its answer, which shows a few members, with changes from `data`. */
export const gatePatch = (body: object, data: object = {}, more: GivenExchange = {}): GivenExchange => ({
  method: 'PATCH',
  target: '/console/v1/gates/gate_a',
  body,
  answer: {
    message: 'Gate updated successfully.',
    data: { id: 'gate_a', isEnabled: true, version: 1, description: 'first', tags: ['x'], ...data },
  },
  ...more,
});
