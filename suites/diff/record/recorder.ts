import type { Json } from '../../../contracts/json.ts';
import { present } from '../../../contracts/present.ts';
import { redactedBeginning } from '../../../contracts/redaction/beginning.ts';
import type { Secrets } from '../../../contracts/redaction/secrets.ts';
import { type Shown, vouched } from '../../../contracts/redaction/shown.ts';
import { redactedValue, redactorOf } from '../../../contracts/redaction/values.ts';
import type { CheckEnd, RunEnd, RunEvent, RunStart } from '../../../contracts/report/journal.ts';
import { recordedBreach as breachSchema, recordingHead } from '../../../contracts/report/recording.ts';
import { tool } from '../../../contracts/report/tool.ts';
import type { RunWatch } from '../../engine/config.ts';
import { keyUsed } from '../../engine/counted-cells.ts';
import { violatedLevel } from '../../engine/findings.ts';
import type { Answer, ApiRequest } from '../../protocol/answer.ts';
import type { Violation } from '../../protocol/check.ts';
import type { Target } from '../../protocol/sut.ts';
import { secretsOf } from '../../sut/target-secrets.ts';
import type { RecordedBreach, RecordedExchange, Recording } from './recording.ts';

/** So many exchanges of a run are kept at most: more than any profile sends, and fewer than would fill the memory. */
export const mostExchanges = 60_000;

/** JSON answers up to so many characters are kept whole, of other bodies so many. */
const longest = { value: 64_000, text: 512 } as const;

/** So many breaches are kept at most, so that a target that breaks everything cannot fill the memory. */
const mostBreaches = 20_000;

/** What watches a run in order to record it. */
export interface Recorder {
  /** For `RunOptions.watch`. */
  readonly watch: RunWatch;
  /** To be told every event of the run. */
  event(event: RunEvent): void;
  /** What was recorded until now, free of secrets. */
  recording(): Shown<Recording>;
  /** The requests as they were asked for, by the id of their exchange: for sending them again. */
  readonly asked: ReadonlyMap<string, ApiRequest>;
}

const redactedBreach = redactorOf<RecordedBreach>(breachSchema);
const redactedHead = redactorOf<Omit<Recording, 'exchanges' | 'breaches'>>(recordingHead);

/** What another key is to the right one: the redactor knows each near miss, and has words for it. */
function presentedBy({ key }: ApiRequest, secrets: Secrets): string | undefined {
  if (key?.kind !== 'value') return;
  if (key.value === '') return 'empty';
  const [, miss] = /^«(.*)»$/.exec(secrets.redact(key.value)) ?? [];
  return miss ?? 'unlike it';
}

const mediaTypeOf = ({ reply: { headers } }: Answer): string | undefined => {
  const given = headers['content-type'];
  return (Array.isArray(given) ? given[0] : given)?.split(';')[0]?.trim().toLowerCase();
};

/** The body of an answer: as a value where it is JSON of bounded length, else the beginning of its text. */
function bodyOf(
  { reply: { body }, value }: Answer,
  secrets: Secrets,
): Pick<RecordedExchange, 'value' | 'text' | 'isTooLong'> {
  if (body.kind === 'empty') return {};
  const isTooLong = body.text.length > longest.value;
  if (body.kind !== 'json' || isTooLong)
    return { text: redactedBeginning(body.text, longest.text, secrets).text, ...(isTooLong ? { isTooLong } : {}) };
  // The text tells quickly whether there is anything to take out.
  const isClean = secrets.redact(body.text) === body.text;
  return { value: isClean ? (value as Json) : redactedValue(value as Json, secrets) };
}

/** An answer and its request, in the form in which they are compared and kept. */
export function recordedExchange(answer: Answer, secrets: Secrets): RecordedExchange {
  const { id, request, sent, reply, status } = answer;
  const { param, query, raw, asks } = request;
  const mediaType = mediaTypeOf(answer);
  return {
    id,
    endpoint: request.endpoint,
    request: {
      method: reply.request.method,
      path: secrets.redact(reply.request.path),
      ...present({
        param: param && secrets.redact(param),
        query: query && redactedValue({ ...query }, secrets),
        body: sent === undefined ? undefined : redactedValue(sent, secrets),
        raw: raw === undefined ? undefined : redactedBeginning(raw.toString('utf8'), longest.text, secrets).text,
      }),
      key: keyUsed(request),
      ...present({ asks: asks?.requirement, presented: presentedBy(request, secrets) }),
      own: answer.own,
    },
    status,
    ...present({ failure: reply.failure?.kind, mediaType: mediaType && secrets.redact(mediaType) }),
    ...bodyOf(answer, secrets),
  };
}

const breachOf = ({ answer, requirement, pointer, expected, actual, doubt }: Violation): RecordedBreach => ({
  id: answer.id,
  requirement,
  level: doubt === undefined ? violatedLevel(requirement) : 'SHOULD',
  pointer,
  expected,
  actual,
});

