import { isObject } from '../../contracts/json.ts';
import { jsonAt } from '../../contracts/json-tree.ts';
import { deepestDifference, steps } from '../../contracts/pointer.ts';
import type { Counterexample, Deviation, DiscrepancyKind, Exchange } from '../../contracts/report/evidence.ts';
import { sideOf } from '../../contracts/requirements/client.ts';
import { differBeyondAscii } from './beyond-ascii.ts';
import { type Marked, markedDifference } from './difference.ts';
import type { ReportedFinding } from './finding-text.ts';
import { counted, pathOf } from './page.ts';
import { safeText } from './safe-text.ts';

/** The title of a finding: what happened, and what should have, in one line. */

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
  if (Array.isArray(value)) return `\`${path}\` of ${counted(value.length, 'item')}`;
  return `\`${path}: ${safeText(text, mostCharacters)}\``;
}

/** Returns what a case sent, in words: its one field with its value, else the title of the case. */
function sentText(counterexample: Counterexample | undefined, exchange?: Exchange): string {
  if (counterexample === undefined)
    return exchange === undefined ? 'the request' : `${exchange.request.method} ${pathOf(exchange.request.url)}`;
  const { pointer, sent, control, title } = counterexample;
  if (pointer === '' || (sent === undefined && control === undefined))
    return /^with(out)? /.test(title) ? `a request ${title}` : title;
  if (sent === undefined) return `a body without \`${fieldPath(pointer)}\``;
  const odd = control === undefined ? { one: sent, pointer: '' } : deepestDifference(sent, control, isOfOneItem);
  const path = fieldPath(`${pointer}${odd.pointer}`);
  return odd.one === undefined ? `a body without \`${path}\`` : memberText(path, odd.one);
}

/** Returns the type of a value as JSON Schema names it. */
export const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

/** True unless two lists differ in how many items they have: then that is what a case is about, but for an item of another type. */
function isOfOneItem(sent: unknown, control: unknown): boolean {
  if (!Array.isArray(sent) || !Array.isArray(control) || sent.length === control.length) return true;
  return sent.length > control.length && typeOf(sent.at(-1)) !== typeOf(sent[0]);
}

/** What is to be said of a request that was a dry run. */
const dryly = ({ exchange }: Told): string =>
  jsonAt(exchange?.request.body?.text ?? '', '/dryRun') === 'true' ? ' in a dry run' : '';

/** How many of the steps of a finding may have changed something. */
const writes = ({ steps: own = [] }: Told): number =>
  own.filter(({ exchange: { request } }) => request.method !== 'GET' && request.body?.text !== '{}').length;

/** Whose doing a change is, where the requirement says so. */
function culprit({ requirement }: Told): string {
  if (requirement.startsWith('state.dry-run-')) return 'a dry run ';
  return /^(auth|reject)\./.test(requirement) ? 'a refused request ' : '';
}

/** What a member is that is not there. */
const absent = /^nothing( \(the member is absent\))?$/;

/** The name of an entity that is shown, or a text that is one; undefined for any other value. */
function namedIn(got: unknown): string | undefined {
  const name = isObject(got) ? got.id : got;
  return typeof name === 'string' ? JSON.stringify(name) : undefined;
}

/** What became of a value that had to stay. */
function changeOf(path: string, { actual }: Told): string {
  if (absent.test(actual)) return `removed ${path}`;
  return / became /.test(actual) ? `changed ${path}: ${actual}` : `changed ${path} to ${actual}`;
}

/** What is wrong with a value, by its kind; elsewhere what it is. */
const ofValues: { readonly [kind in DiscrepancyKind]?: (path: string, finding: Told) => string } = {
  lost: (path, { actual }) => `lost the update of ${path}: it is ${actual.replace(absent, 'missing')}`,
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
  if (requirement === 'pagination.complete') return actual;
  if (path === '') return actual;
  const symptom = ofValues[fault?.kind ?? 'value'];
  if (symptom !== undefined) return symptom(`\`${path}\``, finding);
  return `\`${path}\` is ${actual.replace(absent, 'missing')}`;
}

