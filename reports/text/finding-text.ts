import { isObject } from '../../contracts/json.ts';
import { steps } from '../../contracts/pointer.ts';
import type {
  BodyEvidence,
  Counterexample,
  Deviation,
  DiscrepancyKind,
  Exchange,
} from '../../contracts/report/evidence.ts';
import type { CheckReport } from '../../contracts/report/report.ts';
import { sideOf } from '../../contracts/requirements/client.ts';
import { pathOf } from './fitted.ts';
import { indentedJson } from './folded-json.ts';
import { safeText } from './safe-text.ts';
/** A finding as it is reported, with the commands that send its case again. */
export type ReportedFinding = CheckReport['findings'][number];

/** The header fields of a request or response, in the order sent. */
export type HeaderFields = readonly { readonly name: string; readonly value: string }[];

/** Returns a finding in one line: the requirement, what was expected and what came. */
export function findingLine({ requirement, expected, actual }: ReportedFinding): string {
  return `${requirement}: expected ${expected}, got ${actual}`;
}

/** Returns a finding as plain lines: what broke, the case, the exchange, the commands. */
export function findingText(finding: ReportedFinding): string {
  const { counterexample, exchange } = finding;
  const lines = [
    `${finding.level} ${finding.requirement}${finding.notScored === undefined ? '' : ` (not scored: ${finding.notScored})`}`,
    `expected: ${finding.expected}`,
    `got:      ${finding.actual}`,
    `at:       ${finding.pointer || 'the whole answer'}`,
  ];
  if (counterexample) lines.push(`case:     ${counterexample.title}`);
  if (finding.occurrences > 1) lines.push(`seen:     ${finding.occurrences} cases of this check`);
  lines.push(...timelineLines(finding));
  if (finding.seen) lines.push(`again:    ${finding.seen.times} of ${finding.seen.of} times`);
  if (exchange) {
    lines.push(`request:  ${exchange.request.method} ${exchange.request.url}`);
    if (exchange.request.body) lines.push(exchange.request.body.text);
    lines.push(exchange.response ? `response: ${exchange.response.status}` : `no answer: ${exchange.failure ?? ''}`);
    if (exchange.response) lines.push(exchange.response.body.text);
  }
  if (finding.curl !== undefined) lines.push(finding.curl);
  if (finding.reproduce !== undefined) lines.push(finding.reproduce);
  return lines.join('\n');
}

/** Returns how requests that were sent at once went, a line each; none of other findings. */
export const timelineLines = ({ timeline = [] }: ReportedFinding): readonly string[] =>
  timeline.map((line, index) => `${index === 0 ? 'history: ' : '         '} ${line}`);

/** Returns what came, after its pointer where that is no part of it: `status 200`, `/data/isEnabled: 1`. */
export const gotText = ({ pointer, actual }: ReportedFinding): string =>
  pointer === '' || pointer === 'status' ? actual : `${pointer}: ${actual}`;

/** Returns the case in words, and how often it was seen. */
export function caseText({ counterexample, occurrences, seen }: ReportedFinding): string {
  return [
    ...(counterexample ? [counterexample.title] : []),
    ...(occurrences > 1 ? [`${occurrences} cases of this check showed the same`] : []),
    ...(seen ? [`sent again, it was seen ${seen.times} of ${seen.of} times`] : []),
  ].join('; ');
}

/** How much of a body is shown, in lines and columns, and the note for one that is empty. */
interface BodyBounds {
  readonly lines: number;
  readonly columns: number;
  readonly empty: string;
}

/** Returns a body as lines, JSON indented, cut in height and width, with a note if lines are missing. */
export function boundedBody(
  { text, bytes, truncated }: BodyEvidence,
  most: BodyBounds,
): { readonly body: readonly string[]; readonly note?: string } {
  if (bytes === 0) return { body: [], note: most.empty };
  const lines = indentedJson(text, most.lines + 1);
  const body = lines.slice(0, most.lines).map(line => safeText(line, most.columns));
  return { body, ...(truncated || lines.length > most.lines ? { note: `… (${bytes} bytes in all)` } : {}) };
}

