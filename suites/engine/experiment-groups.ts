import { type EndpointId, endpointRow } from '../../contracts/endpoints.ts';
import { membersOf } from '../../contracts/json.ts';
import { experimentsBeside } from '../checks/scenarios/beside.ts';
import { type ApiRequest, dataObject } from '../protocol/answer.ts';
import { unlessGivenUp } from '../protocol/stop.ts';
import type { Obstruction, Target } from '../protocol/sut.ts';
import { groupsOf } from '../state/entity-kinds.ts';
import type { RecordedSession } from '../sut/session.ts';
import { subjectOf } from '../sut/target.ts';

/** A remedy has at most so many names, none of them longer in characters: a target may show any number of any length. */
const inRemedy = { names: 10, longest: 80 } as const;

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

/** The experiments that a run may update: those that its operations work on, and those beside them. */
export function updatedExperiments(target: Target, planned: Iterable<EndpointId>): ReadonlySet<string> {
  const subjects = [...planned].flatMap(id =>
    endpointRow(id).resource === 'experiment' ? (subjectOf(target, id) ?? []) : [],
  );
  return new Set(subjects.flatMap(param => [param, ...experimentsBeside({ target, minimal: { param } })]));
}

/** What to write into the target file so that it names all groups: the whole line, or what has to be in it. */
function remedyFor(id: string, shown: readonly string[]): string {
  const canStand = (name: string): boolean => name.length > 0 && name.length <= inRemedy.longest;
  return shown.length <= inRemedy.names && shown.every(canStand)
    ? `fixtures.experiments: [{ "id": ${JSON.stringify(id)}, "groups": [${shown.map(one => JSON.stringify(one)).join(', ')}] }]`
    : `fixtures.experiments: the names of all ${shown.length} groups of ${id}`;
}

/**
 * The experiments that have groups which the target file does not name, and why no update may be sent to them: one
 * replaces the whole (section 4.4), so that these groups could be lost. Reads each that the planned operations may
 * update, by enabling a group of it.
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
