import { isOperation } from '../../../contracts/endpoint.ts';
import { endpoints } from '../../../contracts/endpoints.ts';
import { isObject, type Json, type JsonObject, type Members, objectsIn } from '../../../contracts/json.ts';
import { same } from '../../../contracts/pointer.ts';
import { compact, present } from '../../../contracts/present.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { companyOf, fieldsOf } from '../../generators/company.ts';
import type { Pack } from '../../generators/index.ts';
import { dataObject } from '../../protocol/answer.ts';
import type { ActiveCheck } from '../../protocol/check.ts';
import { createParts, describePack } from '../scenarios/parts.ts';
import { createCare, liveness, type Scenario } from '../scenarios/scenario.ts';
import { contextFor } from './sequence-subjects.ts';
import { own, type Step, stimulus, write } from './stimulus.ts';

/** The operation whose body describes a whole experiment. */
const whole = endpoints['update-experiment'];

const about: readonly RequirementId[] = ['state.enable-groups-frame'];

/** Updates the experiment to a known state, since no operation only reads one; then enables groups, which shows it. */
const enableGroups = (
  body: JsonObject | undefined,
  names: readonly Json[] | undefined,
  { onRefused, between = [] }: { readonly onRefused?: () => void; readonly between?: readonly Step[] } = {},
): Scenario =>
  stimulus(
    about,
    write({
      what: 'the update of the experiment',
      request: ({ context: { minimal } }) => ({ endpoint: 'update-experiment', param: minimal.param, body }),
      ...present({ onRefused }),
    }),
    ...between,
    write({ ...own(() => (names === undefined ? undefined : { group_names: [...names] })), what: 'enabling' }),
  );

const groupsOf = (entity: Members | undefined): readonly JsonObject[] => objectsIn(entity?.groups);

/**
 * Sends the groups of the experiment back with the ids that it shows, as a client does that changes what it was shown.
 * Ids that each update makes anew are not sent. Refusing ids is open (section 2.5).
 */
const groupsAsShown =
  (body: JsonObject | undefined): Step =>
  async ({ context: { minimal }, session }) => {
    const send = (more: JsonObject) =>
      session.send({ endpoint: 'update-experiment', param: minimal.param, body: { ...body, ...more } });
    const idsShown = async (): Promise<Json[]> => {
      const shown = groupsOf(dataObject(await send({})));
      return groupsOf(body).map(({ name }) => shown.find(group => group.name === name)?.id ?? null);
    };
    const ids = await idsShown();
    if (ids.length === 0 || !ids.every(id => typeof id === 'string')) return undefined;
    if (same(ids, await idsShown()))
      await send({ groups: groupsOf(body).map((group, turn) => ({ ...group, id: ids[turn] ?? null })) });
    return undefined;
  };

/** Marks the case with the minimal update, which is always sent. */
const minimalUpdate: Pack = { body: {}, cases: [] };

/** Marks the case in which each group has parameters of its own. */
const ownParameters: Pack = { body: {}, cases: [] };

/** Gives each group of an update its own parameter and description. */
const toldApart = (body: JsonObject): JsonObject => {
  const groups = Array.isArray(body.groups) ? body.groups : [];
  const details = (turn: number) => ({ parameterValues: { color: `blue ${turn}` }, description: `Group ${turn}` });
  return { ...body, groups: groups.map((one, index) => ({ ...(isObject(one) && one), ...details(index + 1) })) };
};

/** Number of packs per random case of the profile. */
const packsPerCase = 0.6;

/** Section 4.8: enabling groups leaves the rest of the experiment alone; which groups end up disabled is open. */
export const restUnchanged: ActiveCheck<Pack> = {
  kind: 'active',
  id: 'rest-unchanged',
  level: 'MUST',
  title: 'Enabling groups leaves the rest of the experiment as it was',
  detects: 'An operation that drops the other groups, resets the allocation or answers with another experiment.',
  requirements: () => [...about, ...liveness],
  appliesTo: row => isOperation(row, 'experiment', 'enable'),
  plan(context) {
    const care = createCare(context.settleMs);
    const template = contextFor(context, 'update-experiment', context.minimal.param)?.minimal.body;
    const { target, amounts, minimal } = context;
    const names = target.fixtures.experiments?.find(({ id }) => id === minimal.param)?.groups ?? [];
    // Each group alone, in reverse order, then all together.
    const choices = [...names.toReversed().map(name => [name]), [...names]];
    const packs = template === undefined ? [] : companyOf(whole.body, template, target);
    let turn = 0;
    const inParts = createParts(context, template ?? {}, care, (body, onRefused) => {
      turn += 1;
      return enableGroups(body, choices[turn % choices.length], { onRefused });
    });
    return {
      // The last case restores the groups of the target file.
      cases: compact([
        ...packs.slice(0, Math.ceil(packsPerCase * amounts.fuzz)),
        template && ownParameters,
        minimalUpdate,
      ]),
      parallel: false,
      describe(pack) {
        if (pack === minimalUpdate) return { title: 'an update, then enabling a group', pointer: '' };
        if (pack === ownParameters)
          return { title: 'an update of groups that differ, then enabling a group', pointer: '' };
        const title = `an update of ${fieldsOf(pack).length} fields, then enabling groups`;
        return { ...describePack(pack), title, isOneOfMany: true };
      },
      run(pack, session) {
        if (pack === minimalUpdate)
          return enableGroups(template, undefined, { between: [groupsAsShown(template)] })(context, session, care);
        if (pack === ownParameters) return enableGroups(toldApart(template ?? {}), undefined)(context, session, care);
        return inParts(pack, session);
      },
    };
  },
};
