import { isObject } from '../../contracts/json.ts';
import { jsonAt } from '../../contracts/json-tree.ts';
import { deepestDifference, isPosition, steps } from '../../contracts/pointer.ts';
import type { Counterexample, Deviation, DiscrepancyKind, Exchange } from '../../contracts/report/evidence.ts';
import { sideOf } from '../../contracts/requirements/client.ts';
import { differBeyondAscii } from './beyond-ascii.ts';
import { type Marked, markedDifference, type ReportedFinding } from './finding-text.ts';
import { counted, pathOf } from './page.ts';
import { safeText } from './safe-text.ts';

/** Words the title of a finding: what happened and what should have, in one line. */

type Told = Pick<ReportedFinding, 'requirement' | 'pointer' | 'expected' | 'actual'> &
  Partial<Pick<ReportedFinding, 'fault' | 'exchange' | 'counterexample' | 'steps'>>;

/** Kinds of discrepancy that are also deviations. */
const ofRequests: ReadonlySet<string> = new Set(['accepted', 'refused', 'failed', 'unanswered'] satisfies Deviation[]);

/** Returns how the accused answer of a finding deviates. */
export function deviationOf({ pointer, requirement, fault, exchange }: Told): Deviation {
  if (pointer === 'connection') return 'unanswered';
  if (pointer.startsWith('/')) return 'value';
  if (fault) return ofRequests.has(fault.kind) ? (fault.kind as Deviation) : 'frame';
  // Findings of earlier versions have no `fault`.
  if (pointer !== 'status' || requirement.startsWith('envelope.')) return 'frame';
  const status = exchange?.response?.status ?? 0;
  if (status >= 500) return 'failed';
  if (status >= 200 && status < 300) return 'accepted';
  return status >= 400 ? 'refused' : 'frame';
}

/** True if a finding accuses a value of having changed or appeared without having been sent. */
export const isAboutChange = ({ fault }: Told): boolean => fault?.kind === 'changed' || fault?.kind === 'trace';

/**
 * Returns the path of a pointer as people write it: `rules[0].name`. The path of a member of `data` begins below it.
 */
export function fieldPath(pointer: string): string {
  const all = steps(pointer);
  const path = all[0] === 'data' && !isPosition(all[1] ?? '*') ? all.slice(1) : all;
  return path.map((step, index) => (isPosition(step) ? `[${step}]` : index === 0 ? step : `.${step}`)).join('');
}

const mostCharacters = 48;

/** Returns a member with its value: exact if short (`name: "ab"`), else its length. */
function memberText(path: string, value: unknown): string {
  if (typeof value === 'string') {
    const { length } = Array.from(value);
    if (length > mostCharacters) return `\`${path}\` of ${length.toLocaleString('en')} characters`;
  }
  const text = JSON.stringify(value) ?? 'nothing';
  if (Array.from(text).length <= mostCharacters) return `\`${path}: ${text}\``;
  if (Array.isArray(value)) return `\`${path}\` of ${counted(value.length, 'item')}`;
  return `\`${path}: ${safeText(text, mostCharacters)}\``;
}

/** Returns what a case sent, in words: its one field with its value, else the title of the case. */
function sentText(counterexample: Counterexample | undefined, exchange?: Exchange): string {
  if (!counterexample) return exchange ? `${exchange.request.method} ${pathOf(exchange.request.url)}` : 'the request';
  const { pointer, sent, control, title } = counterexample;
  if (pointer === '' || (sent === undefined && control === undefined))
    return /^with(out)? /.test(title) ? `a request ${title}` : title;
  if (sent === undefined) return `a body without \`${fieldPath(pointer)}\``;
  const odd = control === undefined ? { one: sent, pointer: '' } : deepestDifference(sent, control, isOfOneItem);
  const path = fieldPath(`${pointer}${odd.pointer}`);
  // A long text that holds each allowed character once is not about its length.
  const [, characters] = /: (every character of .+)/.exec(title) ?? [];
  if (characters !== undefined && typeof odd.one === 'string') return `\`${path}\` with ${characters}`;
  return odd.one === undefined ? `a body without \`${path}\`` : memberText(path, odd.one);
}

/** Returns the type of a value as JSON Schema names it. */
export const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

/** False if two lists differ in length, unless an added item has another type: then the case is about that item. */
function isOfOneItem(sent: unknown, control: unknown): boolean {
  if (!Array.isArray(sent) || !Array.isArray(control) || sent.length === control.length) return true;
  return sent.length > control.length && typeOf(sent.at(-1)) !== typeOf(sent[0]);
}

