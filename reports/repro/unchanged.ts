import type { Action } from '../../contracts/endpoint.ts';
import { endpoints } from '../../contracts/endpoints.ts';
import { isObject, type Json, parsedJson } from '../../contracts/json.ts';
import { jsonAt } from '../../contracts/json-tree.ts';
import type { OperationAt } from '../../contracts/operation-at.ts';
import { at, same, steps } from '../../contracts/pointer.ts';
import type { Exchange } from '../../contracts/report/evidence.ts';
import type { ReportedFinding } from '../text/finding-text.ts';
import { isAboutChange } from '../text/symptom.ts';
import { byFilter, type Judgement, jq, keep, slurp, valueAt, wantedJson } from './judgement.ts';
import { membersSent, operationOf, type ScriptContext, type ShellParts } from './request-lines.ts';

/**
 * How to judge a value that had to stay. A script compares it with an earlier answer, so it needs no value of the
 * report, and works for servers with other values. The earlier answer is the same reading before the last write, or
 * another answer that showed the value.
 */
interface Comparison {
  /** The index of the exchange whose answer is kept as `$work/before`, if needed. */
  readonly before?: number;
  readonly judgement: Judgement;
}

const isSame = ({ request: one }: Exchange, { request: other }: Exchange): boolean =>
  one.method === other.method && one.url === other.url && one.body?.text === other.body?.text;

/** True if a request was answered with a success. */
export const isSuccess = ({ response }: Exchange): boolean => response !== undefined && response.status < 300;

/**
 * Returns the operation of a request, and its entity; undefined if it changes nothing: a reading, a dry run or a
 * refusal.
 */
function writeOf(exchange: Exchange, baseUrls: readonly string[]): OperationAt | undefined {
  const found = operationOf(exchange, baseUrls);
  if (!found || !isSuccess(exchange) || endpoints[found.endpoint].effect === 'read') return undefined;
  return membersSent(exchange).dryRun === true || exchange.request.body?.text === '{}' ? undefined : found;
}

/** The member that an operation changes without naming it in its body. Operations not listed may change any member. */
const changedBy: { readonly [action in Action]?: string } = { disable: 'isEnabled', enable: 'groups' };

/** True if two operations concern entities of one kind. */
const isOfKind = (one: Pick<OperationAt, 'endpoint'>, other: OperationAt | undefined): boolean =>
  other !== undefined && endpoints[one.endpoint].collection === endpoints[other.endpoint].collection;

/** True if a write is meant to change the accused member of the entity that is read. */
function carries(exchange: Exchange, operation: OperationAt, reading: OperationAt | undefined, member: string) {
  if (reading?.param !== undefined && operation.param !== reading.param) return false;
  const { action } = endpoints[operation.endpoint];
  if (action === 'patch') return Object.hasOwn(membersSent(exchange), member);
  return (changedBy[action] ?? member) === member;
}

/** Returns a filter that is true if list items have the same value at a place as before, except some items. */
const itemsFilter = (key: string, place: string, but: readonly string[]): string =>
  [
    `def shown: [.data[] | {key: .${key}, value: ${valueAt(place)}}];`,
    `shown as $is | all($before[0] | shown[] | select(.key as $key | ${JSON.stringify(but)} | index($key) == null);`,
    '. as $was | all($is[] | select(.key == $was.key); . == $was))',
  ].join(' ');

/** Returns a pointer without its first step: from an answer into its data. */
const below = (pointer: string): string => pointer.replace(/^\/[^/]*/, '');

/**
 * Returns the index of the last exchange before the accused one that showed the entity as expected, by any operation.
 * Returns -1 if there is none, or if the accused request itself was to change it.
 */
function shownBefore(finding: ReportedFinding, exchanges: readonly Exchange[], baseUrls: readonly string[]): number {
  const accused = exchanges.at(-1) as Exchange;
  const reading = operationOf(accused, baseUrls);
  const wanted = parsedJson(wantedJson(finding) ?? '');
  const [data, member = ''] = steps(finding.pointer);
  if (reading?.param === undefined || wanted === undefined || data !== 'data') return -1;
  if (writeOf(accused, baseUrls) && carries(accused, reading, reading, member)) return -1;
  return exchanges.slice(0, -1).findLastIndex(one => {
    const operation = operationOf(one, baseUrls);
    const shown = jsonAt(one.response?.body.text ?? '', finding.pointer);
    const isOfIt = isOfKind(reading, operation) && operation?.param === reading.param;
    return isOfIt && isSuccess(one) && shown !== undefined && same(parsedJson(shown), wanted);
  });
}

/**
 * Returns how to compare the accused answer, the last exchange, with the reading before the last write, or with the
 * value that a write in between sent. Undefined if neither is possible; null if the comparison would not show the
 * finding.
 */
