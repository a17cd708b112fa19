import type { BodyEvidence, Exchange } from '../../contracts/report/evidence.ts';
import type { LocatedFinding } from '../journal/selections.ts';
import { caseText, gotText, informativeHeaders } from '../text/finding-text.ts';
import { indentedJson } from '../text/indented-json.ts';
import { safeText } from '../text/safe-text.ts';
import { differenceText } from '../text/value.ts';
import { type MarkedDifference, markedDifference } from './difference.ts';

/** A name and a value. `kind` is a class of the style. */
export interface Fact {
  readonly name: string;
  readonly value: string;
  readonly kind?: string;
}

/** A finding as the page shows it. */
export interface FindingView {
  readonly anchor: string;
  readonly check: string;
  readonly title: string;
  readonly endpoint: string;
  /** What came, short enough for the line that stands when the rest is folded. */
  readonly brief: string;
  /** What was expected, what came, the case, and how it differs from its control. */
  readonly pairs: readonly Fact[];
  readonly difference?: MarkedDifference;
  /** Absent if there was none, and in findings that are shown in short. */
  readonly request?: MessageView;
  readonly response?: MessageView;
  readonly commands: readonly CommandView[];
  /** Which part of it is left to `report.json`. */
  readonly elsewhere?: string;
}

/** A request or a response: its first line, its informative headers, and its body in lines. */
export interface MessageView {
  readonly line: string;
  readonly headers: readonly string[];
  readonly body: readonly string[];
  readonly note?: string;
}

/** A command line to copy; a comment may stand on a line before it. */
export interface CommandView {
  readonly label: string;
  readonly lines: readonly string[];
}

const most = { brief: 120, lines: 60, columns: 300, command: 20_000 } as const;

/** Returns the view of a finding, whole or in short: without its exchange, which makes up most of a page. */
export function findingView({ endpoint, check, finding }: LocatedFinding, anchor: string, whole: boolean): FindingView {
  const { counterexample, exchange, curl, reproduce } = finding;
  const got = gotText(finding);
  const difference = counterexample && markedDifference(counterexample);
  const sendable = whole && curl !== undefined && curl.length <= most.command;
  const left = exchange !== undefined && !whole ? 'Request, answer and curl line: see report.json.' : undefined;
  const long = whole && curl !== undefined && !sendable ? 'The curl line is long: see report.json.' : undefined;
  const elsewhere = left ?? long;
  return {
    anchor,
    check: check.id,
    title: `${endpoint.title}: ${check.title}`,
    endpoint: endpoint.id,
    brief: safeText(got, most.brief),
    pairs: [
      { name: 'Expected', value: finding.expected },
      { name: 'Got', value: got, kind: 'got' },
      { name: 'Case', value: caseText(finding) },
      { name: 'Differs', value: (counterexample && differenceText(counterexample)) ?? '' },
    ].filter(({ name, value }) => value !== '' || name === 'Expected' || name === 'Got'),
    ...(difference === undefined ? {} : { difference }),
    ...(whole && exchange ? messages(exchange) : {}),
    commands: [
      ...(sendable ? [{ label: 'Send it again', lines: curl.split('\n') }] : []),
      ...(reproduce === undefined ? [] : [{ label: 'Replay this case', lines: reproduce.split('\n') }]),
    ],
    ...(elsewhere === undefined ? {} : { elsewhere }),
  };
}

function messages({ request, response, failure, durationMs }: Exchange): {
  request: MessageView;
  response: MessageView;
} {
  const took = `after ${Math.round(durationMs)} ms`;
  return {
    request: {
      line: `${request.method} ${request.url}`,
      headers: informativeHeaders(request.headers),
      ...(request.body ? bodyView(request.body) : { body: [] }),
    },
    response: response
      ? {
          line: `${response.status} ${took}`,
          headers: informativeHeaders(response.headers),
          ...bodyView(response.body),
        }
      : { line: `no answer ${took}: ${failure ?? 'unknown'}`, headers: [], body: [] },
  };
}

function bodyView(body: BodyEvidence): Pick<MessageView, 'body' | 'note'> {
  if (body.bytes === 0) return { body: [], note: '(empty body)' };
  const lines = indentedJson(body.text, most.lines + 1);
  const cut = body.truncated || lines.length > most.lines;
  return {
    body: lines.slice(0, most.lines).map(line => safeText(line, most.columns)),
    ...(cut ? { note: `… (${body.bytes} bytes in all)` } : {}),
  };
}
