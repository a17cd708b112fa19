import { type EndpointId, endpointRow } from '../../contracts/endpoints.ts';
import { membersOf } from '../../contracts/json.ts';
import { clip } from '../../contracts/redaction/clip.ts';
import type { Notice } from '../../contracts/report/journal.ts';
import { experimentsBeside } from '../checks/scenarios/beside.ts';
import { type ApiRequest, dataObject } from '../protocol/answer.ts';
import { answerOrNull } from '../protocol/stop.ts';
import type { Obstruction, Target } from '../protocol/sut.ts';
import { groupsOf } from '../state/entity-kinds.ts';
import type { RecordedSession } from '../sut/session.ts';
import { subjectOf } from '../sut/target.ts';
import { notice } from './notice.ts';

/** Limits on the names in a remedy, because a target may show any number of any length. */
const inRemedy = { names: 10, longest: 80 } as const;

/** The group names that enabling a group shows, and why they may not be all. */
interface ShownGroups {
  readonly names: readonly string[];
  readonly doubt?: string;
}

/**
 * Returns the group names that enabling a group shows. Tries each known group until one is accepted, because any of the
 * names may be wrong.
 */
async function shownGroups(target: Target, session: RecordedSession, id: string): Promise<ShownGroups> {
  const named = groupsOf({ target }, id);
  const times = (all: readonly string[], name: string): number => all.filter(one => one === name).length;
  for (const name of named) {
    const request: ApiRequest = { endpoint: 'enable-groups', param: id, body: { group_names: [name] } };
    const answer = await answerOrNull(session, request);
    if (answer?.success !== true) continue;
    const { groups } = dataObject(answer);
    const shown = Array.isArray(groups) ? groups.map(group => membersOf(group).name) : [];
    const names = shown.filter(one => typeof one === 'string');
    if (names.length === 0) return { names, doubt: 'enabling one shows none' };
    if (names.every(one => one === name)) return { names, doubt: 'enabling one shows no other' };
    return names.some(one => named.includes(one) && times(names, one) > times(named, one))
      ? { names, doubt: 'some have the same name' }
      : { names };
  }
  return { names: [], doubt: 'enabling any is refused' };
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

/** What is known of the groups of the experiments that a run may update. */
interface GroupsRead {
  /** The experiments that have groups which the target file does not name, with the reason not to update them. */
  readonly unnamed: ReadonlyMap<string, Obstruction>;
  /** Tells of the experiments of which no answer shows all groups; null if there are none. */
  readonly unseen: Notice | null;
}

/** Returns the notice about experiments whose groups an update may remove unseen, each with its doubt. */
function unseenNotice(doubts: ReadonlyMap<string, string>): Notice | null {
  if (doubts.size === 0) return null;
  const which = [...doubts].map(([id, doubt]) => `${clip(id, inRemedy.longest)} (${doubt})`);
  const rest = which.length > inRemedy.names ? [`${which.length - inRemedy.names} more`] : [];
  return notice(
    'warning',
    `it is not certain that all groups of these experiments are seen, and an update removes those that the target file does not name: ${[...which.slice(0, inRemedy.names), ...rest].join(', ')}`,
    'fixtures.experiments: check that it names every group of each, and that no two of them have one name; else leave the experiment out',
  );
}

/**
 * Reads the groups of each experiment that the planned operations may update, by enabling one of its groups. An update
 * replaces the whole (section 4.4), so that groups which the target file does not name could be lost.
 */
export async function readGroups(
  target: Target,
  session: RecordedSession,
  planned: Iterable<EndpointId>,
): Promise<GroupsRead> {
  const found = new Map<string, Obstruction>();
  const doubts = new Map<string, string>();
  for (const id of updatedExperiments(target, planned)) {
    const { names: shown, doubt } = await shownGroups(target, session, id);
    const named = new Set(groupsOf({ target }, id));
    const unnamed = shown.filter(name => !named.has(name));
    if (unnamed.length === 0) {
      if (doubt !== undefined && named.size > 0) doubts.set(id, doubt);
      continue;
    }
    const inShort = unnamed
      .slice(0, inRemedy.names)
      .map(name => JSON.stringify(clip(name, inRemedy.longest)))
      .join(', ');
    const because = `the experiment ${id} has groups that the target file does not name (${inShort}), and an update may remove them`;
    found.set(id, { because, remedy: remedyFor(id, shown) });
  }
  return { unnamed: found, unseen: unseenNotice(doubts) };
}
