import type {
  DifferencePlace,
  DifferenceReport,
  DifferenceReportEntry,
  StepOfBoth,
} from '../../contracts/report/difference.ts';
import { failsAt } from '../../contracts/report/difference-verdict.ts';
import { isRequirementId, requirementById } from '../../contracts/requirements/index.ts';
import type { Clause, Entry, Item, Message, Step } from '../document/document.ts';
import { mark } from '../document/marks.ts';
import { invocation, shellWord } from '../text/shell.ts';

/** Returns a difference as an entry, which counts if the comparison fails because of it. */
export function differenceEntry(one: DifferenceReportEntry, report: DifferenceReport): Entry {
  const { id, title, places, endpoints, requirements, acknowledged } = one;
  const counts = !acknowledged && failsAt(one, report.options.failOn);
  return {
    anchor: id,
    id,
    mark: counts
      ? mark('fail', 'fails the comparison')
      : mark(one.label.endsWith('breaks') ? 'warn' : 'open', acknowledged ? 'acknowledged' : 'does not count'),
    counts,
    title,
    label: labelText(one),
    clauses: requirements.map(clauseOf),
    endpoints,
    items: places.map((place, index) => itemOf(place, index === 0)),
    command: explainCommand(one, report),
    known: acknowledged && [acknowledged.reason, acknowledged.issue].filter(Boolean).join(', '),
  };
}

/** Returns which side a difference is blamed on, in a few words. */
function labelText({ label, level = 'MUST' }: DifferenceReportEntry): string {
  if (label === 'open') return 'left open by the specification';
  if (label === 'unsaid') return 'nothing is said about it';
  return `${label === 'a-breaks' ? 'A' : 'B'} breaks a ${level}`;
}

/** Returns a requirement, with section, level and statement if this version knows it. */
function clauseOf(id: string): Clause {
  if (!isRequirementId(id)) return { id, about: '', statement: '' };
  const { section, level, statement } = requirementById(id);
  return { id, about: `section ${section}, ${level}`, statement };
}

/** Returns the command that explains the cause of a difference with its evidence; undefined if there is none. */
function explainCommand({ cause, label }: DifferenceReportEntry, { a, b }: DifferenceReport): string | undefined {
  const journal = (label === 'a-breaks' ? a : b).journals[0];
  return cause === undefined || journal === undefined
    ? undefined
    : `${invocation} explain ${cause} ${shellWord(journal)}`;
}

/** Returns how often something was seen: `3 times`. */
export const timesText = (occurrences: number): string => (occurrences === 1 ? 'once' : `${occurrences} times`);

/**
 * Returns a place: `patch-gate status`, `list-events /data/0/name (presence)`. The first has the requests that show it.
 */
function itemOf({ endpoint, pointer, aspect, occurrences, a, b, example }: DifferencePlace, isFirst: boolean): Item {
  const { title, unit, path, shrinks, steps } = example;
  // What no case sent has no title.
  const titled = title === '' ? '' : `${title}: `;
  const isSaid = pointer === aspect || pointer === 'status';
  return {
    where: `${endpoint} ${pointer === '' ? 'body' : pointer}${isSaid ? '' : ` (${aspect})`}`,
    note: timesText(occurrences),
    pairs: [
      { name: 'A', value: a },
      { name: 'B', value: b },
    ],
    ...(isFirst && {
      example: `${titled}${unit}, case ${path}${shrinks === 0 ? '' : `, made smaller ${timesText(shrinks)}`}`,
    }),
    steps: isFirst ? steps.map(stepOf) : [],
  };
}

/** Returns a step with one request for both sides, or one each if target names or omitted fields make them differ. */
function stepOf({ number, request, requestOfB, ...answers }: StepOfBoth): Step {
  // biome-ignore format: a table
  const requests = [
    { letter: requestOfB ? 'A' : '', sent: request },
    { letter: 'B',                                 sent: requestOfB },
  ];
  return {
    number,
    requests: requests.flatMap(({ letter, sent }) =>
      sent ? messageOf(`Request to ${letter || 'both'}`, letter, `${sent.method} ${sent.path}`, sent.body) : [],
    ),
    answers: (['a', 'b'] as const).map(side => {
      const letter = side.toUpperCase();
      const { status, failure = 'unknown', body } = answers[side] ?? {};
      const came = status === undefined ? `no answer: ${failure}` : String(status);
      const line = answers[side] ? came : 'It was not sent this request.';
      return messageOf(`${letter} answered`, letter, line, body);
    }),
    isOpen: true,
  };
}

const messageOf = (label: string, letter: string, line: string, text: string | undefined): Message => ({
  label,
  letter,
  line,
  brief: line,
  headers: [],
  body: text ? { text, bytes: Buffer.byteLength(text), truncated: text.endsWith('…') } : undefined,
});
