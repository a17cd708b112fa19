import { exactPointer, jsonAt } from '../../contracts/json-tree.ts';
import { steps } from '../../contracts/pointer.ts';
import { compact } from '../../contracts/present.ts';
import type { Exchange } from '../../contracts/report/evidence.ts';
import type { Report } from '../../contracts/report/report.ts';
import { type Clause, type Entry, type Item, pairsIn, type Step, type Tags } from '../document/document.ts';
import { mark } from '../document/marks.ts';
import { type Cause, causesWithFindings } from '../journal/causes.ts';
import { causeReason } from '../journal/known.ts';
import type { NamedFinding } from '../journal/selections.ts';
import { ageOf } from '../journal/traits.ts';
import {
  caseText,
  differenceText,
  gotText,
  type HeaderFields,
  type ReportedFinding,
  valueText,
} from '../text/finding-text.ts';
import { counted, pathOf } from '../text/page.ts';
import { cameOf, symptomOf } from '../text/symptom.ts';
import { endpointsText } from '../text/verdict-text.ts';

/** Headers that say nothing about a case. */
const uninformative = new Set('host content-length connection keep-alive user-agent accept date'.split(' '));

/**
 * Returns the headers that may matter for a case, eight at most, as `name: value`. How an answer was transferred says
 * nothing; of a request it may be what the case is about.
 */
const headersOf = (headers: HeaderFields, isAnswer: boolean): string[] =>
  headers
    .map(field => ({ ...field, key: field.name.toLowerCase() }))
    .filter(({ key }) => !uninformative.has(key) && !(isAnswer && key === 'transfer-encoding'))
    .slice(0, 8)
    .map(({ name, value }) => `${name}: ${value.slice(0, 200)}`);

/** The accused places in request and answer, and what is known of the value. */
interface Accused {
  readonly sent: string | undefined;
  readonly shown: string | undefined;
  readonly value: string | undefined;
  readonly isTold?: boolean;
}

/** Returns the two messages of an exchange. If no answer came, the answer says why. */
function messagesOf(
  { request: { method, url, headers, body }, response, failure = 'unknown', durationMs }: Exchange,
  { sent, shown, value, isTold = false }: Accused,
): Pick<Step, 'requests' | 'answers'> {
  const took = ` after ${Math.round(durationMs)} ms`;
  const answered = (when: string) => (response ? `${response.status}${when}` : `no answer${when}: ${failure}`);
  return {
    requests: [
      {
        label: 'Request',
        letter: '',
        line: `${method} ${url}`,
        brief: `${method} ${pathOf(url)}`,
        headers: headersOf(headers, false),
        body,
        place: sent,
      },
    ],
    answers: [
      {
        label: 'Answer',
        letter: '',
        line: answered(took),
        brief: answered(''),
        headers: headersOf(response?.headers ?? [], true),
        isTold,
        body: response?.body,
        place: shown,
        accused: value,
      },
    ],
  };
}

/** Returns the accused place in the answer, if there is one; for an accepted value, its place in the answer. */
function placeInAnswer({ pointer, counterexample, exchange, fault }: ReportedFinding): string | undefined {
  const { status = 0 } = exchange?.response ?? {};
  if (pointer === 'status')
    return status < 300 && counterexample?.pointer ? `/data${counterexample.pointer}` : undefined;
  return pointer.startsWith('/')
    ? exactPointer(exchange?.response?.body.text ?? '', pointer, JSON.stringify(fault?.got))
    : undefined;
}

/** Returns the requests of a sequence in order, the last one accused; or the accused request alone. */
function stepsOf(finding: ReportedFinding): Step[] {
  const { steps, exchange, pointer, counterexample, accused } = finding;
  const field = pointer.replace(/^\/data(?=\/)/, '');
  if (steps)
    return steps.map(({ number, exchange: own, shown }, index) => {
      const isLast = index === steps.length - 1;
      const isSent = jsonAt(own.request.body?.text ?? '', field) !== undefined;
      return {
        number,
        ...messagesOf(own, {
          sent: isSent ? field : undefined,
          shown: shown === undefined ? undefined : pointer,
          value: isLast ? accused : undefined,
        }),
        shown,
        isOpen: isLast,
      };
    });
  if (!exchange) return [];
  const shown = placeInAnswer(finding);
  return [
    {
      ...messagesOf(exchange, {
        sent: counterexample?.pointer || undefined,
        shown,
        value: accused,
        isTold: pointer === 'status' && shown === undefined,
      }),
      isOpen: true,
    },
  ];
}

/** Returns the sent value, if neither the title of the case nor the difference from its control shows all of it. */
function sentValue({ counterexample, exchange }: ReportedFinding, difference: string | undefined): string | undefined {
  if (counterexample?.sent === undefined || (counterexample.pointer === '' && exchange)) return undefined;
  const value = valueText(counterexample.sent);
  return counterexample.title.includes(value) || difference?.includes(value) ? undefined : value;
}

