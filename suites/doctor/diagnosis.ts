import { type EndpointId, endpointIds, endpointRow, endpoints } from '../../contracts/endpoints.ts';
import { present } from '../../contracts/present.ts';
import { capabilities } from '../../contracts/target.ts';
import { absentName } from '../checks/active/unserved.ts';
import { allUnits, isOneShot } from '../checks/units.ts';
import { remedyFor } from '../generators/index.ts';
import { longEnough, readPage } from '../judge/page.ts';
import { type Answer, isSilence, outcomeOf } from '../protocol/answer.ts';
import { type CheckContext, isNothingToDo } from '../protocol/check.ts';
import type { DiscoveredState, LearnedWord, Target } from '../protocol/sut.ts';
import { unsendable } from '../sut/demanded.ts';
import { type Gap, knowing, type LeftOut, leftOutFields, missingLines } from '../sut/gaps.ts';
import { hindranceOf } from '../sut/hindrance.ts';
import { namesFor } from '../sut/learning/lessons.ts';
import { readWords } from '../sut/learning/reading.ts';
import { isBlockedRequest, minimalRequest } from '../sut/minimal-request.ts';
import { openHarmlessClient, openReadOnlyClient } from '../sut/read-only-client.ts';
import { subjectOf } from '../sut/target.ts';
import { type Diagnostic, type Examination, examine } from './fixture-examination.ts';
import { coverageForecast } from './forecast.ts';
import { examineOperations } from './operation-examination.ts';

/** A check at MUST level that could send nothing, although the minimal request of its endpoint could be made. */
interface IdleCheck {
  /** `endpoint/check`. */
  readonly id: string;
  readonly because: string;
  readonly remedy?: string;
}

/** What was found of a target, and what a run against it will be able to prove. */
export interface Diagnosis {
  readonly diagnostics: readonly Diagnostic[];
  /** Lines that the target file lacks, with the endpoints that stay untested. */
  readonly missing: readonly Gap[];
  /** Checks that stay untested at endpoints of which something can be tested. */
  readonly idle: readonly IdleCheck[];
  readonly leftOut: readonly LeftOut[];
  /** Endpoints that a run can judge. */
  readonly provable: readonly EndpointId[];
  /** True when there is no problem, no missing line and no idle check. */
  readonly complete: boolean;
  readonly requests: number;
}

/** What to diagnose, and how. */
interface DiagnosisOptions {
  readonly target: Target;
  /** Requests that change nothing (empty patches, dry runs, …) may be sent; without it only GET is. */
  readonly write: boolean;
  readonly timeoutMs: number;
  /** This machine's clock, in milliseconds since 1970. */
  readonly now: () => number;
}

/** What names of entities that do not exist are made of. */
const token = 'doctor';

const wrongKey = { kind: 'value', value: 'conform-wrong-key' } as const;

function keyDiagnostic(right: readonly Answer[], wrong: Answer, none: Answer): Diagnostic {
  const outcomes = [...new Set(right.map(outcomeOf))].join(' and ');
  const problem = (text: string): Diagnostic => ({ area: 'key', state: 'problem', text });
  if (!right.some(answer => answer.success)) return problem(`not known: neither plain list can be read (${outcomes})`);
  if (wrong.success) return problem(`a wrong key is accepted too (${outcomeOf(wrong)}): authentication will fail`);
  if (none.success)
    return problem(`a request without any key is accepted too (${outcomeOf(none)}): authentication will fail`);
  const refused = `a wrong key is refused (${outcomeOf(wrong)}), and so is none (${outcomeOf(none)})`;
  return { area: 'key', state: 'ok', text: `accepted; ${refused}` };
}

