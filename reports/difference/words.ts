import { compact } from '../../contracts/present.ts';
import type {
  AnswerOfSide,
  DifferenceLabel,
  DifferencePlace,
  DifferenceReport,
  DifferenceReportEntry,
  SideReport,
  StepOfBoth,
} from '../../contracts/report/difference.ts';
import { failsAt } from '../../contracts/report/difference-verdict.ts';
import { isRequirementId, requirementById } from '../../contracts/requirements/index.ts';
import type { Clause, Part } from '../document/document.ts';
import { counted, tally } from '../text/page.ts';
import { invocation } from '../text/shell.ts';
import { capitalized, endpointsText } from '../text/verdict-text.ts';

/** What every document of a comparison says in the same words. Nothing in it is made safe: that is done where it is shown. */

/** The differences of one kind, and how they are headed. */
interface DifferencePart {
  readonly label: DifferenceLabel | 'acknowledged';
  readonly title: string;
  readonly entries: readonly DifferenceReportEntry[];
}

// biome-ignore format: a table
const titles: Readonly<Record<DifferencePart['label'], string>> = {
  'b-breaks':   'What B breaks, and A keeps',
  'a-breaks':   'What A breaks, and B keeps',
  open:         'What the specification leaves open',
  unsaid:       'Of which the specification says nothing',
  acknowledged: 'Acknowledged',
};

const labels = Object.keys(titles) as DifferencePart['label'][];

/** Returns the differences by their kind, those that are acknowledged last; kinds without any are left out. */
export function partsOf({ differences }: DifferenceReport): DifferencePart[] {
  const labelOf = (entry: DifferenceReportEntry) => (entry.acknowledged === undefined ? entry.label : 'acknowledged');
  return labels
    .map(label => ({ label, title: titles[label], entries: differences.filter(entry => labelOf(entry) === label) }))
    .filter(({ entries }) => entries.length > 0);
}

/** Returns true where a difference fails the comparison. */
export const isCounted = (entry: DifferenceReportEntry, { options }: DifferenceReport): boolean =>
  entry.acknowledged === undefined && failsAt(entry, options.failOn);

/** Returns a requirement in words: with section, level and statement where this version knows it. */
export function requirementWords(id: string): Clause {
  if (!isRequirementId(id)) return { id, about: '', statement: '' };
  const { section, level, statement } = requirementById(id);
  return { id, about: `section ${section}, ${level}`, statement };
}

/** Returns whose a difference is, in a few words. */
export function labelText({ label, level }: Pick<DifferenceReportEntry, 'label' | 'level'>): string {
  if (label === 'open') return 'left open by the specification';
  if (label === 'unsaid') return 'nothing is said about it';
  return `${label === 'a-breaks' ? 'A' : 'B'} breaks a ${level ?? 'MUST'}`;
}

/** Returns where a place is: `patch-gate status`, `list-events /data/0/name (presence)`. */
export function placeText({ endpoint, pointer, aspect }: DifferencePlace): string {
  return `${endpoint} ${pointer === '' ? 'body' : pointer}${pointer === aspect || pointer === 'status' ? '' : ` (${aspect})`}`;
}

/** Returns how often a place was seen: `3 times`. */
export const timesText = (occurrences: number): string => (occurrences === 1 ? 'once' : `${occurrences} times`);

/** Returns the status of an answer, or why there is none; undefined where nothing was sent. */
export function answerText(answer: AnswerOfSide | undefined): string | undefined {
  if (answer === undefined) return undefined;
  return answer.status === undefined ? `no answer: ${answer.failure ?? 'unknown'}` : String(answer.status);
}

/** Returns what a side is and how its run went: `a recording of 4,433 requests`. */
export function sideText({ isRecording, requests, noiseRuns }: SideReport): string {
  const runs = noiseRuns === 0 ? '' : `, after ${counted(noiseRuns, 'run')} of its own to learn its noise`;
  return `${isRecording ? 'a recording of ' : ''}${counted(requests, 'request')}${runs}`;
}

/** Returns what was sent to both, or to each where the target's own names, or one that left it out, make it another. */
export function requestsOf({ request, requestOfB }: StepOfBoth): readonly {
  readonly to: '' | 'A' | 'B';
  readonly request: NonNullable<StepOfBoth['request']>;
}[] {
  if (request === undefined) return requestOfB === undefined ? [] : [{ to: 'B', request: requestOfB }];
  if (requestOfB === undefined) return [{ to: '', request }];
  return [
    { to: 'A', request },
    { to: 'B', request: requestOfB },
  ];
}

