import type { ObjectSchema } from '../../../contracts/dialect.ts';
import type { JsonObject } from '../../../contracts/json.ts';
import { companyOf, fieldsOf } from '../../generators/company.ts';
import { type AcceptCase, mergedBody, type Pack } from '../../generators/index.ts';
import { type CaseDescription, type CheckContext, type CheckResult, covering, unproved } from '../../protocol/check.ts';
import { parts as split } from '../../sut/nearest.ts';
import type { Scenario } from './scenario.ts';

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

/** Returns the members of a patch that may be written to a gate: an answer has told their values (section 4.6). */
export const writableMembers = (
  patch: JsonObject,
  { discovered: { writable } }: CheckContext,
  gate: string,
): JsonObject =>
  Object.fromEntries(
    Object.entries(patch).filter(([field]) => writable?.field('patch-gate', gate, field) === undefined),
  );

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
 * Returns the scenarios that send packs of fields: `scenarioOf` sends a body, and calls back if it was refused. A refused
 * pack is halved until the accepted parts stand alone. A value refused alone is left out of the check's later packs:
 * another check judges whether it should be accepted.
 */
export function createParts(
  context: CheckContext,
  template: JsonObject,
  scenarioOf: (body: JsonObject, onRefused: () => void) => Scenario,
): (pack: Pick<Pack, 'cases'>) => Scenario {
  const refused = new Set<AcceptCase>();
  let parts = 0;
  return function inParts({ cases: all }): Scenario {
    return async (...scene) => {
      const cases = all.filter(one => !refused.has(one) && canBePutBack(one, context));
      if (cases.length === 0) return unproved('each of its fields was refused alone');
      let isRefused = false;
      const scenario = scenarioOf(mergedBody(cases, template), () => {
        isRefused = true;
      });
      const result = await scenario(...scene);
      if (!isRefused) return result;
      if (cases.length === 1) for (const one of cases) refused.add(one);
      parts += 2;
      if (cases.length === 1 || parts > mostParts) return result;
      const results = [];
      for (const half of split(cases, 2)) results.push(await inParts({ cases: half })(...scene));
      return together(results);
    };
  };
}

/**
 * Returns packs in which every two values of every two fields stand together, each with its scenario (see
 * `createParts`). `perCase`: the number of packs per random case of the profile.
 */
export function companyInParts(
  context: CheckContext,
  schema: ObjectSchema,
  template: JsonObject,
  perCase: number,
  scenarioOf: Parameters<typeof createParts>[2],
): readonly { readonly pack: Pack; readonly run: Scenario }[] {
  const inParts = createParts(context, template, scenarioOf);
  const packs = companyOf(schema, template, context.target).slice(0, Math.ceil(perCase * context.amounts.fuzz));
  return packs.map(pack => ({ pack, run: inParts(pack) }));
}
