import { isOperation } from '../../../contracts/endpoint.ts';
import { endpoints } from '../../../contracts/endpoints.ts';
import { isObject, type Json, type JsonObject, type Members } from '../../../contracts/json.ts';
import { companyOf, fieldsOf } from '../../generators/company.ts';
import type { Pack } from '../../generators/index.ts';
import { isClientError } from '../../judge/outcome.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import { dataObject } from '../../protocol/answer.ts';
import { type ActiveCheck, type CheckContext, minimalApiRequest } from '../../protocol/check.ts';
import { areComparable, type Difference, differencesOf, differenceViolations } from '../../state/difference.ts';
import { withoutDisabled } from '../../state/entity-kinds.ts';
import { isBlockedRequest, minimalRequest } from '../../sut/minimal-request.ts';
import { createParts, describePack } from './parts.ts';
import { createCare, liveness, type Scenario } from './scenario.ts';

/** The operation whose body says which settings are sets, and of which the order counts. */
const whole = endpoints['update-experiment'];

/** The settings of an experiment: what an update sends. Everything else of an answer is computed, stamped or open. */
const settings = Object.keys(whole.body.properties);

/** Merged with the scores that there are, and renormalised. */
const notCompared = ['manualQualityScores'];

/** The settings of an experiment that another answer shows as well: two operations may show different parts of it. */
const settingsOf = (experiment: Members, other: Members): Members =>
  Object.fromEntries(
    Object.entries(experiment)
      .filter(([field]) => settings.includes(field) && other[field] !== undefined)
      .map(([field, value]) => [
        field,
        field === 'groups' && Array.isArray(value) ? value.map(withoutDisabled) : value,
      ]),
  );

/** The body of the update of the experiment of a context; undefined where the target file lacks something for it. */
function updateOf({ target, discovered, minimal: { param } }: CheckContext): JsonObject | undefined {
  const update = minimalRequest(target, discovered, 'update-experiment', param);
  return isBlockedRequest(update) ? undefined : update.body;
}

/**
 * An update is read for what the experiment is, for no operation reads one; sent again, it is the control. Calls back
 * where the update is refused.
 */
const enableGroups =
  (body: JsonObject | undefined, names: readonly Json[] | undefined, onRefused: () => void = () => {}): Scenario =>
  (context, session, { attribute }) => {
    const { param } = context.minimal;
    const enabling =
      names === undefined ? minimalApiRequest(context) : minimalApiRequest(context, { group_names: [...names] });
    const read = () =>
      session.send(body === undefined ? minimalApiRequest(context) : { endpoint: 'update-experiment', param, body });
    const differences = (before: Members, after: Members) =>
      differencesOf(whole, settingsOf(before, after), settingsOf(after, before), notCompared);
    return attribute(session, {
      async attempt() {
        const first = await read();
        if (isClientError(first)) onRefused();
        if (!first.success)
          return { because: `the experiment could not be read first (${refusalInWords(first)})`, answer: first };
        const answer = await session.send(enabling);
        if (!answer.success) return { because: `enabling was refused (${refusalInWords(answer)})`, answer };
        const [before, after] = [dataObject(first), dataObject(answer)];
        if (!areComparable(context.row, settingsOf(before, after), settingsOf(after, before), notCompared))
          return { because: 'the two answers show no setting in common' };
        const changed = differences(before, after);
        const expected = ({ field }: Difference) => `${field} as it was`;
        const violations = differenceViolations(changed, answer, 'state.enable-groups-frame', expected);
        return {
          suspicions: violations.map((violation, index) => ({ key: changed[index]?.field ?? '', violation })),
          covers: ['state.enable-groups-frame'],
        };
      },
      async watch(readings) {
        const moving: string[] = [];
        let last = await read();
        for (let number = 0; number < readings; number += 1) {
          const next = await read();
          if (last.success && next.success)
            moving.push(...differences(dataObject(last), dataObject(next)).map(({ field }) => field));
          last = next;
        }
        return moving;
      },
      // Each try begins with the whole update.
      putBack: async () => body !== undefined,
    });
  };

/** The update that is sent where nothing else is, and no pack. */
const minimalUpdate: Pack = { body: {}, cases: [] };

/** The update in which each group has parameters of its own. */
const ownParameters: Pack = { body: {}, cases: [] };

/** The groups of an update, told apart by a parameter and a description. */
const toldApart = (body: JsonObject): JsonObject => {
  const groups = Array.isArray(body.groups) ? body.groups : [];
  const details = (turn: number) => ({ parameterValues: { color: `blue ${turn}` }, description: `Group ${turn}` });
  return { ...body, groups: groups.map((one, index) => ({ ...(isObject(one) ? one : {}), ...details(index + 1) })) };
};

/** Packs, for each random case that the profile has of a check. */
const packsPerCase = 0.6;

/** Section 4.8: enabling groups leaves the rest of the experiment alone; which groups end up disabled is open. */
export const restUnchanged: ActiveCheck<Pack> = {
  kind: 'active',
  id: 'rest-unchanged',
  level: 'MUST',
  title: 'Enabling groups leaves the rest of the experiment as it was',
  detects: 'An operation that drops the other groups, resets the allocation or answers with another experiment.',
  requirements: () => ['state.enable-groups-frame', ...liveness],
  appliesTo: row => isOperation(row, 'experiment', 'enable'),
  plan(context) {
    const care = createCare(context.settleMs);
    const template = updateOf(context);
    const { target, amounts, minimal } = context;
    const names = target.fixtures.experiments?.find(({ id }) => id === minimal.param)?.groups ?? [];
    // One by one, the second first, and together.
    const choices = [...names.toReversed().map(name => [name]), [...names]];
    const packs = template === undefined ? [] : companyOf(whole.body, template, target);
    let turn = 0;
    const inParts = createParts(context, template ?? {}, (body, session) => onRefused => {
      turn += 1;
      return enableGroups(body, choices[turn % choices.length], onRefused)(context, session, care);
    });
    return {
      // The last leaves the groups as the target file has them.
      cases: [
        ...packs.slice(0, Math.ceil(packsPerCase * amounts.fuzz)),
        ...(template ? [ownParameters] : []),
        minimalUpdate,
      ],
      parallel: false,
      describe(pack) {
        if (pack === minimalUpdate) return { title: 'an update, then enabling a group', pointer: '' };
        if (pack === ownParameters)
          return { title: 'an update of groups that differ, then enabling a group', pointer: '' };
        return { ...describePack(pack), title: `an update of ${fieldsOf(pack).length} fields, then enabling groups` };
      },
      run(pack, session) {
        if (pack === minimalUpdate) return enableGroups(template, undefined)(context, session, care);
        if (pack === ownParameters) return enableGroups(toldApart(template ?? {}), undefined)(context, session, care);
        return inParts(pack, session);
      },
    };
  },
};
