import type { Step } from '../../contracts/report/evidence.ts';
import type { LocatedFinding } from '../journal/selections.ts';
import { markedDifference } from '../text/difference.ts';
import { cameText } from '../text/exchange-text.ts';
import { caseText, gotText, messagesOf } from '../text/finding-text.ts';
import { pathOf } from '../text/path.ts';
import { safeText } from '../text/safe-text.ts';
import { differenceText } from '../text/value.ts';

/** A name and a value. `kind` is a class of the style. */
export interface Fact {
  readonly name: string;
  readonly value: string;
  readonly kind?: string;
}

const most = { brief: 160, command: 20_000 } as const;
const bodyBounds = { lines: 60, columns: 300, empty: '(empty body)' } as const;
const stepBounds = { ...bodyBounds, lines: 30 } as const;

/** A step of a sequence: what was sent and what came in one line, and both messages. */
const stepView = ({ number, exchange, shown }: Step) => ({
  number,
  line: `${exchange.request.method} ${pathOf(exchange.request.url)} → ${cameText(exchange)}`,
  ...(shown === undefined ? {} : { shown }),
  ...messagesOf(exchange, stepBounds),
});

/** Returns the view of a finding, whole or in short: without its exchange, which makes up most of a page. */
export function findingView(
  { endpoint, check, finding }: LocatedFinding,
  anchor: string,
  symptom: string,
  whole: boolean,
) {
  const { counterexample, exchange, curl, reproduce, steps = [], accused } = finding;
  const difference = counterexample && markedDifference(counterexample);
  const sendable = whole && curl !== undefined && curl.length <= most.command;
  const left = exchange !== undefined && !whole ? 'Request, answer and curl line: see report.json.' : undefined;
  const long = whole && curl !== undefined && !sendable ? 'The curl line is long: see report.json.' : undefined;
  const elsewhere = left ?? long;
  const pairs: Fact[] = [
    { name: 'Expected', value: finding.expected },
    { name: 'Got', value: gotText(finding), kind: 'got' },
    { name: 'Case', value: caseText(finding) },
    { name: 'Differs', value: (counterexample && differenceText(counterexample)) ?? '' },
  ];
  return {
    anchor,
    check: check.id,
    title: `${endpoint.title}: ${check.title}`,
    endpoint: endpoint.id,
    /** What happened, short enough for the line that stands when the rest is folded. */
    brief: safeText(symptom, most.brief),
    /** What was expected, what came, the case, and how it differs from its control. */
    pairs: pairs.filter(({ name, value }) => value !== '' || name === 'Expected' || name === 'Got'),
    ...(difference === undefined ? {} : { difference }),
    ...(whole && exchange && steps.length === 0 ? messagesOf(exchange, bodyBounds) : {}),
    /** The requests of a sequence, one after another. */
    steps: whole ? steps.map(stepView) : [],
    /** The value that is accused, where the body of the answer is cut before it. */
    ...(accused === undefined ? {} : { accused }),
    /** Command lines to copy; a comment may stand on a line before one. */
    commands: [
      ...(sendable ? [{ label: 'Send it again', lines: curl.split('\n') }] : []),
      ...(reproduce === undefined ? [] : [{ label: 'Replay this case', lines: reproduce.split('\n') }]),
    ],
    /** Which part of it is left to `report.json`. */
    ...(elsewhere === undefined ? {} : { elsewhere }),
  };
}
