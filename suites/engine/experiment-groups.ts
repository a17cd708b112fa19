import { type EndpointId, endpointRow } from '../../contracts/endpoints.ts';
import { membersOf } from '../../contracts/json.ts';
import { experimentsBeside } from '../checks/scenarios/beside.ts';
import { type ApiRequest, dataObject } from '../protocol/answer.ts';
import { unlessGivenUp } from '../protocol/stop.ts';
import type { Obstruction, Target } from '../protocol/sut.ts';
import { groupsOf } from '../state/entity-kinds.ts';
import type { RecordedSession } from '../sut/session.ts';
import { subjectOf } from '../sut/target.ts';

/** Limits on the names in a remedy, because a target may show any number of any length. */
const inRemedy = { names: 10, longest: 80 } as const;

/**
 * Returns the group names that enabling a group shows. Tries each known group until one is accepted, because any of the
 * names may be wrong. Empty if all are refused or none is shown.
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

/** Returns the experiments that a run may update: the subject of each planned operation, and those beside it. */
export function updatedExperiments(target: Target, planned: Iterable<EndpointId>): ReadonlySet<string> {
  const subjects = [...planned].flatMap(id =>
    endpointRow(id).resource === 'experiment' ? (subjectOf(target, id) ?? []) : [],
  );
  return new Set(subjects.flatMap(param => [param, ...experimentsBeside({ target, minimal: { param } })]));
}

/** Returns what to write into the target file so that it names all groups: the whole line if it is short, else its contents. */
function remedyFor(id: string, shown: readonly string[]): string {
  const canStand = (name: string): boolean => name.length > 0 && name.length <= inRemedy.longest;
  return shown.length <= inRemedy.names && shown.every(canStand)
    ? `fixtures.experiments: [{ "id": ${JSON.stringify(id)}, "groups": [${shown.map(one => JSON.stringify(one)).join(', ')}] }]`
    : `fixtures.experiments: the names of all ${shown.length} groups of ${id}`;
}

/**
 * Returns the experiments that have groups which the target file does not name, with the reason not to update them. An
 * update replaces the whole (section 4.4), so those groups could be lost. Reads each experiment that the planned
 * operations may update, by enabling one of its groups.
 */
export async function unnamedGroups(
  target: Target,
  session: RecordedSession,
  planned: Iterable<EndpointId>,
): Promise<ReadonlyMap<string, Obstruction>> {
  const found = new Map<string, Obstruction>();
  for (const id of updatedExperiments(target, planned)) {
    const shown = await shownGroups(target, session, id);
    const named = new Set(groupsOf({ target }, id));
    const unnamed = shown.filter(name => !named.has(name));
    if (unnamed.length === 0) continue;
    const inShort = unnamed
      .slice(0, inRemedy.names)
      .map(name => JSON.stringify(name.slice(0, inRemedy.longest)))
      .join(', ');
    const because = `the experiment ${id} has groups that the target file does not name (${inShort}), and an update may remove them`;
    found.set(id, { because, remedy: remedyFor(id, shown) });
  }
  return found;
}