/** Returns the words for a dry run, if the request was one and the case is not about that. */
const dryly = ({ exchange, counterexample }: Told): string =>
  counterexample?.pointer !== '/dryRun' && jsonAt(exchange?.request.body?.text ?? '', '/dryRun') === 'true'
    ? ' in a dry run'
    : '';

/** True if a request may have changed something. */
export const isWrite = ({ request: { method, body } }: Exchange): boolean => method !== 'GET' && body?.text !== '{}';

/** Returns the cause of a change, if the requirement names it. */
function culprit({ requirement }: Told): string {
  if (requirement.startsWith('state.dry-run-')) return 'a dry run ';
  return /^(auth|reject)\./.test(requirement) ? 'a refused request ' : '';
}

/** The actual value of a missing member. */
const absent = /^nothing( \(the member is absent\))?$/;

/** Maximum number of characters shown of a name: some are as long as names may be. */
const longestName = 60;

/** Returns the name of a shown entity, or a text that is one; undefined for any other value. */
function namedIn(got: unknown): string | undefined {
  const name = isObject(got) ? got.id : got;
  if (typeof name !== 'string') return undefined;
  const points = [...name];
  return JSON.stringify(points.length > longestName ? `${points.slice(0, longestName).join('')}…` : name);
}

/** Returns what happened to a value that had to stay. */
function changeOf(path: string, { actual }: Told): string {
  if (absent.test(actual)) return `removed ${path}`;
  return / became /.test(actual) ? `changed ${path}: ${actual}` : `changed ${path} to ${actual}`;
}