/** What came back of a field that was sent, and what should have, at the deepest place where the two differ. */
function returned({ pointer, expected, actual, fault }: Told): readonly [came: string, expected: string] {
  const [whole, back] = [fault?.expected, fault?.got];
  const place = deepestDifference(
    whole,
    back,
    (one, other) => !Array.isArray(one) || one.length === (other as []).length,
  );
  const path = fieldPath(`${pointer}${place.pointer}`);
  // Long values are told in words alone.
  if (whole === undefined || back === undefined) return [`returned \`${path}\` as ${actual}`, expected];
  const [should, is] = apart(place.one, place.other);
  const cut = cutOff(place.one, place.other);
  if (cut !== undefined)
    return [`returned \`${path}\` cut after ${counted(cut.length, 'character')}`, `all ${cut.all}`];
  if (differBeyondAscii(whole, back)) return [`changed the characters beyond ASCII in \`${path}\`: ${is}`, should];
  return [place.other === undefined ? `lost \`${path}\` of what was sent` : `returned \`${path}: ${is}\``, should];
}

/** How much came back of a text, where the rest of it was cut off. */
function cutOff(should: unknown, is: unknown): { readonly length: number; readonly all: string } | undefined {
  if (typeof should !== 'string' || typeof is !== 'string' || is === '' || !should.startsWith(is)) return undefined;
  return { length: Array.from(is).length, all: Array.from(should).length.toLocaleString('en') };
}

/** The longest values that stand in a title as they are. */
const mostOfValue = 100;

/** Two values that differ, as they stand in a title: of long ones the part in which they do. */
function apart(should: unknown, is: unknown): readonly [should: string, is: string] {
  const texts = [should, is].map(value => JSON.stringify(value) ?? 'nothing');
  const [one = '', other = ''] = texts;
  if (texts.every(text => text.length <= mostOfValue)) return [one, other];
  const marked = markedDifference({ sent: is, control: should });
  const shown = (part: Marked | undefined, otherwise: string): string =>
    part === undefined ? otherwise : `${part.before}${safeText(part.odd, mostCharacters)}${part.after}`;
  return [shown(marked?.control, one), shown(marked?.sent, other)];
}

/** What came of a request, before what was expected of it. */
// biome-ignore format: a table
const symptoms: Readonly<Record<Deviation, (finding: Told) => readonly [came: string, expected: string]>> = {
  accepted:   finding => [`accepted ${sentIn(finding)}${dryly(finding)}`, wantedIn(finding, 'a 4xx')],
  refused:    finding => [`refused ${sentIn(finding)}${dryly(finding)} with ${finding.actual}`, wantedIn(finding, 'a success')],
  failed:     finding => [`answered ${finding.exchange?.response?.status ?? 'a failure'} to ${sentText(finding.counterexample, finding.exchange)}`, 'no 5xx'],
  unanswered: finding => [`gave no answer to ${sentText(finding.counterexample, finding.exchange)}: ${finding.actual}`, finding.expected],
  frame:      finding => [`answered with ${framed(finding)}`, finding.expected],
  value:      finding => isEcho(finding) ? returned(finding) : [valueSymptom(finding), finding.expected],
};

/** True of a finding about what came back of a field that was sent. */
const isEcho = ({ requirement, pointer, fault }: Told): boolean =>
  requirement.startsWith('echo.') && fieldPath(pointer) !== '' && (fault?.kind ?? 'value') === 'value';

/** What was accepted or refused: of a sequence its last request, which is what the answer is to. */
const sentIn = ({ steps: own, counterexample, exchange }: Told): string =>
  own === undefined ? sentText(counterexample, exchange) : sentText(undefined, exchange);

/** What was expected of it: of a sequence in its own words, for the request alone does not tell. */
const wantedIn = ({ steps: own, expected }: Told, otherwise: string): string =>
  own === undefined ? otherwise : expected;

/** What is wrong with a frame. A header without a value is as good as none. */
const framed = ({ pointer, actual }: Told): string => {
  const [, header] = /^header (.*)/.exec(pointer) ?? [];
  if (header === undefined) return actual;
  return actual === '' ? `an empty ${header}` : `${header} ${actual}`;
};

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
export function symptomOf(finding: Told): string {
  const [came, expected] = sayings(finding);
  // What is missing was expected to be there.
  const isSaid = finding.fault?.kind === 'missing' && /^the member\b/.test(expected);
  return safeText(isSaid ? came : `${came}; expected ${expected}`, mostOfTitle);
}
