import { endpointIds, endpoints } from '../../contracts/endpoints.ts';
import { distinct } from '../../contracts/grouped.ts';
import type { Json } from '../../contracts/json.ts';
import { same } from '../../contracts/pointer.ts';
import { compact } from '../../contracts/present.ts';
import { type Exchange, hidden } from '../../contracts/report/evidence.ts';
import type { FixtureSnapshot } from '../../contracts/report/journal.ts';
import type { Report } from '../../contracts/report/report.ts';
import { type Cause, causesWithFindings } from '../journal/causes.ts';
import type { NamedFinding } from '../journal/selections.ts';
import { type ReportedFinding, stepsOf } from '../text/finding-text.ts';
import { pathOf } from '../text/page.ts';
import { safeText } from '../text/safe-text.ts';
import { headerVariable, isAdded, singleQuoted } from '../text/shell.ts';
import { isAboutChange, isWrite } from '../text/symptom.ts';
import { judgeListed, judgementOf } from './judgement.ts';
import {
  addedHeaders,
  baseOf,
  keyLines,
  membersSent,
  operationOf,
  putBackLines,
  type ScriptContext,
  sendLines,
  shellParts,
  tokenLines,
} from './request-lines.ts';
import { comparisonOf, isSuccess } from './unchanged.ts';

/** The input of a script: the report, and the snapshots of its journal. */
interface ScriptInput {
  readonly report: Report;
  readonly snapshots: readonly FixtureSnapshot[];
  /** If the report joins shards: the token and base URL of each; absent: those of the report. */
  readonly shards?: readonly { readonly token: string; readonly baseUrl: string }[];
}

/** True if a finding occurs only among concurrent requests: such a case is replayed, not scripted. */
const isOfRaces = ({ requirement, timeline }: ReportedFinding): boolean =>
  timeline !== undefined || /^state\.concurrent/.test(requirement);

/** True if something created is not listed or not counted. */
const isListed = ({ requirement }: ReportedFinding): boolean => requirement === 'state.metric-listed';

/** True if something changed or was lost, and the report lacks the request that did it. */
const changesUnseen = (finding: ReportedFinding, exchanges: readonly Exchange[]): boolean =>
  (isListed(finding) || isAboutChange(finding)) && !exchanges.some(isWrite);

const isHidden = (text: string): boolean => Object.values(hidden).some(mark => text.includes(mark));

/** True if a script can send a request again: the report has all of it, and the target is that of the run. */
function isSendable({ request: { url, headers, body } }: Exchange, baseUrls: readonly string[]): boolean {
  // An added header is hidden as a whole, so the script reads its value from the environment.
  const others = headers.filter(one => !isAdded(one)).map(({ value }) => value);
  const isWhole = !body?.truncated && ![url, body?.text ?? '', ...others].some(isHidden);
  return isWhole && baseOf(url, baseUrls) !== undefined;
}

/**
 * True if the refusal of the last request is accused, and an earlier refused step sent all that it sends. A server that
 * accepts the step has done what the last request asks for.
 */
function asksTheSame({ pointer }: ReportedFinding, one: Exchange, last: Exchange | undefined): boolean {
  const isRefusal = ({ response }: Exchange): boolean => response !== undefined && response.status >= 400;
  if (!last || one === last || pointer !== 'status' || !isRefusal(one) || !isRefusal(last)) return false;
  const isSameOperation = one.request.method === last.request.method && one.request.url === last.request.url;
  const sent = membersSent(one);
  const members = Object.entries(membersSent(last));
  return (
    isSameOperation && members.length > 0 && members.every(([name, value]) => same(sent[name] as Json, value as Json))
  );
}

