import type { JsonObject } from '../../contracts/json.ts';
import { dataObject } from '../protocol/answer.ts';
import { GivenUp } from '../protocol/stop.ts';
import type { DiscoveredState, Target } from '../protocol/sut.ts';
import { readGate, readList } from '../state/reading.ts';
import type { RecordedSession } from '../sut/session.ts';
import { fixtureNames } from '../sut/target.ts';

/** The state of the fixtures before the run. */
export interface Snapshot extends DiscoveredState {
  readonly gates: ReadonlyMap<string, JsonObject>;
  /** Gates that could not be read without a write: what their `isEnabled` was is not known. */
  readonly unread: readonly string[];
}

/** The qualifying events that the target file names, as the list shows them. */
async function readQualifyingEvents(target: Target, session: RecordedSession): Promise<Map<string, JsonObject>> {
  const wanted = new Set(fixtureNames(target, 'qualifyingEvents'));
  const found = new Map<string, JsonObject>();
  const items = await readList(session, { endpoint: 'list-qualifying-events' }).then(
    listing => listing.items,
    (error: unknown) => {
      if (error instanceof GivenUp) return [];
      throw error;
    },
  );
  for (const item of items as readonly JsonObject[]) {
    if (typeof item.name === 'string' && wanted.has(item.name)) found.set(item.name, item);
  }
  return found;
}

async function readGates(target: Target, session: RecordedSession): Promise<Pick<Snapshot, 'gates' | 'unread'>> {
  const gates = new Map<string, JsonObject>();
  const unread: string[] = [];
  for (const id of fixtureNames(target, 'gates')) {
    try {
      const { entity } = await readGate(session, id);
      if (entity !== null) {
        gates.set(id, entity as JsonObject);
        continue;
      }
      // Where the empty patch is refused, nothing reads a gate before it is written to for the first time.
      const written = await session.send({ endpoint: 'patch-gate', param: id, body: { isEnabled: false } });
      if (!written.success) continue;
      gates.set(id, dataObject(written) as JsonObject);
      unread.push(id);
    } catch (error) {
      if (!(error instanceof GivenUp)) throw error;
    }
  }
  return { gates, unread };
}

/** What the suite learns before it begins. Under `readOnly` no gate is read: reading one is a PATCH. */
export async function takeSnapshot(
  target: Target,
  session: RecordedSession,
  collections: ReadonlySet<string>,
  readOnly: boolean,
): Promise<Snapshot> {
  return {
    qualifyingEvents: collections.has('qualifying-events') ? await readQualifyingEvents(target, session) : new Map(),
    ...(collections.has('gates') && !readOnly ? await readGates(target, session) : { gates: new Map(), unread: [] }),
  };
}
