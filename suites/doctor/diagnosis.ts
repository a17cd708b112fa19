import { type EndpointId, endpointIds, endpointRow, endpoints } from '../../contracts/endpoints.ts';
import { grouped } from '../../contracts/grouped.ts';
import { present } from '../../contracts/present.ts';
import { coveragePercent } from '../../contracts/report/verdict.ts';
import { capabilities } from '../../contracts/target.ts';
import { absentName } from '../checks/active/unserved.ts';
import { allUnits, isOneShot } from '../checks/units.ts';
import { remedyFor } from '../generators/index.ts';
import { allCells, type Cell, relationOf } from '../ledger/cells.ts';
import { hinderedBy } from '../ledger/reasons.ts';
import { type Answer, isSilence, outcomeOf } from '../protocol/answer.ts';
import { type CheckContext, isNothingToDo } from '../protocol/check.ts';
import { RunStopped } from '../protocol/stop.ts';
import type { DiscoveredState, LearnedWord, Target } from '../protocol/sut.ts';
import { unsendable } from '../sut/demanded.ts';
import { leftOutFields, missingLines } from '../sut/gaps.ts';
import { hindranceOf } from '../sut/hindrance.ts';
import { namesFor } from '../sut/learning/lessons.ts';
import { readWords } from '../sut/learning/reading.ts';
import { targetWith } from '../sut/learning/words.ts';
import { isBlockedRequest, minimalRequest } from '../sut/minimal-request.ts';
import { openHarmlessClient, openReadOnlyClient } from '../sut/read-only-client.ts';
import { type Diagnostic, examine } from './fixture-examination.ts';
import { examineLists } from './list-examination.ts';
import { examineOperations } from './operation-examination.ts';

/** Part of the names of entities that do not exist. */
const token = 'doctor';

const wrongKey = { kind: 'value', value: 'conform-wrong-key' } as const;

/**
 * True if an answer refuses its request, or redirects it to a page where one signs in. Too many requests (429) say
 * nothing about the key.
 */
const isRefusal = (answer: Answer): boolean => answer.status >= 300 && answer.status < 500 && answer.status !== 429;

function keyDiagnostic(right: readonly Answer[], wrong: Answer, none: Answer): Diagnostic {
  const outcomes = [...new Set(right.map(outcomeOf))].join(' and ');
  const problem = (text: string): Diagnostic => ({ area: 'key', state: 'problem', text });
  if (!right.some(answer => answer.success)) return problem(`not known: neither plain list can be read (${outcomes})`);
  if (wrong.success) return problem(`a wrong key is accepted too (${outcomeOf(wrong)}): authentication will fail`);
  if (none.success)
    return problem(`a request without any key is accepted too (${outcomeOf(none)}): authentication will fail`);
  if (!isRefusal(wrong)) return problem(`not known whether a wrong key is refused (${outcomeOf(wrong)})`);
  if (!isRefusal(none)) return problem(`not known whether a request without any key is refused (${outcomeOf(none)})`);
  const refused = `a wrong key is refused (${outcomeOf(wrong)}), and so is none (${outcomeOf(none)})`;
  return { area: 'key', state: 'ok', text: `accepted; ${refused}` };
}

/** Compares the target's clock by its Date header (RFC 9110 section 6.6.1), which counts whole seconds. */
function clockDiagnostic(answer: Answer, now: number): Diagnostic {
  const note = (text: string): Diagnostic => ({ area: 'clock', state: 'note', text });
  const { failure, headers } = answer.reply;
  if (failure !== null) return note(`not known (${outcomeOf(answer)})`);
  const seconds = Math.trunc((Date.parse(String(headers.date)) - now) / 1000);
  if (Number.isNaN(seconds)) return note('the target sends no Date header');
  if (seconds === 0) return note('the same time as here');
  return note(`${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} the clock of this machine`);
}

function capabilityDiagnostic(target: Target): Diagnostic {
  const declared = capabilities.filter(target.has);
  const text = declared.length === 0 ? 'none declared' : `declared: ${declared.join(', ')}; taken at their word`;
  return { area: 'capabilities', state: 'note', text };
}