export function comparisonOf(
  finding: ReportedFinding,
  exchanges: readonly Exchange[],
  context: ScriptContext,
): Comparison | null | undefined {
  const { baseUrls } = context;
  const accused = exchanges.at(-1);
  if (!accused || !isAboutChange(finding)) return undefined;
  const lastWrite = exchanges.findLastIndex(one => !isSame(one, accused) && one.request.method !== 'GET');
  const alike = exchanges.slice(0, Math.max(0, lastWrite)).findLastIndex(one => isSame(one, accused) && isSuccess(one));
  const before = alike < 0 ? shownBefore(finding, exchanges, baseUrls) : alike;
  if (before < 0) return undefined;
  const reading = operationOf(accused, baseUrls);
  const between = exchanges.slice(before + 1, -1).flatMap(exchange => {
    const operation = writeOf(exchange, baseUrls);
    return !operation || !isOfKind(operation, reading) ? [] : [{ exchange, operation }];
  });
  const [data, item, ...place] = steps(finding.pointer);
  if (data === 'data' && item === '*') {
    const [key] = reading ? endpoints[reading.endpoint].itemKey : [];
    if (!key || place.length === 0 || place.includes('*')) return undefined;
    const written = between.flatMap(({ operation: { param } }) => param ?? []);
    return { before, judgement: byFilter(itemsFilter(key, below(below(finding.pointer)), written), slurp('before')) };
  }
  const member = item ?? '';
  if (member === '' || finding.pointer.includes('*')) return undefined;
  const here = valueAt(finding.pointer);
  const carrying = between.findLast(({ exchange, operation }) => carries(exchange, operation, reading, member));
  if (carrying) return asSent(finding, carrying.exchange, context.parts);
  const stays = byFilter(`${here} == ($before[0] | ${here})`, slurp('before'));
  // Another operation may always have shown another value.
  return { before, judgement: alike < 0 ? stays : [...stays, ...asBeforeTheRun(finding, reading, context)] };
}

/** True if a value contains the sent one: an object may have gained members. */
function holds(value: Json | undefined, sent: Json): boolean {
  if (isObject(value) && isObject(sent))
    return Object.entries(sent).every(([name, own]) => Object.hasOwn(value, name) && holds(value[name], own));
  if (Array.isArray(value) && Array.isArray(sent))
    return value.length === sent.length && sent.every((own, index) => holds(value[index], own));
  return same(value, sent);
}

/** The same as a function of jq. */
const holdsFilter = [
  'def holds($s): . as $v |',
  'if type == "object" and ($s | type) == "object" then all($s | keys[]; . as $k | $v | has($k) and (.[$k] | holds($s[$k])))',
  'elif type == "array" and ($s | type) == "array" then length == ($s | length) and all(range($s | length); . as $i | $v[$i] | holds($s[$i]))',
  'else . == $s end;',
].join(' ');

/**
 * Returns the comparison with the value that a write between the readings sent. What a wrong server made of that value
 * proves nothing about other servers. Null if the recorded answer shows the sent value.
 */
function asSent(finding: ReportedFinding, write: Exchange, parts: ShellParts): Comparison | null | undefined {
  const sent = at(membersSent(write) as Json, below(finding.pointer));
  if (sent === undefined) return undefined;
  const shown = jsonAt(finding.exchange?.response?.body.text ?? '', finding.pointer) ?? finding.accused;
  if (shown !== undefined && holds(parsedJson(shown), sent)) return null;
  const filter = byFilter(`${holdsFilter} ${valueAt(finding.pointer)} | holds($expected[0])`, slurp('expected'));
  return { judgement: [keep('expected', JSON.stringify(sent), parts), ...filter] };
}

/**
 * Returns lines that also compare with the value before the run. Otherwise a permanent effect of an earlier request
 * would pass for the original state. Only `put_back` guarantees that value; without it, a difference may have other
 * reasons.
 */
function asBeforeTheRun(
  finding: ReportedFinding,
  reading: OperationAt | undefined,
  { snapshots, parts }: ScriptContext,
): Judgement {
  const wanted = wantedJson(finding);
  const own = snapshots.find(one => isOfKind(one, reading) && one.param === reading?.param);
  if (wanted === undefined || !own) return [];
  const held = at(own.body as Json, below(finding.pointer));
  if (held !== undefined && !same(held, JSON.parse(wanted))) return [];
  return [
    keep('expected', wanted, parts),
    `if ! ${jq(`${valueAt(finding.pointer)} == $expected[0]`, slurp('expected'))}; then`,
    held === undefined
      ? "  odd='it is not as it was before the run'"
      : "  case $is_put_back in 1) there ;; no) odd='it could not be put back' ;; esac",
    'fi',
  ];
}