/** Returns one step of a script: a comment, the request, and the status without which the script stops. */
function stepLines(exchange: Exchange, index: number, isLast: boolean, context: ScriptContext): string[] {
  const { request } = exchange;
  return [
    '',
    comment(`${index + 1}. ${request.method} ${pathOf(request.url)}`),
    ...sendLines(request, context),
    ...(isLast || !isSuccess(exchange)
      ? []
      : [`case $status in 2??) ;; *) unknown "step ${index + 1}: status $status" ;; esac`]),
  ];
}

const comment = (text: string): string => `# ${safeText(text, 160)}`;

/** Returns the operations of a script whose effects the API cannot undo. */
function lasting(exchanges: readonly Exchange[], baseUrls: readonly string[]): string[] {
  const sent = new Set(exchanges.map(one => operationOf(one, baseUrls)?.endpoint));
  return endpointIds.filter(id => !['read', 'restorable'].includes(endpoints[id].effect) && sent.has(id));
}

/** Maximum attempts at an intermittent defect, and requests in all, if attempts leave nothing behind. */
const most = { attempts: 60, requests: 120 } as const;

/** Returns the attempts: many for an intermittent defect, a few for one that depends on a count. */
function attemptLines(finding: ReportedFinding, exchanges: readonly Exchange[], isLasting: boolean): string[] {
  const { times, of } = finding.seen ?? { times: 1, of: 1 };
  if (isLasting) return isListed(finding) ? ['attempt', 'attempt', 'attempt'] : ['attempt'];
  if (times < of)
    return [
      'tries=0',
      `while [ $tries -lt ${Math.min(most.attempts, Math.ceil(most.requests / exchanges.length))} ]; do`,
      '  tries=$((tries + 1))',
      '  attempt; put_back',
      'done',
    ];
  // A write lost each second or third time shows only if another value was stored before it. Extra calls of `put_back`
  // vary the number of writes between attempts.
  return exchanges.length === 1
    ? ['attempt']
    : Array.from({ length: 3 }, () => 'attempt; put_back; attempt; put_back; put_back');
}

/**
 * Returns the script of a cause, for a POSIX shell with curl and jq. It sends the requests of the first finding again
 * under new names, looks at the accused place, and restores what the API can restore. If that finding cannot show the
 * defect, the next one is used. Exits 0 if the defect is gone, 1 if it is there, 2 if that is unknown. Undefined if a
 * script would not show it: races, partly recorded requests, comparisons with more of the target.
 */
export function scriptOf(cause: Cause, input: ScriptInput): string | undefined {
  for (const one of cause.findings) {
    const script = scriptOfFinding(cause, one, input);
    if (script !== undefined) return script;
  }
  return undefined;
}

/** Returns the script of one finding; undefined if its evidence cannot show the defect again. */
function scriptOfFinding(
  cause: Cause,
  named: NamedFinding,
  { report, snapshots, shards = [] }: ScriptInput,
): string | undefined {
  const { finding } = named;
  const baseUrls = distinct([report.target.baseUrl, ...shards.map(shard => shard.baseUrl)]);
  const exchanges = stepsOf(finding).map(({ exchange }) => exchange);
  const isShown = exchanges.length > 0 && !isOfRaces(finding) && !changesUnseen(finding, exchanges);
  if (!isShown || !exchanges.every(one => isSendable(one, baseUrls))) return undefined;
  const tokens = distinct([report.token, ...shards.map(({ token }) => token)]);
  const context = { baseUrls, snapshots, parts: shellParts(tokens) };
  const checking = judgedSteps(finding, exchanges, context);
  if (!checking) return undefined;
  const stays = lasting(exchanges, baseUrls);
  const putBack = putBackLines(exchanges, context, finding.pointer);
  const sending = [...putBack, ...checking];
  return `${[
    ...headLines(cause, named, report, exchanges, stays),
    ...keyLines(sending),
    ...putBack,
    'trap \'put_back; rm -rf "$work"\' EXIT',
    "trap 'exit 2' HUP INT TERM",
    'send() {',
    '  method=$1 path=$2; shift 2',
    '  status=$(curl -sS --path-as-is --globoff --max-time 60 -o "$work/answer" -w "%{http_code}" -X "$method" "$@" --url "$base$path") || status=000',
    '}',
    '',
    'attempt() {',
    ...tokenLines(sending, report.token.length),
    ...checking,
    '}',
    '',
    ...attemptLines(finding, exchanges, stays.length > 0),
    '[ -z "$odd" ] || unknown "$odd"',
    `echo ${singleQuoted(`✓ ${cause.id} no longer happens`)}`,
  ].join('\n')}\n`;
}

