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

/** Maximum number of exchanges kept of a run: more than any profile sends, but few enough for memory. */
export const mostExchanges = 60_000;

/** Maximum number of characters of a JSON answer kept whole, and of other texts kept. */
const longest = { value: 64_000, text: 512 } as const;

/** Maximum number of breaches kept, because a target that breaks everything must not fill the memory. */
const mostBreaches = 20_000;

const redactedBreach = redactorOf<RecordedBreach>(breachSchema);
const redactedHead = redactorOf<Omit<Recording, 'exchanges' | 'breaches'>>(recordingHead);

/** Returns how a wrong key relates to the right one, in the words that the redactor puts in its place. */
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

/** Returns the body of an answer: its value if it is JSON of bounded length, otherwise the beginning of its text. */
function bodyOf(
  { reply: { body }, value }: Answer,
  secrets: Secrets,
): Pick<RecordedExchange, 'value' | 'text' | 'isTooLong'> {
  if (body.kind === 'empty') return {};
  const isTooLong = body.text.length > longest.value;
  if (body.kind !== 'json' || isTooLong)
    return { text: redactedBeginning(body.text, longest.text, secrets).text, ...(isTooLong ? { isTooLong } : {}) };
  // Redacting the text shows quickly whether there is any secret.
  const isClean = secrets.redact(body.text) === body.text;
  return { value: isClean ? (value as Json) : redactedValue(value as Json, secrets) };
}

/** Returns an answer and its request in the recorded form, without secrets. */
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

/** Returns the findings of a check that were made after its cases had ended. */
const lateBreaches = ({ findings }: CheckEnd, known: ReadonlySet<string>): RecordedBreach[] =>
  findings.flatMap(({ requirement, level, pointer, expected, actual, exchange }) =>
    !exchange || known.has(`${exchange.id}\n${requirement}`)
      ? []
      : [{ id: exchange.id, requirement, level, pointer, expected, actual }],
  );

/** Returns the highest level of the findings, by endpoint and requirement. */
function levelsFound(ends: Iterable<CheckEnd>): ReadonlyMap<string, RecordedBreach['level']> {
  const levels = new Map<string, RecordedBreach['level']>();
  for (const { endpoint, findings } of ends)
    for (const { requirement, level } of findings) {
      const key = `${endpoint} ${requirement}`;
      if (levels.get(key) !== 'MUST') levels.set(key, level);
    }
  return levels;
}

export type Recorder = ReturnType<typeof createRecorder>;

/** Records a run of a target: its exchanges, breaches and untested checks. */
export function createRecorder(target: Target) {
  const secrets = secretsOf(target);
  const exchanges = new Map<string, RecordedExchange>();
  const again: RecordedExchange[] = [];
  /** The send times of the requests under way, by number. */
  const begun = new Map<number, number>();
  const asked = new Map<string, ApiRequest>();
  const titles: Record<string, string> = {};
  const pointers: Record<string, string> = {};
  const breaches: RecordedBreach[] = [];
  const known = new Set<string>();
  const ends = new Map<string, CheckEnd>();
  /** The last recorded exchange, until its times are known. */
  let last: RecordedExchange | undefined;
  let start: RunStart | undefined;
  let end: RunEnd | undefined;
  return {
    /** The original requests, by exchange id, for sending them again. */
    asked: asked as ReadonlyMap<string, ApiRequest>,
    /** For `RunOptions.watch`. */
    watch: {
      begun({ number, atMs }) {
        begun.set(number, atMs);
      },
      answer(answer) {
        if (exchanges.size + again.length >= mostExchanges) return;
        last = recordedExchange(answer, secrets);
        // A repeated request, for shrinking or confirming, has the id of the original.
        if (exchanges.has(answer.id)) again.push(last);
        else {
          exchanges.set(answer.id, last);
          asked.set(answer.id, answer.request);
        }
      },
      answered({ id }, { number, lost, atMs }) {
        const begunMs = begun.get(number);
        for (const one of [number, ...lost]) begun.delete(one);
        // A request that was resent after a lost answer may have run twice, so it has no single time.
        if (last?.id !== id || begunMs === undefined || lost.length > 0) return;
        Object.assign(last, { begunMs, answeredMs: atMs });
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
    } as RunWatch,
    /** Takes every event of the run. */
    event(event: RunEvent): void {
      if (event.event === 'run-start') start = event;
      if (event.event === 'check-end') ends.set(event.id, event);
      if (event.event === 'run-end') end = event;
    },
    /** Returns the recording so far, without secrets. */
    recording(): Shown<Recording> {
      const levels = levelsFound(ends.values());
      // The run repeats each breach to confirm it. Drop those without a finding; the others get the level of theirs.
      const judged = (breach: RecordedBreach): RecordedBreach[] => {
        // A finding is filed under the operation that answered, or under that of the check that read its state.
        const endpoints = [exchanges.get(breach.id)?.endpoint, breach.id.slice(0, breach.id.indexOf('/'))];
        const level = endpoints.flatMap(endpoint => levels.get(`${endpoint} ${breach.requirement}`) ?? [])[0];
        return level ? [{ ...breach, level }] : [];
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
