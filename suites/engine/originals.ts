import type { EndpointId } from '../../contracts/endpoint.ts';
import { endpoints } from '../../contracts/endpoints.ts';
import type { JsonObject } from '../generators/cases.ts';
import { readGate, readList } from '../state/reading.ts';
import type { Learned } from '../target/plain-request.ts';
import { fixtureNames, type Target } from '../target/world.ts';
import { type Answer, dataObject } from './answer.ts';
import type { WatchedSession } from './session.ts';

/** The state of the fixtures before the run, and how to put it back. */
export interface Originals extends Learned {
  readonly gates: ReadonlyMap<string, JsonObject>;
  /** Gates that could not be read without a write: what their `isEnabled` was is not known. */
  readonly unread: readonly string[];
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The qualifying events that the target file names, as the list shows them. */
async function readQualifyingEvents(target: Target, session: WatchedSession): Promise<Map<string, JsonObject>> {
  const wanted = new Set(fixtureNames(target, 'qualifyingEvents'));
  const { items } = await readList(session, { endpoint: 'list-qualifying-events' });
  const found = new Map<string, JsonObject>();
  for (const item of items.filter(isObject)) {
    if (typeof item.name === 'string' && wanted.has(item.name)) found.set(item.name, item);
  }
  return found;
}

async function readGates(target: Target, session: WatchedSession): Promise<Pick<Originals, 'gates' | 'unread'>> {
  const gates = new Map<string, JsonObject>();
  const unread: string[] = [];
  for (const id of fixtureNames(target, 'gates')) {
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
  }
  return { gates, unread };
}

/** What the suite learns before it begins. Under `readOnly` no gate is read: reading one is a PATCH. */
export async function readOriginals(
  target: Target,
  session: WatchedSession,
  collections: ReadonlySet<string>,
  readOnly: boolean,
): Promise<Originals> {
  return {
    qualifyingEvents: collections.has('qualifying-events') ? await readQualifyingEvents(target, session) : new Map(),
    ...(collections.has('gates') && !readOnly ? await readGates(target, session) : { gates: new Map(), unread: [] }),
  };
}

/** Fields of a sent body that can be put back from what an answer shows. Null members and those an answer renders differently are left out. */
function writable(endpoint: EndpointId, original: JsonObject, leaveOut: readonly string[]): JsonObject {
  const properties = endpoints[endpoint].body?.properties ?? {};
  return Object.fromEntries(Object.entries(original).filter(([key]) => key in properties && !leaveOut.includes(key)));
}

/** Puts one fixture back; returns what could not be put back, in words, or null. */
type Restore = (session: WatchedSession) => Promise<string | null>;

const refused = (what: string, answer: Answer): string | null =>
  answer.success ? null : `${what} could not be put back (status ${answer.status})`;

/** The steps that put back what a collection's checks changed. Gates, qualifying events and environments can be put back; nothing else can. */
export function restorations(target: Target, originals: Originals, collection: string): readonly Restore[] {
  if (collection === 'gates') {
    return [...originals.gates].map(([id, gate]) => async session => {
      const body = writable('patch-gate', gate, []);
      const whole = await session.send({ endpoint: 'patch-gate', param: id, body });
      const unknown = originals.unread.includes(id)
        ? `gate ${id}: its isEnabled could not be read before the run (the empty patch is refused); it is false now`
        : null;
      if (whole.success) return unknown;
      // A target that refuses one field of its own answer is given the fields one by one.
      for (const [key, value] of Object.entries(body)) {
        await session.send({ endpoint: 'patch-gate', param: id, body: { [key]: value } });
      }
      const now = (await readGate(session, id)).entity ?? {};
      const differ = Object.keys(body).filter(key => JSON.stringify(now[key]) !== JSON.stringify(body[key]));
      return differ.length === 0 ? unknown : `gate ${id}: ${differ.join(', ')} could not be put back`;
    });
  }
  if (collection === 'qualifying-events') {
    return [...originals.qualifyingEvents].map(([name, source]) => async session => {
      const body = writable('update-qualifying-event', source, ['name', 'owner']);
      return refused(
        `qualifying event ${name}`,
        await session.send({ endpoint: 'update-qualifying-event', param: name, body }),
      );
    });
  }
  const environments = target.fixtures.environments ?? [];
  if (collection === 'environments' && environments.length > 0) {
    return [
      async session =>
        refused(
          'the set of environments',
          await session.send({
            endpoint: 'update-environments',
            body: { environments: environments.map(one => ({ ...one }) as JsonObject) },
          }),
        ),
    ];
  }
  return [];
}
