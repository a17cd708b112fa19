import { membersOf } from '../../contracts/json.ts';
import { experimentsBeside } from '../checks/scenarios/beside.ts';
import { type ApiRequest, dataObject } from '../protocol/answer.ts';
import { unlessGivenUp } from '../protocol/stop.ts';
import type { Obstruction, Target } from '../protocol/sut.ts';
import { groupsOf } from '../state/entity-kinds.ts';
import type { RecordedSession } from '../sut/session.ts';
import { subjectOf } from '../sut/target.ts';

/** So many names, and so much of each, stand in a remedy: a target may show any number of any length. */
const shownNames = { most: 10, longest: 80 } as const;

/**
 * The names of the groups that enabling one of them shows: the first that is not refused, for the one whose name is wrong
 * may be any. Empty where all are refused, or none is shown.
 */
async function shownGroups(target: Target, session: RecordedSession, id: string): Promise<readonly string[]> {
  for (const name of groupsOf({ target }, id)) {
    const request: ApiRequest = { endpoint: 'enable-groups', param: id, body: { group_names: [name] } };
    const answer = await unlessGivenUp(session.send(request), null);
    if (answer?.success !== true) continue;
    const { groups } = dataObject(answer);
    const names = Array.isArray(groups) ? groups.map(group => membersOf(group).name) : [];
    return names.filter(one => typeof one === 'string');
  }
  return [];
}

/** The experiments that a run updates: that of each operation, and those beside it. */
function updated(target: Target): ReadonlySet<string> {
  const subjects = (['update-experiment', 'enable-groups'] as const).flatMap(id => subjectOf(target, id) ?? []);
  return new Set(subjects.flatMap(param => [param, ...experimentsBeside({ target, minimal: { param } })]));
}

/**
 * The experiments of the target file that have groups which it does not name, and why no update may be sent to them: one
 * replaces the whole (section 4.4), so that these groups would be lost. Reads each that is to be updated, by enabling a
 * group of it.
 */
export async function unnamedGroups(
  target: Target,
  session: RecordedSession,
): Promise<ReadonlyMap<string, Obstruction>> {
  const found = new Map<string, Obstruction>();
  for (const id of updated(target)) {
    const shown = await shownGroups(target, session, id);
    const named = new Set(groupsOf({ target }, id));
    const unnamed = shown.filter(name => !named.has(name));
    if (unnamed.length === 0) continue;
    const inShort = (names: readonly string[]): string =>
      names
        .slice(0, shownNames.most)
        .map(name => JSON.stringify(name.slice(0, shownNames.longest)))
        .join(', ');
    found.set(id, {
      because: `the experiment ${id} has groups that the target file does not name (${inShort(unnamed)}), and an update would remove them`,
      remedy: `fixtures.experiments: [{ "id": ${JSON.stringify(id)}, "groups": [${inShort(shown)}] }]`,
    });
  }
  return found;
}
