import { decoded } from '../../contracts/decoded.ts';
import { endpointRow } from '../../contracts/endpoints.ts';
import type { FixtureSnapshot, RunEvent } from '../../contracts/report/journal.ts';
import { targetFileSchema } from '../../contracts/target.ts';
import { isValid } from '../../contracts/validation.ts';
import { isPutBack, putsBack } from './snapshot.ts';

/** Thrown for a journal that asks for more than to put something back: no run writes one. */
export class UnlikelySnapshot extends Error {}

const keyOf = (endpoint: string, name = ''): string => JSON.stringify([endpoint, name]);

/** So often a server may decode a name. */
const mostDecoding = 5;

/** Whether a name leads out of its place in a path, for a server that decodes it several times, or nobody can tell. */
function leadsOut(name: string): boolean {
  let read = name;
  for (let times = 0; times < mostDecoding; times += 1) read = decoded(read);
  return name === '' || read !== decoded(read) || read.split(/[/\\]/).some(segment => /^\.{1,2}(;.*)?$/.test(segment));
}

/** The set of environments as a target file has it, for that is where a run takes it from. */
const environments = targetFileSchema.properties.fixtures.properties.environments;

/** Why no run can have written a snapshot; undefined where one can. */
function oddityOf({ endpoint, param, body }: FixtureSnapshot): string | undefined {
  const row = endpointRow(endpoint);
  if (!putsBack(endpoint)) return `${endpoint} puts nothing back`;
  if ((row.param === null) !== (param === undefined))
    return `${endpoint} is of ${row.param === null ? 'a set' : 'one entity'}`;
  if (param !== undefined && leadsOut(param)) return 'its name leads to another place';
  const other = Object.keys(body).find(member => !isPutBack(endpoint, member));
  if (other !== undefined) return `${endpoint} puts back no ${other}`;
  const [set] = row.param === null ? Object.values(body) : [];
  return row.param === null && (!isValid(environments, set) || (set as unknown[]).length === 0)
    ? 'it is no set of environments'
    : undefined;
}

/**
 * The entities that the journal of a run lets be put back: those of which it told, before its first write, that it would
 * change them and put them back, and then how it read them. A journal may be another's, so what is sent for one follows
 * from its name, its members and the table of endpoints, and from nothing else in it. Throws an `UnlikelySnapshot` for
 * one that no run can have written.
 */
export function recordedSnapshots(events: readonly RunEvent[]): readonly FixtureSnapshot[] {
  const found: FixtureSnapshot[] = [];
  let planned = new Set<string>();
  for (const [index, event] of events.entries()) {
    // The journals of shards may stand in one file: each tells what is its own.
    if (event.event === 'run-start') planned = new Set();
    if (event.event === 'planned-effects')
      for (const { effect, endpoint, id } of event.effects) if (effect === 'put-back') planned.add(keyOf(endpoint, id));
    if (event.event !== 'snapshot') continue;
    const oddity = oddityOf(event);
    if (oddity !== undefined)
      throw new UnlikelySnapshot(`line ${index + 1} is no snapshot that a run can have written: ${oddity}`);
    if (planned.has(keyOf(event.endpoint, event.param))) found.push(event);
  }
  return found;
}