/** Counts the words that a run will learn by `GET`. Words of single entities are learned only after a write. */
function vocabularyDiagnostic(learned: readonly LearnedWord[]): Diagnostic {
  const kinds = grouped(learned, ({ kind }) => kind);
  const counts = [...kinds].map(([kind, { length }]) => `${kind} × ${length}`);
  return { area: 'vocabulary', state: 'note', text: `the target's own answers show ${counts.join(', ')}` };
}

/** Returns the fields that the target file says are demanded and for which no value is known. */
const demandDiagnostics = (target: Target): readonly Diagnostic[] =>
  unsendable(target).map(({ endpoint, field }) => ({
    area: 'vocabulary',
    state: 'problem',
    text: `requires.${endpoint} names ${field}, of which no value can be sent`,
    remedy: remedyFor(endpointRow(endpoint).body?.properties?.[field]?.annotation?.refersTo),
    endpoints: [endpoint],
  }));

/** The knowledge about a target. */
interface Known {
  readonly target: Target;
  readonly discovered: DiscoveredState;
  readonly learned: readonly LearnedWord[];
}

/**
 * Examines a target without changing it. Checks that it answers, accepts the right key and refuses a wrong one, and
 * that the named fixtures exist. Also checks which operations are served and what they demand, whether lists are long
 * enough to test pagination, and what a run can therefore prove.
 *
 * @param write allows requests that change nothing (empty patches, dry runs, …); without it only GET is sent
 * @param now this machine's clock, in milliseconds since 1970
 */
export async function diagnose({
  target,
  write,
  timeoutMs,
  now,
}: {
  readonly target: Target;
  readonly write: boolean;
  readonly timeoutMs: number;
  readonly now: () => number;
}) {
  const client = write
    ? openHarmlessClient(target, absentName({ token }), timeoutMs)
    : openReadOnlyClient(target, 'reads', timeoutMs);
  const diagnostics: Diagnostic[] = [];
  const known: Known = { target, discovered: { qualifyingEvents: new Map() }, learned: [] };
  try {
    const segments = await client.send({ endpoint: 'list-segments' });
    const time = now();
    // If no answer came, another request would only take time.
    const others = isSilence(segments) ? [] : [await client.send({ endpoint: 'list-qualifying-events' })];
    const first = [segments, ...others];
    const hindrance = await hindranceOf({ target, answers: first, timeoutMs, read: client.send });
    if (hindrance?.area !== 'reachable')
      diagnostics.push({ area: 'reachable', state: 'ok', text: `${target.baseUrl.href} answers` });
    if (hindrance !== null) {
      diagnostics.push({ ...hindrance, state: 'problem' });
      return conclude(known, diagnostics, false, client.sent());
    }
    const wrong = await client.send({ endpoint: 'list-segments', key: wrongKey });
    const none = await client.send({ endpoint: 'list-segments', key: { kind: 'none' } });
    diagnostics.push(keyDiagnostic(first, wrong, none));
    // If the lists are refused, nothing can be read.
    if (!first.some(answer => answer.success)) return conclude(known, diagnostics, false, client.sent());
    const discovered = await examine(target, client, write);
    diagnostics.push(...discovered.diagnostics);
    diagnostics.push(...(await examineLists(target, client.send)));
    const learned = await readWords({ target, session: client, isName: namesFor(target.apiKey) }, endpointIds);
    const found = { target, discovered, learned };
    const contexts = endpointIds.flatMap(endpoint => contextOf(found, endpoint, !write) ?? []);
    const operations = await examineOperations(contexts, client, write);
    const isAnswered = ({ by }: Diagnostic) => by === undefined || !operations.some(({ unserved }) => unserved === by);
    diagnostics.splice(0, Infinity, ...diagnostics.filter(isAnswered), ...operations);
    diagnostics.push(
      clockDiagnostic(segments, time),
      capabilityDiagnostic(target),
      ...(learned.length === 0 ? [] : [vocabularyDiagnostic(learned)]),
      ...demandDiagnostics(target),
    );
    return conclude(found, diagnostics, true, client.sent());
  } catch (error) {
    if (!(error instanceof RunStopped)) throw error;
    // What was found before may be from requests that got no answer.
    const away = {
      area: 'reachable',
      state: 'problem',
      text: error.message,
      ...present({ remedy: error.remedy }),
    } as const;
    return conclude(known, [away], false, client.sent());
  } finally {
    await client.close();
  }
}

