import { isOperation } from '../../../contracts/endpoint.ts';
import { endpoints } from '../../../contracts/endpoints.ts';
import { isObject, type Json, type JsonObject, type Members, objectsIn } from '../../../contracts/json.ts';
import { same } from '../../../contracts/pointer.ts';
import { compact, present } from '../../../contracts/present.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { fieldsOf } from '../../generators/company.ts';
import { dataObject } from '../../protocol/answer.ts';
import type { ActiveCheck } from '../../protocol/check.ts';
import { companyInParts, describePack } from '../scenarios/parts.ts';
import { liveness, type NamedScenario, planOf, type Scenario } from '../scenarios/scenario.ts';
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

/** Gives each group of an update its own parameter and description. */
const toldApart = (body: JsonObject): JsonObject => {
  const groups = Array.isArray(body.groups) ? body.groups : [];
  const details = (turn: number) => ({ parameterValues: { color: `blue ${turn}` }, description: `Group ${turn}` });
  return { ...body, groups: groups.map((one, index) => ({ ...(isObject(one) && one), ...details(index + 1) })) };
};

/** Number of packs per random case of the profile. */
const packsPerCase = 0.6;

/** Section 4.8: enabling groups leaves the rest of the experiment alone; which groups end up disabled is open. */
export const restUnchanged: ActiveCheck<NamedScenario> = {
  kind: 'active',
  id: 'rest-unchanged',
  level: 'MUST',
  title: 'Enabling groups leaves the rest of the experiment as it was',
  detects: 'An operation that drops the other groups, resets the allocation or answers with another experiment.',
  requirements: () => [...about, ...liveness],
  appliesTo: row => isOperation(row, 'experiment', 'enable'),
  plan(context) {
    const template = contextFor(context, 'update-experiment', context.minimal.param)?.minimal.body;
    const { target, minimal } = context;
    const names = target.fixtures.experiments?.find(({ id }) => id === minimal.param)?.groups ?? [];
    // Each group alone, in reverse order, then all together.
    const choices = [...names.toReversed().map(name => [name]), [...names]];
    let turn = 0;
    const sent = (body: JsonObject, onRefused: () => void): Scenario => {
      turn += 1;
      return enableGroups(body, choices[turn % choices.length], { onRefused });
    };
    const packs = template && companyInParts(context, whole.body, template, packsPerCase, sent);
    return planOf(
      context,
      ...compact<NamedScenario>([
        ...(packs ?? []).map(({ pack, run }) => ({
          ...describePack(pack),
          title: `an update of ${fieldsOf(pack).length} fields, then enabling groups`,
          isOneOfMany: true,
          run,
        })),
        template && {
          title: 'an update of groups that differ, then enabling a group',
          run: enableGroups(toldApart(template), undefined),
        },
        // The last case restores the groups of the target file.
        {
          title: 'an update, then enabling a group',
          run: enableGroups(template, undefined, { between: [groupsAsShown(template)] }),
        },
      ]),
    );
  },
};
