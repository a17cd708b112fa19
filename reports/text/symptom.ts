import { steps } from '../../contracts/pointer.ts';
import type { Counterexample, Deviation, Exchange } from '../../contracts/report/evidence.ts';
import { sideOf } from '../../contracts/requirements/client.ts';
import type { ReportedFinding } from './finding-text.ts';
import { pathOf } from './path.ts';
import { safeText } from './safe-text.ts';

type Told = Pick<ReportedFinding, 'requirement' | 'pointer' | 'expected' | 'actual'> &
  Partial<Pick<ReportedFinding, 'exchange' | 'counterexample' | 'steps'>>;

/** The status of the accused answer; 0 where there is none. */
const statusOf = ({ exchange, actual }: Told): number =>
  exchange === undefined ? Number(/\b[1-5]\d\d\b/.exec(actual)?.[0] ?? 0) : (exchange.response?.status ?? 0);

/** Returns in which way the accused answer of a finding deviates. */
export function deviationOf(finding: Told): Deviation {
  const { pointer, requirement } = finding;
  if (pointer === 'connection') return 'unanswered';
  if (pointer.startsWith('/')) return 'value';
  if (pointer !== 'status' || requirement.startsWith('envelope.')) return 'frame';
  const status = statusOf(finding);
  if (status >= 500) return 'failed';
  if (status >= 200 && status < 300) return 'accepted';
  return status >= 400 ? 'refused' : 'frame';
}

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
export function sentText(counterexample: Counterexample | undefined, exchange?: Exchange): string {
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

const isMissing = (actual: string): boolean => /^(no such member|nothing)\b/.test(actual);

/** What is wrong with a value, by the family of the requirement; elsewhere what it is. */
// biome-ignore format: a table
const ofValues: readonly (readonly [RegExp, (path: string, finding: Told) => string])[] = [
  [/^state\.(patch-every-sent|qualifying-event-visible|environments-listed|prompt-fields)$/, (path, { actual }) => `lost the update of \`${path}\`: it is ${actual}`],
  [/^state\.(patch-only-sent|neighbours|disable-gate-frame|enable-groups-frame|dry-run-qualifying-event)$/, (path, { actual }) => `changed ${mentions(actual, path) ? actual : `\`${path}\`: ${actual}`}`],
  [/^pagination\.complete$/, (_, finding) => `${pageText(finding)}${finding.actual}`],
  [/^echo\./, (path, { actual }) => (isMissing(actual) ? `lost \`${path}\` of what was sent` : `returned \`${path}: ${actual}\``)],
];

const mentions = (actual: string, path: string): boolean => actual.startsWith(path.replace(/^(data)?\[.*?\]\.?/, ''));

function pageText({ exchange }: Told): string {
  const page = /[?&]page=(\d+)/.exec(exchange?.request.url ?? '')?.[1];
  return page === undefined ? '' : `page ${page}: `;
}

function valueSymptom(finding: Told): string {
  const { pointer, actual, requirement } = finding;
  const path = fieldPath(pointer);
  const [, told] = ofValues.find(([pattern]) => pattern.test(requirement)) ?? [];
  if (told !== undefined) return told(path, finding);
  if (path !== '' && isMissing(actual)) return `\`${path}\` is missing`;
  return path === '' || mentions(actual, path) ? actual : `\`${path}\` is ${actual}`;
}

/** What came of a request, before what was expected of it. */
// biome-ignore format: a table
const symptoms: Readonly<Record<Deviation, (finding: Told) => readonly [came: string, expected: string]>> = {
  accepted:   finding => [`accepted ${sentIn(finding)}`, wantedIn(finding, 'a 4xx')],
  refused:    finding => [`refused ${sentIn(finding)} with ${finding.actual.replace(/^status /, '')}`, wantedIn(finding, 'a success')],
  failed:     finding => [`answered ${statusOf(finding)} to ${sentText(finding.counterexample, finding.exchange)}`, 'no 5xx'],
  unanswered: finding => [`gave no answer to ${sentText(finding.counterexample, finding.exchange)}: ${finding.actual}`, finding.expected],
  frame:      finding => [`answered with ${framed(finding)}`, finding.expected],
  value:      finding => [valueSymptom(finding), finding.expected.replace(/^must be /, '')],
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

/** What a client did, and what it should have done. */
function clientSymptom({ pointer, actual, expected, counterexample }: Told): string {
  const isField = pointer.startsWith('/') && counterexample !== undefined && counterexample.pointer !== '';
  const did = isField ? `sent ${sentText(counterexample)}` : `sent ${actual}`;
  const where = pointer === 'time' ? actual.replace(/^/, 'came ') : did;
  return safeText(`${where}; expected ${expected}`, mostOfTitle);
}

/**
 * Returns what happened, in one line, and what should have: the title of a finding. `accepted \`name: "ab"\`; expected a
 * 4xx`. What the target sent stands in it as it came: make it safe where it is shown.
 */
export function symptomOf(finding: Told): string {
  if (sideOf(finding.requirement) === 'client') return clientSymptom(finding);
  const [came, expected] = symptoms[deviationOf(finding)](finding);
  const times = writes(finding);
  const after = times > 1 && deviationOf(finding) === 'value' ? ` after ${times} writes` : '';
  return safeText(`${came}${after}; expected ${expected}`, mostOfTitle);
}
