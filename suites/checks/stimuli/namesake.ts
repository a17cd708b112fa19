import { type JsonObject, objectsIn } from '../../../contracts/json.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import { said } from '../../judge/words.ts';
import { type Answer, dataObject } from '../../protocol/answer.ts';
import { type CheckContext, covering, minimalApiRequest, unproved, violation } from '../../protocol/check.ts';
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
 * does to the flags of its own experiment is not shown, so the other is read before by enabling a group that this one
 * has not: only what changes with the write, and does so again after it stood still for two readings, is told. The group
 * is enabled at the end, as every reading of an experiment leaves it.
 */
export const namesakeLeftAlone =
  ({ id, name, reader }: Namesake): Scenario =>
  async (context, session) => {
    const its = contextFor(context, 'update-experiment', id);
    if (its === undefined) return unproved(`the target file lacks what an update of ${id} takes`);
    const enabled = (param: string | undefined, group: string): Promise<Answer> =>
      session.send({ endpoint: 'enable-groups', param, body: { group_names: [group] } });
    const indexIn = (answer: Answer): number =>
      answer.success ? objectsIn(dataObject(answer).groups).findIndex(one => one.name === name) : -1;
    const flagIn = (answer: Answer): unknown => objectsIn(dataObject(answer).groups)[indexIn(answer)]?.disabled;
    const groups = objectsIn(its.minimal.body?.groups) as readonly JsonObject[];
    const body = { ...its.minimal.body, groups: groups.map(one => ({ ...one, disabled: one.name === name })) };

    /** Returns the other experiment as it is shown after the write, or why that would show nothing. */
    async function tried(readings: number): Promise<Answer | string> {
      const disabling = await session.send(minimalApiRequest(its as CheckContext, body));
      if (!disabling.success) return `disabling a group of ${id} was refused (${refusalInWords(disabling)})`;
      for (let time = 0; time < readings; time += 1) {
        const quiet = await enabled(id, reader);
        if (flagIn(quiet) !== true) return `the group ${name} of ${id} is not shown as disabled`;
      }
      const written = await enabled(context.minimal.param, name);
      return written.success ? enabled(id, reader) : `the write was refused (${refusalInWords(written)})`;
    }

    const first = await tried(1);
    const isTold = (answer: Answer | string): answer is Answer =>
      typeof answer !== 'string' && indexIn(answer) >= 0 && flagIn(answer) !== true;
    const last = isTold(first) ? await tried(2) : first;
    await enabled(id, name);
    if (typeof last === 'string') return unproved(last);
    if (indexIn(last) < 0) return unproved(`the group ${name} of ${id} is no longer shown`);
    if (!isTold(first)) return covering([], ['state.neighbours']);
    if (!isTold(last)) return unproved(`the group ${name} of ${id} was enabled once of twice`);
    const pointer = `/data/groups/${indexIn(last)}/disabled`;
    const found = violation(last, 'state.neighbours', pointer, said(true), said(flagIn(last)));
    return covering([{ ...found, seen: { times: 2, of: 2 } }], []);
  };