type Told = Pick<ReportedFinding, 'requirement' | 'pointer' | 'expected' | 'actual'> &
  Partial<Pick<ReportedFinding, 'fault' | 'exchange' | 'counterexample' | 'steps'>>;

/** The kinds of discrepancy that are deviations of their own. */
const ofRequests: ReadonlySet<string> = new Set(['accepted', 'refused', 'failed', 'unanswered'] satisfies Deviation[]);

/** Returns in which way the accused answer of a finding deviates. */
export function deviationOf({ pointer, requirement, fault, exchange }: Told): Deviation {
  if (pointer === 'connection') return 'unanswered';
  if (pointer.startsWith('/')) return 'value';
  if (fault !== undefined) return ofRequests.has(fault.kind) ? (fault.kind as Deviation) : 'frame';
  // The finding of an earlier version.
  if (pointer !== 'status' || requirement.startsWith('envelope.')) return 'frame';
  const status = exchange?.response?.status ?? 0;
  if (status >= 500) return 'failed';
  if (status >= 200 && status < 300) return 'accepted';
  return status >= 400 ? 'refused' : 'frame';
}

/** True of a finding that accuses a value of having changed, or come, without having been sent. */
export const isAboutChange = ({ fault }: Told): boolean => fault?.kind === 'changed' || fault?.kind === 'trace';

/** Returns the path of a pointer as a person writes it: `rules[0].name`; that of a member of `data` begins below it. */
export function fieldPath(pointer: string): string {
  const [first, ...rest] = steps(pointer);
  const path =
    first === 'data' && rest[0] !== undefined && !/^(\d+|\*)$/.test(rest[0])
      ? rest
      : first === undefined
        ? []
        : [first, ...rest];
  return path.map((step, index) => (/^(\d+|\*)$/.test(step) ? `[${step}]` : index === 0 ? step : `.${step}`)).join('');
}

const mostCharacters = 48;

/** A member with its value, exactly where that is short: `name: "ab"`; else its length. */
function memberText(path: string, value: unknown): string {
  if (typeof value === 'string') {
    const { length } = Array.from(value);
    if (length > mostCharacters) return `\`${path}\` of ${length.toLocaleString('en')} characters`;
  }
  const text = JSON.stringify(value) ?? 'nothing';
  if (Array.from(text).length <= mostCharacters) return `\`${path}: ${text}\``;
  if (Array.isArray(value)) return `\`${path}\` of ${value.length.toLocaleString('en')} items`;
  return `\`${path}: ${safeText(text, mostCharacters)}\``;
}

/** Returns what a case sent, in words: its one field with its value, else the title of the case. */
function sentText(counterexample: Counterexample | undefined, exchange?: Exchange): string {
  if (counterexample === undefined)
    return exchange === undefined ? 'the request' : `${exchange.request.method} ${pathOf(exchange.request.url)}`;
  const { pointer, sent, control, title } = counterexample;
  if (pointer === '' || (sent === undefined && control === undefined))
    return /^with(out)? /.test(title) ? `a request ${title}` : title;
  const path = fieldPath(pointer);
  return sent === undefined ? `a body without \`${path}\`` : memberText(path, sent);
}

/** How many of the steps of a finding may have changed something. */
const writes = ({ steps: own = [] }: Told): number =>
  own.filter(({ exchange: { request } }) => request.method !== 'GET' && request.body?.text !== '{}').length;

/** Whose doing a change is, where the requirement says so. */
const culprit = ({ requirement }: Told): string => (/^(auth|reject)\./.test(requirement) ? 'a refused request ' : '');

/** The name of an entity that is shown, or a text that is one; undefined for any other value. */
function namedIn(got: unknown): string | undefined {
  const name = isObject(got) ? got.id : got;
  return typeof name === 'string' ? JSON.stringify(name) : undefined;
}

