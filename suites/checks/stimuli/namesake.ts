import { type JsonObject, objectsIn } from '../../../contracts/json.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import { said } from '../../judge/words.ts';
import { type Answer, dataObject } from '../../protocol/answer.ts';
import { type CheckContext, minimalApiRequest, unproved, violation } from '../../protocol/check.ts';
import { changingIn } from '../../state/attribution.ts';
import { groupsOf } from '../../state/entity-kinds.ts';
import { experimentsBeside } from '../scenarios/beside.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { contextFor } from './sequence-subjects.ts';

/** A group of another experiment that has the name of one of this, and a group by which the other can be read. */
export interface Namesake {
  readonly id: string;
  readonly name: string;
  readonly reader: string;
}

/** Returns the first such group; undefined if the target file has none. */
export function namesakeOf(context: CheckContext): Namesake | undefined {
  const own = groupsOf(context, context.minimal.param ?? '');
  for (const id of experimentsBeside(context)) {
    const groups = groupsOf(context, id);
    const name = groups.find(one => own.includes(one));
    const reader = groups.find(one => !own.includes(one));
    if (name !== undefined && reader !== undefined) return { id, name, reader };
  }
  return undefined;
}

/**
 * Disables a group of another experiment, and enables the group of its name in this one (section 4.8). What enabling
 * does to the flags of its own experiment is not shown, so the other is read before and after by enabling a group that
 * this one has not. The group is enabled at the end, as every reading of an experiment leaves it.
 */
export const namesakeLeftAlone =
  ({ id, name, reader }: Namesake): Scenario =>
  async (context, session, { attribute }) => {
    const its = contextFor(context, 'update-experiment', id);
    if (its === undefined) return unproved(`the target file lacks what an update of ${id} takes`);
    const enabled = (param: string | undefined, group: string): Promise<Answer> =>
      session.send({ endpoint: 'enable-groups', param, body: { group_names: [group] } });
    const indexIn = (answer: Answer): number =>
      answer.success ? objectsIn(dataObject(answer).groups).findIndex(one => one.name === name) : -1;
    const flagIn = (answer: Answer): unknown => objectsIn(dataObject(answer).groups)[indexIn(answer)]?.disabled;
    const groups = objectsIn(its.minimal.body?.groups) as readonly JsonObject[];
    const body = { ...its.minimal.body, groups: groups.map(one => ({ ...one, disabled: one.name === name })) };
    const result = await attribute(session, {
      async attempt() {
        const disabling = await session.send(minimalApiRequest(its, body));
        if (!disabling.success)
          return { because: `disabling a group of ${id} was refused (${refusalInWords(disabling)})` };
        if (flagIn(await enabled(id, reader)) !== true)
          return { because: `the group ${name} of ${id} is not shown as disabled` };
        const written = await enabled(context.minimal.param, name);
        if (!written.success) return { because: `the write was refused (${refusalInWords(written)})` };
        const shown = await enabled(id, reader);
        const index = indexIn(shown);
        if (index < 0) return { because: `the group ${name} of ${id} is no longer shown` };
        const flag = flagIn(shown);
        const found = violation(shown, 'state.neighbours', `/data/groups/${index}/disabled`, said(true), said(flag));
        return { suspicions: flag === true ? [] : [{ key: name, violation: found }], covers: ['state.neighbours'] };
      },
      watch: readings => changingIn(readings, async () => [[name, flagIn(await enabled(id, reader))]]),
      putBack: async () => (await enabled(id, name)).success,
    });
    await enabled(id, name);
    return result;
  };
