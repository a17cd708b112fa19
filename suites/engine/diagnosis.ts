import { type EndpointId, endpointIds } from '../../contracts/endpoint.ts';
import { endpoints } from '../../contracts/endpoints.ts';
import { capabilities } from '../../contracts/target.ts';
import { readPage } from '../judge/page.ts';
import { type Gap, type LeftOut, leftOutFields, missingLines } from '../target/gaps.ts';
import { openInquiry } from '../target/inquiry.ts';
import { subjectOf, type Target } from '../target/world.ts';
import { type Answer, isKeyRefusal, isSilence, outcomeOf } from './answer.ts';
import { longEnough } from './effectiveness.ts';
import { type Examination, examine } from './fixture-examination.ts';
import { type IdleCheck, idleChecks } from './forecast.ts';
import type { Remark } from './remark.ts';

/** How a target is, and what a run against it will be able to prove. */
export interface Diagnosis {
  readonly remarks: readonly Remark[];
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
export interface DiagnosisOptions {
  readonly target: Target;
  /** Gates may be sent the empty patch, which changes nothing; without it only GET is sent. */
  readonly write: boolean;
  readonly timeoutMs: number;
  /** This machine's clock, in milliseconds since 1970. */
  readonly now: () => number;
}

const wrongKey = { kind: 'value', value: 'conform-wrong-key' } as const;

function keyRemark(right: readonly Answer[], wrong: Answer, none: Answer): Remark {
  const outcomes = [...new Set(right.map(outcomeOf))].join(' and ');
  const problem = (text: string, remedy?: string): Remark => ({
    area: 'key',
    state: 'problem',
    text,
    ...(remedy === undefined ? {} : { remedy }),
  });
  if (right.every(isKeyRefusal)) {
    return problem(`refused (${outcomes})`, 'check the key, and the name of its header (naming.apiKeyHeader)');
  }
  if (!right.some(answer => answer.success)) return problem(`not known: neither plain list can be read (${outcomes})`);
  if (wrong.success) return problem(`a wrong key is accepted too (${outcomeOf(wrong)}): authentication will fail`);
  if (none.success)
    return problem(`a request without any key is accepted too (${outcomeOf(none)}): authentication will fail`);
  const refused = `a wrong key is refused (${outcomeOf(wrong)}), and so is none (${outcomeOf(none)})`;
  return { area: 'key', state: 'ok', text: `accepted; ${refused}` };
}

/** The clock of the target by the Date header (RFC 9110 section 6.6.1), which counts whole seconds. */
function clockRemark(answer: Answer, now: number): Remark {
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

function listRemark(endpoint: EndpointId, answer: Answer): Remark {
  const problem = { area: 'lists', state: 'problem' } as const;
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

function capabilityRemark(target: Target): Remark {
  const declared = capabilities.filter(target.has);
  const text = declared.length === 0 ? 'none declared' : `declared: ${declared.join(', ')}; taken at their word`;
  return { area: 'capabilities', state: 'note', text };
}

/** The lists that the target file lets a run walk over: the first fixture of each kind is the one that is walked. */
function walked(target: Target): readonly EndpointId[] {
  return endpointIds.filter(
    id => endpoints[id].list && (endpoints[id].fixture === null || subjectOf(target, id) !== undefined),
  );
}

/**
 * Looks at a target without changing it: whether it answers, whether the right key opens it and a wrong one does not, whether what the target file
 * names is there, whether the lists are long enough to prove something about pages, and what the file therefore lets a run prove.
 */
export async function diagnose({ target, write, timeoutMs, now }: DiagnosisOptions): Promise<Diagnosis> {
  const inquiry = openInquiry(target, write ? 'reads and empty patches' : 'reads', timeoutMs);
  const remarks: Remark[] = [];
  try {
    const segments = await inquiry.send({ endpoint: 'list-segments' });
    const time = now();
    if (isSilence(segments)) {
      const text = `no answer from ${target.baseUrl.href}: ${outcomeOf(segments)}`;
      return conclude(target, [{ area: 'reachable', state: 'problem', text }], null, inquiry.sent());
    }
    remarks.push({ area: 'reachable', state: 'ok', text: `${target.baseUrl.href} answers` });
    const sources = await inquiry.send({ endpoint: 'list-qualifying-events' });
    const wrong = await inquiry.send({ endpoint: 'list-segments', key: wrongKey });
    const none = await inquiry.send({ endpoint: 'list-segments', key: { kind: 'none' } });
    const key = keyRemark([segments, sources], wrong, none);
    remarks.push(key);
    // Behind a refused key nothing can be seen.
    if (![segments, sources].some(answer => answer.success)) return conclude(target, remarks, null, inquiry.sent());
    const seen = await examine(target, inquiry, write);
    remarks.push(...seen.remarks);
    for (const endpoint of walked(target)) {
      const param = subjectOf(target, endpoint);
      remarks.push(listRemark(endpoint, await inquiry.send({ endpoint, param })));
    }
    remarks.push(clockRemark(segments, time), capabilityRemark(target));
    return conclude(target, remarks, seen, inquiry.sent());
  } finally {
    await inquiry.close();
  }
}

function conclude(target: Target, remarks: readonly Remark[], seen: Examination | null, requests: number): Diagnosis {
  const learned = { qualifyingEvents: seen?.qualifyingEvents ?? new Map() };
  const missing = missingLines(target, learned);
  const idle = idleChecks(target, learned);
  const lost = new Set([...missing, ...remarks].flatMap(one => one.endpoints ?? []));
  return {
    remarks,
    missing,
    idle,
    leftOut: leftOutFields(target, learned),
    provable: seen === null ? [] : endpointIds.filter(id => !lost.has(id)),
    complete: missing.length === 0 && idle.length === 0 && remarks.every(remark => remark.state !== 'problem'),
    requests,
  };
}