/** Returns a finding as an item of a cause with that title. */
function itemOf({ name, endpoint, check, finding }: NamedFinding, anchor: string, title: string): Item {
  const { expected, actual, counterexample, doubt, curl, reproduce, timeline } = finding;
  const symptom = symptomOf(finding);
  const difference = counterexample && differenceText(counterexample);
  return {
    anchor,
    where: name,
    // Do not repeat the title of the cause.
    note: symptom === title ? '' : symptom,
    endpoint: endpoint.id,
    about: `${endpoint.title}: ${check.title}`,
    pairs: [
      { name: 'Expected', value: expected, kind: 'expected' },
      { name: 'Got', value: gotText(finding), own: actual, kind: 'got' },
    ],
    // biome-ignore format: a table
    more: pairsIn({
      Warning: doubt,
      Case:    caseText(finding),
      Differs: difference,
      Sent:    sentValue(finding, difference),
    }),
    difference: counterexample?.control === undefined ? undefined : counterexample,
    steps: stepsOf(finding),
    race: timeline?.map(line => line.replace(/^together: /, '')),
    commands: compact([
      curl !== undefined && { name: 'Send again', text: curl },
      reproduce !== undefined && { name: 'Replay', text: reproduce },
    ]),
  };
}

/** Returns the requirement of the first finding, with section and level, and why it is not scored, if so. */
function clauseOf({ requirements, requirementSet }: Report, { findings: [{ finding }] }: Cause): Clause {
  const { requirement: id, level, notScored } = finding;
  const row = requirements.find(one => one.id === id);
  const since = notScored === 'added' ? ` since ${requirementSet?.name}` : '';
  return {
    id,
    about: compact([row && `section ${row.section}`, level, notScored && `not scored: ${notScored}${since}`]).join(
      ', ',
    ),
    statement: row?.statement ?? '',
  };
}

/**
 * Returns the fields of which a cause has refused requests, the most frequent first, and how many: one headline may stand
 * for several rules of a service. Empty for a single field.
 */
function refusedFields({ findings }: Cause): readonly string[] {
  const times = new Map<string, number>();
  for (const { finding } of findings) {
    const [field] = steps(finding.counterexample?.pointer ?? '');
    const isRefused = finding.pointer === 'status' && (finding.exchange?.response?.status ?? 0) >= 400;
    if (isRefused && field !== undefined) times.set(field, (times.get(field) ?? 0) + 1);
  }
  const fields = [...times].sort(([, one], [, other]) => other - one);
  return fields.length > 1 ? fields.map(([field, count]) => `${field} (${count})`) : [];
}

/** Returns how a cache took part in a cause, by its first answer that tells of one; empty if none does. */
function cachedIn({ findings }: Cause): readonly string[] {
  const age = findings.map(({ finding }) => ageOf(finding.exchange)).find(one => one !== undefined);
  return age === undefined ? [] : [`a cache answered instead of the service (Age: ${age})`];
}

/** Returns how often a failure came when it was sent again, if not each time: then its value may be chance. */
function sometimesIn({ kind, findings }: Cause): readonly string[] {
  const tried = findings.flatMap(({ finding: { seen } }) => seen ?? []);
  const [first, ...more] = tried.filter(({ times, of }) => times < of);
  if (kind !== 'fail' || first === undefined) return [];
  if (tried.length === 1) return [`sent again, it was seen ${first.times} of ${first.of} times`];
  return [`sent again, ${more.length + 1} of ${tried.length} were not seen each time`];
}

/** The heading of the checks that a cause leaves untested. */
export const blocks = 'Blocks';

/** Returns where a cause shows: its endpoints, its checks, how often. */
function placeOf({ endpoints, findings, kind }: Cause): string {
  const checks = [...new Set(findings.map(({ check }) => check.check))];
  const names = endpointsText(endpoints);
  const found = checks.length > 3 ? counted(checks.length, 'check') : checks.join(', ');
  const times = findings.length === 1 ? '' : `${counted(findings.length, kind === 'fail' ? 'failure' : 'warning')} at `;
  return `${times}${names}, found by ${found}`;
}

/** Returns a cause as an entry, which counts unless the baseline knows it. */
export function causeEntry(report: Report, cause: Cause): Entry {
  const { id, kind, title, side, requirements, endpoints, findings, blocked } = cause;
  const known = causeReason(cause, report);
  const clause = clauseOf(report, cause);
  const also = requirements.filter(one => one !== clause.id);
  const tagsOf = (name: string, items: readonly string[]): Tags => ({
    title: name,
    items: items.map(text => ({ text })),
  });
  return {
    anchor: id,
    id,
    mark: mark(kind),
    counts: known === undefined,
    title,
    brief: cameOf(findings[0].finding),
    place: placeOf(cause),
    label: side,
    known,
    clauses: [clause],
    endpoints,
    items: findings.map((one, index) => itemOf(one, `${id}-${index + 1}`, title)),
    tags: [
      tagsOf('Irregular', sometimesIn(cause)),
      tagsOf('Cached', cachedIn(cause)),
      tagsOf('Refused', refusedFields(cause)),
      tagsOf('Also breaks', also),
      tagsOf(blocks, blocked),
    ],
  };
}

/** Returns the causes of failures and warnings, in the order in which to fix them. */
export const causeEntries = (report: Report): Entry[] =>
  causesWithFindings(report).map(cause => causeEntry(report, cause));