/** Returns the lines that send the requests and judge the answer; undefined if they would not show the defect. */
function judgedSteps(finding: ReportedFinding, exchanges: readonly Exchange[], context: ScriptContext) {
  const comparison = comparisonOf(finding, exchanges, context);
  if (comparison === null) return undefined;
  const sendPage = finding.exchange && sendLines(finding.exchange.request, context, 'query').join('; ');
  const judgement = isListed(finding)
    ? judgeListed(finding, context.parts, sendPage ?? '')
    : (comparison?.judgement ?? judgementOf(finding, context.parts));
  if (!judgement) return undefined;
  const alike = new Set(exchanges.filter(one => asksTheSame(finding, one, exchanges.at(-1))));
  return compact([
    alike.size > 0 && 'is_taken=',
    ...exchanges.flatMap((exchange, index) => [
      ...stepLines(exchange, index, index === exchanges.length - 1, context),
      alike.has(exchange) && 'case $status in 2??) is_taken=1 ;; esac',
      index === comparison?.before && 'cp "$work/answer" "$work/before"',
    ]),
    '',
    '# Is it as it should be?',
    ...(alike.size === 0 ? judgement : ['if [ -n "$is_taken" ]; then gone; else', ...judgement, 'fi']),
  ]);
}

/** Returns the subject and needs of a script, and the functions that end it. */
function headLines(
  { id, title }: Cause,
  { name, finding }: NamedFinding,
  { seed, profile, target }: Report,
  exchanges: readonly Exchange[],
  stays: readonly string[],
): string[] {
  const added = addedHeaders(exchanges);
  return [
    '#!/bin/sh',
    comment(`${id}: ${title}`),
    comment(`${finding.requirement}, ${name}, seed ${seed}, profile ${profile}`),
    '# Exits 0 when it no longer happens, 1 while it does, 2 when that cannot be told.',
    '# Needs curl and jq, and the API key in SERVICE_API_KEY; BASE_URL names another server.',
    ...added.map(header => comment(`The value of the header ${header} is read from ${headerVariable(header)}.`)),
    ...(stays.length === 0 ? [] : [`# The API cannot undo it: ${stays.join(', ')}.`]),
    'set -u',
    'is_put_back= odd=',
    'export LC_ALL=C',
    'unknown() { echo "? cannot be told: $1" >&2; exit 2; }',
    `there() { echo ${singleQuoted(`✗ ${id} still happens`)}; exit 1; }`,
    'gone() { :; }',
    ...['SERVICE_API_KEY', ...added.map(headerVariable)].map(one => `[ -n "\${${one}:-}" ] || unknown "set ${one}"`),
    'command -v curl >/dev/null && command -v jq >/dev/null || unknown "curl and jq are needed"',
    `base=\${BASE_URL:-${singleQuoted(target.baseUrl.replace(/\/+$/, ''))}}`,
    `base=\${base%/}`,
    'work=$(mktemp -d) || unknown "no place for files"',
  ];
}

/** Returns the script of each cause that has one, by the id of the cause. */
export function reproductionScripts(input: ScriptInput): ReadonlyMap<string, string> {
  return new Map(
    causesWithFindings(input.report).flatMap(cause => {
      const script = scriptOf(cause, input);
      return script === undefined ? [] : [[cause.id, script] as const];
    }),
  );
}
