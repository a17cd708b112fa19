import type { EndpointId } from '../../contracts/endpoint.ts';
import { endpoints } from '../../contracts/endpoints.ts';
import type { JsonObject } from '../generators/cases.ts';
import type { Learned } from '../target/plain-request.ts';
import { fixtureNames, type Target } from '../target/world.ts';
import { type Answer, dataObject } from './answer.ts';
import type { WatchedSession } from './session.ts';

/** The state of the fixtures before the run, and how to put it back. */
export interface Originals extends Learned {
  readonly gates: ReadonlyMap<string, JsonObject>;
}

const mostPages = 50;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads the qualifying events that the target file names, page by page, believing nothing: a bounded number of pages, whatever the links say. */
async function readQualifyingEvents(target: Target, session: WatchedSession): Promise<Map<string, JsonObject>> {
  const wanted = new Set(fixtureNames(target, 'qualifyingEvents'));
  const found = new Map<string, JsonObject>();
  for (let page = 1; page <= mostPages && found.size < wanted.size; page += 1) {
    const answer = await session.send({ endpoint: 'list-qualifying-events', query: { page } });
    const items = Array.isArray(answer.data) ? answer.data.filter(isObject) : [];
    for (const item of items) {
      const name = item.name;
      if (typeof name === 'string' && wanted.has(name)) found.set(name, item);
    }
    const pagination = isObject(answer.value) ? answer.value.pagination : undefined;
    if (items.length === 0 || !isObject(pagination) || typeof pagination.nextPage !== 'string') break;
  }
  return found;
}

/** Reads a gate without changing it: the empty partial update. */
export const readGate = (session: Pick<WatchedSession, 'send'>, id: string): Promise<Answer> =>
  session.send({ endpoint: 'patch-gate', param: id, body: {} });

async function readGates(target: Target, session: WatchedSession): Promise<Map<string, JsonObject>> {
  const gates = new Map<string, JsonObject>();
  for (const id of fixtureNames(target, 'gates')) {
    const answer = await readGate(session, id);
    if (answer.success) gates.set(id, dataObject(answer) as JsonObject);
  }
  return gates;
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
    gates: collections.has('gates') && !readOnly ? await readGates(target, session) : new Map(),
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
      if (whole.success) return null;
      // A target that refuses one field of its own answer is given the fields one by one.
      for (const [key, value] of Object.entries(body)) {
        await session.send({ endpoint: 'patch-gate', param: id, body: { [key]: value } });
      }
      const now = dataObject(await readGate(session, id));
      const differ = Object.keys(body).filter(key => JSON.stringify(now[key]) !== JSON.stringify(body[key]));
      return differ.length === 0 ? null : `gate ${id}: ${differ.join(', ')} could not be put back`;
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