/** Symptoms of values by kind of discrepancy; for other kinds the title shows the value. */
const ofValues: { readonly [kind in DiscrepancyKind]?: (path: string, finding: Told) => string } = {
  lost: (path, { actual, requirement }) => {
    const now = `it is ${actual.replace(absent, 'missing')}`;
    // No other operation shows an experiment, so which of the two has lost it cannot be told.
    if (requirement === 'state.enable-groups-frame') return `lost ${path}, in the update or in enabling groups: ${now}`;
    return `lost ${requirement.startsWith('state.metric-as-') ? path : `the update of ${path}`}: ${now}`;
  },
  changed: (path, finding) => `${culprit(finding)}${changeOf(path, finding)}`,
  trace: (path, finding) => `${culprit(finding) || 'a request without effect '}${changeOf(path, finding)}`,
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

function valueSymptom(finding: Told): string {
  const { pointer, actual, requirement, fault } = finding;
  const path = fieldPath(pointer);
  if (requirement === 'pagination.complete' || requirement === 'pagination.no-repeat') return actual;
  if (path === '') return actual;
  const symptom = ofValues[fault?.kind ?? 'value'];
  if (symptom) return symptom(`\`${path}\``, finding);
  return `\`${path}\` is ${actual.replace(absent, 'missing')}`;
}

/** Returns the actual and the expected value of a sent field, at the deepest place where they differ. */
function returned({ pointer, expected, actual, fault }: Told): readonly [came: string, expected: string] {
  const [whole, back] = [fault?.expected, fault?.got];
  const place = deepestDifference(
    whole,
    back,
    (one, other) => !Array.isArray(one) || !Array.isArray(other) || one.length === other.length,
  );
  const path = fieldPath(`${pointer}${place.pointer}`);
  // For long values a finding has only words.
  if (whole === undefined || back === undefined) return [`returned \`${path}\` as ${actual}`, expected];
  const [should, is] = apart(place.one, place.other);
  const cut = cutOff(place.one, place.other);
  if (cut) return [`returned \`${path}\` cut after ${counted(cut.length, 'character')}`, `all ${cut.all}`];
  if (differBeyondAscii(whole, back)) return [`changed the characters beyond ASCII in \`${path}\`: ${is}`, should];
  return [place.other === undefined ? `lost \`${path}\` of what was sent` : `returned \`${path}: ${is}\``, should];
}

/** Minimum length of a text that is said to be cut. Shorter ones are shown: each may be a word of a closed set. */
const leastCut = 40;

/** Returns how much of a text came back, if its end was cut off. */
function cutOff(should: unknown, is: unknown): { readonly length: number; readonly all: string } | undefined {
  if (typeof should !== 'string' || typeof is !== 'string' || is === '' || !should.startsWith(is)) return undefined;
  if (should.length < leastCut) return undefined;
  return { length: Array.from(is).length, all: Array.from(should).length.toLocaleString('en') };
}

/** Maximum length of values shown in full in a title. */
const mostOfValue = 100;

/** Returns two differing values for a title; of long values, the differing parts. */
function apart(should: unknown, is: unknown): readonly [should: string, is: string] {
  const texts = [should, is].map(value => JSON.stringify(value) ?? 'nothing');
  const [one = '', other = ''] = texts;
  if (texts.every(text => text.length <= mostOfValue)) return [one, other];
  const marked = markedDifference({ sent: is, control: should });
  const shown = (part: Marked | undefined, otherwise: string): string =>
    part ? `${part.before}${safeText(part.odd, mostCharacters)}${part.after}` : otherwise;
  return [shown(marked?.control, one), shown(marked?.sent, other)];
}

/** The actual result of a request by deviation, and the expected one. */
// biome-ignore format: a table
const symptoms: Readonly<Record<Deviation, (finding: Told) => readonly [came: string, expected: string]>> = {
  accepted:   finding => [`accepted ${sentIn(finding)}${dryly(finding)}`, wantedIn(finding, 'a 4xx')],
  refused:    finding => [`refused ${sentIn(finding)}${dryly(finding)} with ${finding.actual}`, wantedIn(finding, 'a success')],
  failed:     finding => [`answered ${finding.exchange?.response?.status ?? 'a failure'} to ${sentText(finding.counterexample, finding.exchange)}`, 'no 5xx'],
  unanswered: finding => [`gave no answer to ${sentText(finding.counterexample, finding.exchange)}: ${finding.actual}`, finding.expected],
  frame:      finding => [`answered with ${framed(finding)}`, finding.expected],
  value:      finding => isEcho(finding) ? returned(finding) : [valueSymptom(finding), finding.expected],
};

/** True if a finding is about the returned value of a sent field. */
const isEcho = ({ requirement, pointer, fault }: Told): boolean =>
  requirement.startsWith('echo.') && fieldPath(pointer) !== '' && (fault?.kind ?? 'value') === 'value';

/** Returns what was accepted or refused: for a sequence its last request, which the answer belongs to. */
const sentIn = ({ steps: own, counterexample, exchange }: Told): string =>
  sentText(own ? undefined : counterexample, exchange);

/** Requirements on requests that are written in another way. A case may write one in several ways at once. */
const isOfWriting = /^robust\.(same-|chunked)/;

/** Returns the expected result; a sequence, and a way of writing, have words of their own. */
const wantedIn = ({ steps: own, requirement, expected }: Told, otherwise: string): string =>
  own || isOfWriting.test(requirement) ? expected : otherwise;

/** Returns what is wrong with a frame. A header without a value counts as empty. */
const framed = ({ pointer, actual }: Told): string => {
  const [, header] = /^header (.*)/.exec(pointer) ?? [];
  if (header === undefined) return actual;
  return actual === '' ? `an empty ${header}` : `${header} ${actual}`;
};

const mostOfTitle = 300;

/** Returns what happened, and what should have. */
function sayings(finding: Told): readonly [came: string, expected: string] {
  const { pointer, actual, expected, counterexample, requirement, steps: own = [] } = finding;
  if (sideOf(requirement) === 'client') {
    const isField = pointer.startsWith('/') && counterexample !== undefined && counterexample.pointer !== '';
    if (pointer === 'time') return [`came ${actual}`, expected];
    return [`sent ${isField ? sentText(counterexample) : actual}`, expected];
  }
  const deviation = deviationOf(finding);
  const [came, due] = symptoms[deviation](finding);
  const times = own.filter(({ exchange }) => isWrite(exchange)).length;
  const isOfWrites = deviation === 'value' && !/^auth\.|^reject\./.test(requirement);
  return [`${came}${times > 1 && isOfWrites ? ` after ${times} writes` : ''}`, due];
}

/** Returns what happened, in one line. Texts from the target are unescaped, as in `symptomOf`. */
export const cameOf = (finding: Told): string => safeText(sayings(finding)[0], mostOfTitle);

/**
 * Returns the title of a finding: what happened and what should have, in one line. `accepted \`name: "ab"\`; expected a
 * 4xx`. Texts from the target are unescaped: make them safe where they are shown.
 */
export function symptomOf(finding: Told): string {
  const [came, expected] = sayings(finding);
  // A missing member was obviously expected.
  const isSaid = finding.fault?.kind === 'missing' && /^the member\b/.test(expected);
  return safeText(isSaid ? came : `${came}; expected ${expected}`, mostOfTitle);
}
