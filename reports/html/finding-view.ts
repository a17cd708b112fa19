import type { BodyEvidence, Exchange } from '../../contracts/report/evidence.ts';
import { caseText, gotText, type Located, tellingHeaders } from '../terminal/findings.ts';
import { indentedJson } from '../text/indented-json.ts';
import { safeText } from '../text/safe-text.ts';
import { differenceText } from '../text/value.ts';
import { type Difference, markedDifference } from './difference.ts';

/** A finding as the page shows it. */
export interface FindingView {
  readonly anchor: string;
  readonly check: string;
  readonly title: string;
  readonly endpoint: string;
  readonly level: string;
  readonly expected: string;
  readonly got: string;
  /** What came, short enough for the line that stands when the rest is folded. */
  readonly brief: string;
  readonly case: string;
  readonly differs?: string;
  readonly difference?: Difference;
  /** Absent where there was none, and in findings that are told in short. */
  readonly request?: MessageView;
  readonly response?: MessageView;
  readonly commands: readonly CommandView[];
  /** What of it is left to `report.json`. */
  readonly elsewhere?: string;
}

/** A request or a response: its first line, its telling headers, and its body in lines. */
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

/** A finding whole, or in short: without its exchange, which makes the most of a page. */
export function findingView({ endpoint, check, finding }: Located, number: number, whole: boolean): FindingView {
  const { counterexample, exchange, curl, reproduce } = finding;
  const differs = counterexample && differenceText(counterexample);
  const difference = counterexample && markedDifference(counterexample);
  const sendable = whole && curl !== undefined && curl.length <= most.command;
  const left = exchange !== undefined && !whole ? 'Request, answer and curl line: see report.json.' : undefined;
  const long = whole && curl !== undefined && !sendable ? 'The curl line is long: see report.json.' : undefined;
  const elsewhere = left ?? long;
  return {
    anchor: `finding-${number}`,
    check: check.id,
    title: `${endpoint.title}: ${check.title}`,
    endpoint: endpoint.id,
    level: finding.level,
    expected: finding.expected,
    got: gotText(finding),
    brief: safeText(gotText(finding), most.brief),
    case: caseText(finding),
    ...(differs === undefined ? {} : { differs }),
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
      headers: tellingHeaders(request.headers),
      ...(request.body ? bodyView(request.body) : { body: [] }),
    },
    response: response
      ? { line: `${response.status} ${took}`, headers: tellingHeaders(response.headers), ...bodyView(response.body) }
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