/** What is wrong with a value, by its kind; elsewhere what it is. */
const ofValues: { readonly [kind in DiscrepancyKind]?: (path: string, finding: Told) => string } = {
  lost: (path, { actual }) => `lost the update of ${path}: it is ${actual}`,
  changed: (path, finding) => `${culprit(finding)}changed ${path}: ${finding.actual}`,
  trace: (path, finding) =>
    `${culprit(finding) || 'a request without effect '}changed ${path}, which is ${finding.actual}`,
  present: (path, { fault, actual }) => {
    const name = namedIn(fault?.got);
    return name === undefined ? `${path} is ${actual}` : `${path} shows ${name}, which must not be there`;
  },
  missing: (path, { requirement, pointer, fault }) => {
    const name = pointer === '/data' ? namedIn(fault?.expected) : undefined;
    if (name !== undefined) return `${path} lacks ${name}`;
    return requirement.startsWith('echo.') ? `lost ${path} of what was sent` : `${path} is missing`;
  },
};

function pageText({ exchange }: Told): string {
  const page = /[?&]page=(\d+)/.exec(exchange?.request.url ?? '')?.[1];
  return page === undefined ? '' : `page ${page}: `;
}

function valueSymptom(finding: Told): string {
  const { pointer, actual, requirement, fault } = finding;
  const path = fieldPath(pointer);
  if (requirement === 'pagination.complete') return `${pageText(finding)}${actual}`;
  if (path === '') return actual;
  const symptom = ofValues[fault?.kind ?? 'value'];
  if (symptom !== undefined) return symptom(`\`${path}\``, finding);
  return requirement.startsWith('echo.') ? `returned \`${path}: ${actual}\`` : `\`${path}\` is ${actual}`;
}

/** What came of a request, before what was expected of it. */
// biome-ignore format: a table
const symptoms: Readonly<Record<Deviation, (finding: Told) => readonly [came: string, expected: string]>> = {
  accepted:   finding => [`accepted ${sentIn(finding)}`, wantedIn(finding, 'a 4xx')],
  refused:    finding => [`refused ${sentIn(finding)} with ${finding.actual}`, wantedIn(finding, 'a success')],
  failed:     finding => [`answered ${finding.exchange?.response?.status ?? 'a failure'} to ${sentText(finding.counterexample, finding.exchange)}`, 'no 5xx'],
  unanswered: finding => [`gave no answer to ${sentText(finding.counterexample, finding.exchange)}: ${finding.actual}`, finding.expected],
  frame:      finding => [`answered with ${framed(finding)}`, finding.expected],
  value:      finding => [valueSymptom(finding), finding.expected],
};

/** What was accepted or refused: of a sequence its last request, which is what the answer is to. */
const sentIn = ({ steps: own, counterexample, exchange }: Told): string =>
  own === undefined ? sentText(counterexample, exchange) : sentText(undefined, exchange);

/** What was expected of it: of a sequence in its own words, for the request alone does not tell. */
const wantedIn = ({ steps: own, expected }: Told, otherwise: string): string =>
  own === undefined ? otherwise : expected;

const framed = ({ pointer, actual }: Told): string =>
  pointer.startsWith('header ') ? `${pointer.slice('header '.length)} ${actual}` : actual;

const mostOfTitle = 300;

/** What happened, and what should have. */
function sayings(finding: Told): readonly [came: string, expected: string] {
  const { pointer, actual, expected, counterexample, requirement } = finding;
  if (sideOf(requirement) === 'client') {
    const isField = pointer.startsWith('/') && counterexample !== undefined && counterexample.pointer !== '';
    if (pointer === 'time') return [`came ${actual}`, expected];
    return [`sent ${isField ? sentText(counterexample) : actual}`, expected];
  }
  const deviation = deviationOf(finding);
  const [came, due] = symptoms[deviation](finding);
  const times = writes(finding);
  const isOfWrites = deviation === 'value' && !/^auth\.|^reject\./.test(requirement);
  return [`${came}${times > 1 && isOfWrites ? ` after ${times} writes` : ''}`, due];
}

/** Returns what happened, in one line. What the target sent stands in it as it came, as in `symptomOf`. */
export const cameOf = (finding: Told): string => safeText(sayings(finding)[0], mostOfTitle);

/**
 * Returns what happened, in one line, and what should have: the title of a finding. `accepted \`name: "ab"\`; expected a
 * 4xx`. What the target sent stands in it as it came: make it safe where it is shown.
 */
export const symptomOf = (finding: Told): string => safeText(sayings(finding).join('; expected '), mostOfTitle);