/** Returns how many differences there are of each kind: `1 broken by B, 2 left open`. */
function countsText(entries: readonly DifferenceReportEntry[]): string {
  const of = (label: DifferenceLabel) => entries.filter(one => one.label === label).length;
  return tally([
    [of('b-breaks'), 'broken by B'],
    [of('a-breaks'), 'broken by A'],
    [of('open'), 'left open'],
    [of('unsaid'), 'of which nothing is said'],
  ]);
}

const limits = {
  must: 'only what breaks a MUST fails it (--fail-on must)',
  open: 'what breaks a clause or is left open fails it (--fail-on open)',
  any: 'any of them fails it (--fail-on any)',
} as const satisfies Record<DifferenceReport['options']['failOn'], string>;

/** Returns the verdict of a comparison in a few words. */
export function verdictWord({ verdict, differences }: DifferenceReport): string {
  const isSame = differences.every(one => one.acknowledged !== undefined);
  return verdict === 'alike' && !isSame ? 'alike but for what is allowed' : verdict;
}

/** Returns what came of a comparison, a sentence each: how it ended, what differs, what was compared, what is stale. */
export function verdictSentences(report: DifferenceReport): string[] {
  const { a, differences, because, counts, acknowledged, options } = report;
  const fresh = differences.filter(one => one.acknowledged === undefined);
  const known = differences.length - fresh.length;
  const stale = acknowledged?.stale.length ?? 0;
  return compact([
    because !== undefined && `${capitalized(because)}.`,
    differences.length === 0
      ? 'The two do not differ in anything that was compared.'
      : fresh.length === 0
        ? `All ${counted(known, 'difference')} ${known === 1 ? 'is' : 'are'} acknowledged.`
        : `The two differ in ${counted(fresh.length, 'way')}: ${countsText(fresh)}; ${limits[options.failOn]}.${known === 0 ? '' : ` ${counted(known, 'other')} ${known === 1 ? 'is' : 'are'} acknowledged.`}`,
    `${counted(counts.compared, 'request')} set side by side, ${counts.alike.toLocaleString('en')} of them answered alike.`,
    a.isRecording &&
      differences.length > 0 &&
      'Sequences are shown as they were sent: a recording cannot be asked for a smaller one.',
    stale !== 0 && `${counted(stale, 'entry')} of ${acknowledged?.file} ${stale === 1 ? 'holds' : 'hold'} no more.`,
  ]);
}

/** Returns what else a comparison has to tell, a list each, the title first; lists without lines are left out. */
export function otherLists({ notCompared, noise, start, shared, acknowledged }: DifferenceReport): Part[] {
  // biome-ignore format: a table
  const lists = [
    { id: 'not-compared', title: 'Could not be compared',                          lines: notCompared.map(({ because, count, endpoints }) => `${counted(count, 'request')}: ${because}${endpoints.length === 0 ? '' : ` (${endpointsText(endpoints)})`}`) },
    { id: 'start',        title: 'Was there before, and differs',                  lines: start.map(({ endpoint, pointer, count }) => `${endpoint} ${pointer}: ${counted(count, 'value')}`) },
    { id: 'shared',       title: 'Broken by both, which is no difference',         lines: shared.map(({ requirement, endpoints }) => `${requirement} (${endpointsText(endpoints)})`) },
    { id: 'noise',        title: 'Noise: what differs from itself, or may differ', lines: noise.map(({ endpoint, pointer, because, count }) => `${endpoint} ${pointer}: ${because}, ${timesText(count)}`) },
    { id: 'unjudged',     title: 'Acknowledged, and not judged',                   lines: (acknowledged?.unjudged ?? []).map(({ entry, why }) => `${entry}: ${why}`) },
  ];
  return lists.filter(({ lines }) => lines.length > 0);
}

/** Returns the command that explains the cause of a difference with all of its evidence; undefined if there is none. */
export function explainCommand(
  { cause, label }: DifferenceReportEntry,
  { a, b }: DifferenceReport,
): string | undefined {
  const journal = (label === 'a-breaks' ? a : b).journals[0];
  return cause === undefined || journal === undefined ? undefined : `${invocation} explain ${cause} ${journal}`;
}
