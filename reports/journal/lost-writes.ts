import { type EndpointId, endpoints } from '../../contracts/endpoints.ts';
import { isObject, type Json, type Members, parsedJson } from '../../contracts/json.ts';
import { jsonAt } from '../../contracts/json-tree.ts';
import { same } from '../../contracts/pointer.ts';
import type { Exchange } from '../../contracts/report/evidence.ts';
import type { ReportedFinding } from '../text/finding-text.ts';
import { isWrite } from '../text/symptom.ts';
import { operationOf } from './traits.ts';

/** Tells which write a finding about stored state shows to be lost, and how much of it. */

/** Returns the members of the object at a pointer into a body; undefined if the body is cut off or holds none. */
function membersOf(text: string | undefined, pointer: string): Members | undefined {
  const found = parsedJson(jsonAt(text ?? '', pointer) ?? '');
  return isObject(found) ? found : undefined;
}

const shownBy = ({ response }: Exchange, pointer: string): Members | undefined =>
  membersOf(response?.body.text, pointer);

/**
 * True if a finding shows that nothing of a write was stored: of the fields that the write changed, the accused one is
 * not the only one that is as it was before. Needs the readings before and after the write.
 */
export function isLostWhole({ fault, pointer, steps = [], exchange }: ReportedFinding): boolean {
  const [, entity, member = ''] = /^(\/data(?:\/\d+)?)\/([^/]+)/.exec(pointer) ?? [];
  const write = steps.findLast(one => isWrite(one.exchange));
  const [first] = steps;
  if (fault?.kind !== 'lost' || entity === undefined || !exchange) return false;
  if (!write || !first || first === write) return false;
  const sent = membersOf(write.exchange.request.body?.text, '');
  const [before, after] = [first.exchange, exchange].map(one => shownBy(one, entity));
  if (!sent || !before || !after) return false;
  const others = Object.keys(sent).filter(
    name => name !== member && Object.hasOwn(before, name) && !same(sent[name] as Json, before[name] as Json),
  );
  return others.length > 0 && others.every(name => same(after[name] as Json, before[name] as Json));
}

/**
 * Returns the operation that set the expected value of a finding without a body, as disabling sets `isEnabled`;
 * undefined if there is none.
 */
export function undoneBy({ fault, steps = [] }: ReportedFinding): EndpointId | undefined {
  if (fault?.expected === undefined) return undefined;
  const shown = JSON.stringify(fault.expected);
  const set = steps.findLast(one => one.shown === shown && isWrite(one.exchange));
  const operation = operationOf(set?.exchange)?.endpoint;
  return operation && endpoints[operation].body === null ? operation : undefined;
}