/** The clock of the target by the Date header (RFC 9110 section 6.6.1), which counts whole seconds. */
function clockDiagnostic(answer: Answer, now: number): Diagnostic {
  if (answer.reply.failure !== null) return { area: 'clock', state: 'note', text: `not known (${outcomeOf(answer)})` };
  const { date } = answer.reply.headers;
  const theirs = typeof date === 'string' ? Date.parse(date) : Number.NaN;
  if (Number.isNaN(theirs)) return { area: 'clock', state: 'note', text: 'the target sends no Date header' };
  const seconds = Math.trunc((theirs - now) / 1000);
  const text =
    seconds === 0
      ? 'the same time as here'
      : `${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} the clock of this machine`;
  return { area: 'clock', state: 'note', text };
}

function listDiagnostic(endpoint: EndpointId, answer: Answer): Diagnostic {
  const problem = { area: 'lists', state: 'problem', by: endpoint } as const;
  const page = readPage(answer);
  if (page === null) return { ...problem, text: `${endpoint}: no page of it can be read (${outcomeOf(answer)})` };
  const { totalItems } = page;
  if (totalItems >= longEnough) return { area: 'lists', state: 'ok', text: `${endpoint}: ${totalItems} items` };
  return {
    ...problem,
    text: `${endpoint}: ${totalItems} items, too few to prove much about pages`,
    remedy: `give the list ${longEnough} items or more`,
  };
}

function capabilityDiagnostic(target: Target): Diagnostic {
  const declared = capabilities.filter(target.has);
  const text = declared.length === 0 ? 'none declared' : `declared: ${declared.join(', ')}; taken at their word`;
  return { area: 'capabilities', state: 'note', text };
}

/** What a run will learn by `GET`; what entities hold themselves it learns when it has written to them. */
function vocabularyDiagnostic(learned: readonly LearnedWord[]): Diagnostic {
  const kinds = [...new Set(learned.map(({ kind }) => kind))];
  const counts = kinds.map(kind => `${kind} × ${learned.filter(one => one.kind === kind).length}`);
  return { area: 'vocabulary', state: 'note', text: `the target's own answers show ${counts.join(', ')}` };
}

/** What the target file says that the service demands, and nothing names a value of. */
const demandDiagnostics = (target: Target): readonly Diagnostic[] =>
  unsendable(target).map(({ endpoint, field }) => ({
    area: 'vocabulary',
    state: 'problem',
    text: `requires.${endpoint} names ${field}, of which no value can be sent`,
    remedy: remedyFor(endpointRow(endpoint).body?.properties?.[field]?.annotation?.refersTo),
    endpoints: [endpoint],
  }));

/** The lists that the target file lets a run walk over, each for its subject. */
function walked(target: Target): readonly EndpointId[] {
  return endpointIds.filter(
    id => endpoints[id].list && (endpoints[id].fixture === null || subjectOf(target, id) !== undefined),
  );
}

/**
 * Examines a target without changing it: whether it answers, accepts the right key and refuses a wrong one, whether
 * what the target file names exists, whether the operations are served and what they demand, whether the lists are long
 * enough to prove something about pages, and what a run with this file can therefore prove.
 */
