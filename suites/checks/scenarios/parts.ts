import type { JsonObject } from '../../../contracts/json.ts';
import { fieldsOf } from '../../generators/company.ts';
import { type AcceptCase, mergedBody, type Pack } from '../../generators/index.ts';
import {
  type CaseDescription,
  type CheckContext,
  type CheckResult,
  covering,
  type Session,
  unproved,
} from '../../protocol/check.ts';
import { parts as split } from '../../sut/nearest.ts';
import type { Care, Scenario } from './scenario.ts';

/** Maximum number of requests that take a check's refused packs apart. */
const mostParts = 60;

/** Describes a pack by the fields that it carries. */
export function describePack(pack: Pack): CaseDescription {
  const [one, ...others] = pack.cases;
  if (one === undefined) return { title: 'the minimal request', pointer: '', sent: pack.body };
  if (others.length === 0) return { title: one.title, pointer: one.pointer, sent: one.value };
  return { title: `together: ${fieldsOf(pack).join(', ')}`, pointer: '', sent: pack.body, isPack: true };
}

/** False if a field of the value has a present value that no answer shows: such a field is not written. */
export const canBePutBack = (
  { body }: Pick<AcceptCase, 'body'>,
  { discovered: { writable }, endpoint, minimal }: CheckContext,
): boolean => Object.keys(body).every(field => writable?.field(endpoint, minimal.param, field) === undefined);

/** Merges the results of several parts of one pack. */
function together(results: readonly CheckResult[]): CheckResult {
  const proved = results.filter(one => one.proved);
  if (proved.length === 0) return unproved(results[0]?.because ?? 'nothing of it was accepted');
  return covering(
    proved.flatMap(({ violations }) => violations),
    new Set(proved.flatMap(({ covers = [] }) => [...covers])),
  );
}

/**
 * Makes a sender of packs of fields. `scenarioOf` sends a body, and calls back if it was refused. A refused pack is halved until the accepted parts stand alone. A value refused
 * alone is left out of the check's later packs: another check judges whether it should be accepted.
 */
export function createParts(
  context: CheckContext,
  template: JsonObject,
  care: Care,
  scenarioOf: (body: JsonObject, onRefused: () => void) => Scenario,
): (pack: Pick<Pack, 'cases'>, session: Session) => Promise<CheckResult> {
  const refused = new Set<AcceptCase>();
  let parts = 0;
  return async function inParts({ cases: all }, session): Promise<CheckResult> {
    const cases = all.filter(one => !refused.has(one) && canBePutBack(one, context));
    if (cases.length === 0) return unproved('each of its fields was refused alone');
    let isRefused = false;
    const scenario = scenarioOf(mergedBody(cases, template), () => {
      isRefused = true;
    });
    const result = await scenario(context, session, care);
    if (!isRefused) return result;
    if (cases.length === 1) for (const one of cases) refused.add(one);
    parts += 2;
    if (cases.length === 1 || parts > mostParts) return result;
    const results = [];
    for (const half of split(cases, 2)) results.push(await inParts({ cases: half }, session));
    return together(results);
  };
}