/** Returns the context in which an endpoint's checks are planned; undefined if there is no minimal request. */
function contextOf(known: Known, endpoint: EndpointId, readOnly = false): CheckContext | undefined {
  const { discovered } = known;
  const target = targetWith(known.target, known.learned, endpoint);
  const minimal = minimalRequest(target, discovered, endpoint);
  if (isBlockedRequest(minimal)) return undefined;
  return {
    endpoint,
    row: endpoints[endpoint],
    target,
    discovered,
    minimal,
    // So much that no check is idle for the size of a profile alone.
    amounts: { fuzz: 1, walks: 12, creations: 45 },
    token,
    oneShot: isOneShot(endpoint),
    seed: 1,
    settleMs: 0,
    readOnly,
  };
}

/** Returns the checks that have nothing to send although the endpoint has a minimal request. Sends nothing. */
const idleChecks = (known: Known) =>
  allUnits().flatMap(({ id, endpoint, check }) => {
    if (check.kind !== 'active') return [];
    const context = contextOf(known, endpoint);
    const plan = context && check.plan(context);
    if (plan === undefined || !isNothingToDo(plan)) return [];
    return [{ id, level: check.level, because: plan.because, ...present({ remedy: plan.remedy }) }];
  });

const weightOf = (cells: readonly Cell[]): number =>
  cells.reduce((sum, cell) => sum + Math.round(10 * relationOf(cell).weight), 0);

const digits = (count: number): string => count.toLocaleString('en');

/**
 * Returns the maximum coverage of a run: the ledger cells that no missing name, missing fixture or possible harm
 * excludes. Only a run shows what answers omit, the target refuses or a profile leaves out.
 * @param provable the endpoints that a run can judge
 */
function coverageForecast(target: Target, provable: readonly EndpointId[]): Diagnostic {
  const counted = allCells(target.fixtures).filter(cell => hinderedBy(cell, target)?.reason !== 'capability');
  const within = counted.filter(cell => provable.includes(cell.endpoint) && hinderedBy(cell, target) === undefined);
  const percent = coveragePercent(weightOf(within), weightOf(counted));
  const text = `a run can reach a coverage of ${percent} % at most (${digits(within.length)} of ${digits(counted.length)} cells); a run will tell what the target refuses or never shows`;
  return { area: 'coverage', state: 'note', text };
}

/** Returns the diagnostics of a target, and what a run against it can prove. */
function conclude(known: Known, diagnostics: readonly Diagnostic[], isRead: boolean, requests: number) {
  const { target, discovered, learned } = known;
  const missing = missingLines(target, discovered, learned);
  const idle = idleChecks(known);
  const lost = new Set([...missing, ...diagnostics].flatMap(one => one.endpoints ?? []));
  const provable = isRead ? endpointIds.filter(id => !lost.has(id)) : [];
  return {
    diagnostics: isRead ? [...diagnostics, coverageForecast(target, provable)] : diagnostics,
    /** Lines that the target file lacks, with the endpoints that stay untested. */
    missing,
    /** Untested checks at endpoints that are otherwise testable. */
    idle,
    leftOut: leftOutFields(target, discovered, learned),
    /** Endpoints that a run can judge. */
    provable,
    /** True if there is no problem, no missing line and no idle check of a MUST. */
    complete:
      missing.length === 0 &&
      idle.every(({ level }) => level !== 'MUST') &&
      diagnostics.every(({ state }) => state !== 'problem'),
    requests,
  };
}

export type Diagnosis = ReturnType<typeof conclude>;