/** The findings of a check that no case of the plan showed: what was looked for afterwards. */
const lateBreaches = ({ findings }: CheckEnd, known: ReadonlySet<string>): RecordedBreach[] =>
  findings.flatMap(({ requirement, level, pointer, expected, actual, exchange }) =>
    exchange === undefined || known.has(`${exchange.id}\n${requirement}`)
      ? []
      : [{ id: exchange.id, requirement, level, pointer, expected, actual }],
  );

/** How firmly the findings of a run say that an endpoint breaks a requirement, by both. */
function levelsFound(ends: Iterable<CheckEnd>): ReadonlyMap<string, RecordedBreach['level']> {
  const levels = new Map<string, RecordedBreach['level']>();
  for (const { endpoint, findings } of ends)
    for (const { requirement, level } of findings) {
      const key = `${endpoint} ${requirement}`;
      if (levels.get(key) !== 'MUST') levels.set(key, level);
    }
  return levels;
}

/** Records a run of a target: its exchanges, what they broke, and what could not be tested. */
export function createRecorder(target: Target, hooks: Pick<RunWatch, 'beforeLanes' | 'beforeRestore'> = {}): Recorder {
  const secrets = secretsOf(target);
  const exchanges = new Map<string, RecordedExchange>();
  const again: RecordedExchange[] = [];
  /** When the requests that are under way went on the wire, by their numbers. */
  const begun = new Map<number, number>();
  const asked = new Map<string, ApiRequest>();
  const titles: Record<string, string> = {};
  const pointers: Record<string, string> = {};
  const breaches: RecordedBreach[] = [];
  const known = new Set<string>();
  const ends = new Map<string, CheckEnd>();
  /** What was recorded last, of which it is not known yet when it came. */
  let last: { readonly isAgain: boolean; readonly recorded: RecordedExchange } | undefined;
  let start: RunStart | undefined;
  let end: RunEnd | undefined;
  return {
    asked,
    watch: {
      ...hooks,
      begun({ number, atMs }) {
        begun.set(number, atMs);
      },
      answer(answer) {
        if (exchanges.size + again.length >= mostExchanges) return;
        // What is sent again, to be shrunk or confirmed, has the id of the first time.
        const isAgain = exchanges.has(answer.id);
        const recorded = recordedExchange(answer, secrets);
        if (isAgain) again.push(recorded);
        else {
          exchanges.set(answer.id, recorded);
          asked.set(answer.id, answer.request);
        }
        last = { isAgain, recorded };
      },
      answered({ id }, { number, lost, atMs }) {
        const begunMs = begun.get(number);
        for (const one of [number, ...lost]) begun.delete(one);
        // What was sent again because an answer got lost may have been carried out twice, and stands at no one time.
        if (last?.recorded.id !== id || begunMs === undefined || lost.length > 0) return;
        const timed = { ...last.recorded, begunMs, answeredMs: atMs };
        if (last.isAgain) again[again.length - 1] = timed;
        else exchanges.set(id, timed);
        last = undefined;
      },
      sent(id, { title, pointer }, violations) {
        titles[id] = title;
        if (pointer !== '') pointers[id] = pointer;
        for (const violation of violations) {
          known.add(`${violation.answer.id}\n${violation.requirement}`);
          if (breaches.length < mostBreaches) breaches.push(redactedBreach(breachOf(violation), secrets));
        }
      },
    },
    event(event) {
      if (event.event === 'run-start') start = event;
      if (event.event === 'check-end') ends.set(event.id, event);
      if (event.event === 'run-end') end = event;
    },
    recording() {
      const levels = levelsFound(ends.values());
      // What came of trying it again is what the run says of it: nothing, or a warning.
      const judged = (breach: RecordedBreach): RecordedBreach[] => {
        // A finding stands at the operation that answered, or at that of the check that read what another one shows.
        const endpoints = [exchanges.get(breach.id)?.endpoint, breach.id.slice(0, breach.id.indexOf('/'))];
        const level = endpoints.flatMap(endpoint => levels.get(`${endpoint} ${breach.requirement}`) ?? [])[0];
        return level === undefined ? [] : [{ ...breach, level }];
      };
      const late = [...ends.values()].flatMap(one => lateBreaches(one, known));
      const untested = [...ends.values()].filter(({ verdict }) => verdict === 'untested' || verdict === 'error');
      const options = start?.options;
      const head = {
        version: 1 as const,
        tool: tool.version,
        baseUrl: target.baseUrl.href,
        seed: start?.seed ?? 1,
        profile: start?.profile ?? 'standard',
        readOnly: options?.readOnly ?? false,
        only: options?.only ?? [],
        skip: options?.skip ?? [],
        token: start?.token ?? '',
        outcome: end?.outcome ?? 'error',
        ...present({ because: end?.because }),
        requests: end?.stats.requests ?? exchanges.size,
        titles,
        pointers,
        untested: Object.fromEntries(untested.map(({ id, because = '' }) => [id, because])),
      };
      return vouched({
        ...redactedHead(head, secrets),
        exchanges: [...exchanges.values()],
        again,
        breaches: [...breaches.flatMap(judged), ...late],
      });
    },
  };
}