export async function diagnose({ target, write, timeoutMs, now }: DiagnosisOptions): Promise<Diagnosis> {
  const client = write
    ? openHarmlessClient(target, absentName({ token }), timeoutMs)
    : openReadOnlyClient(target, 'reads', timeoutMs);
  const diagnostics: Diagnostic[] = [];
  try {
    const segments = await client.send({ endpoint: 'list-segments' });
    const time = now();
    // Where nobody answers, another request would only take time.
    const others = isSilence(segments) ? [] : [await client.send({ endpoint: 'list-qualifying-events' })];
    const first = [segments, ...others];
    const hindrance = await hindranceOf({ target, answers: first, timeoutMs, read: client.send });
    if (hindrance?.area !== 'reachable')
      diagnostics.push({ area: 'reachable', state: 'ok', text: `${target.baseUrl.href} answers` });
    if (hindrance !== null) {
      diagnostics.push({ ...hindrance, state: 'problem' });
      return conclude(target, diagnostics, null, client.sent());
    }
    const wrong = await client.send({ endpoint: 'list-segments', key: wrongKey });
    const none = await client.send({ endpoint: 'list-segments', key: { kind: 'none' } });
    const key = keyDiagnostic(first, wrong, none);
    diagnostics.push(key);
    // Where the lists are refused nothing can be read.
    if (!first.some(answer => answer.success)) return conclude(target, diagnostics, null, client.sent());
    const seen = await examine(target, client, write);
    diagnostics.push(...seen.diagnostics);
    for (const endpoint of walked(target)) {
      const param = subjectOf(target, endpoint);
      diagnostics.push(listDiagnostic(endpoint, await client.send({ endpoint, param })));
    }
    const learned = await readWords({ target, session: client, isName: namesFor(target.apiKey) }, endpointIds);
    const contexts = endpointIds.flatMap(endpoint => contextOf(target, seen, learned, endpoint, !write) ?? []);
    const operations = await examineOperations(contexts, client, write);
    const isAnswered = ({ by }: Diagnostic) => by === undefined || !operations.some(({ unserved }) => unserved === by);
    diagnostics.splice(0, Infinity, ...diagnostics.filter(isAnswered), ...operations);
    diagnostics.push(
      clockDiagnostic(segments, time),
      capabilityDiagnostic(target),
      ...(learned.length === 0 ? [] : [vocabularyDiagnostic(learned)]),
      ...demandDiagnostics(target),
    );
    return conclude(target, diagnostics, seen, client.sent(), learned);
  } finally {
    await client.close();
  }
}

/** What the checks of an endpoint are planned with; undefined where its minimal request cannot be made. */
function contextOf(
  whole: Target,
  discovered: DiscoveredState,
  learned: readonly LearnedWord[],
  endpoint: EndpointId,
  readOnly = false,
): CheckContext | undefined {
  const target = knowing(whole, learned, endpoint);
  const minimal = minimalRequest(target, discovered, endpoint);
  if (isBlockedRequest(minimal)) return undefined;
  return {
    endpoint,
    row: endpoints[endpoint],
    target,
    discovered,
    minimal,
    amounts: { fuzz: 1, walks: 1, creations: 1 },
    token,
    oneShot: isOneShot(endpoint),
    seed: 1,
    settleMs: 0,
    readOnly,
  };
}

/** The checks that would leave their endpoint incomplete because the target file lacks something. Sends nothing. */
function idleChecks(
  target: Target,
  discovered: DiscoveredState,
  learned: readonly LearnedWord[],
): readonly IdleCheck[] {
  return allUnits().flatMap(({ id, endpoint, check }) => {
    if (check.kind !== 'active' || check.level !== 'MUST') return [];
    const context = contextOf(target, discovered, learned, endpoint);
    const plan = context && check.plan(context);
    if (plan === undefined || !isNothingToDo(plan)) return [];
    return [{ id, because: plan.because, ...present({ remedy: plan.remedy }) }];
  });
}

function conclude(
  target: Target,
  diagnostics: readonly Diagnostic[],
  seen: Examination | null,
  requests: number,
  learned: readonly LearnedWord[] = [],
): Diagnosis {
  const discovered = { qualifyingEvents: seen?.qualifyingEvents ?? new Map() };
  const missing = missingLines(target, discovered, learned);
  const idle = idleChecks(target, discovered, learned);
  const lost = new Set([...missing, ...diagnostics].flatMap(one => one.endpoints ?? []));
  const provable = seen === null ? [] : endpointIds.filter(id => !lost.has(id));
  const forecast = coverageForecast(target, provable);
  return {
    diagnostics: seen === null ? diagnostics : [...diagnostics, forecast],
    missing,
    idle,
    leftOut: leftOutFields(target, discovered, learned),
    provable,
    complete:
      missing.length === 0 && idle.length === 0 && diagnostics.every(diagnostic => diagnostic.state !== 'problem'),
    requests,
  };
}
