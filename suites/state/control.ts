import type { Endpoint } from '../../contracts/endpoint.ts';
import { endpoints } from '../../contracts/endpoints.ts';
import type { JsonObject, Members } from '../../contracts/json.ts';
import type { CheckContext, Session } from '../protocol/check.ts';
import { differencesOf, volatile } from './difference.ts';
import type { Eventually } from './eventually.ts';
import { type Reading, readGate, readQualifyingEvent, readSettledGate } from './reading.ts';

/** Reads an entity so many times and once more, without a write, and tells the members that change all the same. */
export async function watchEntity(
  row: Pick<Endpoint, 'data' | 'body'>,
  read: () => Promise<Reading>,
  readings: number,
): Promise<readonly string[]> {
  const moving = new Set<string>();
  let last = (await read()).entity;
  for (let number = 0; number < readings; number += 1) {
    const { entity } = await read();
    if (last !== null && entity !== null)
      for (const { field } of differencesOf(row, last, entity, volatile)) moving.add(field);
    last = entity;
  }
  return [...moving];
}

/** The members of a patch that may be written to a gate: those of which an answer told what they are (section 4.6). */
export const writableMembers = (
  patch: JsonObject,
  { discovered: { writable } }: Pick<CheckContext, 'discovered'>,
  gate: string,
): JsonObject =>
  Object.fromEntries(
    Object.entries(patch).filter(([field]) => writable?.field('patch-gate', gate, field) === undefined),
  );

/** Patches a gate so that it is as it was read before; false where a member of it stays otherwise. */
export async function putBackGate(
  session: Pick<Session, 'send' | 'lastWritten'>,
  id: string,
  before: Members,
  eventually: Eventually,
): Promise<boolean> {
  const row = endpoints['patch-gate'];
  const differences = ({ entity }: Reading) => (entity === null ? [] : differencesOf(row, before, entity, volatile));
  const now = await readGate(session, id);
  const back = differences(now).filter(
    one => Object.hasOwn(row.body.properties, one.field) && one.before !== undefined,
  );
  if (back.length === 0) return now.entity !== null && differences(now).length === 0;
  const body = Object.fromEntries(back.map(one => [one.field, one.before])) as JsonObject;
  const { success } = await session.send({ endpoint: 'patch-gate', param: id, body });
  if (!success) return false;
  // A reading that is behind would look like a change to whoever watches the gate from now on.
  const settled = await readSettledGate(session, id, eventually);
  return settled.entity !== null && differences(settled).length === 0;
}

/** Not sent back to a qualifying event: an update never changes its name, and an answer shows the owner otherwise. */
const notSent: readonly string[] = ['name', 'owner'];

/** Updates a qualifying event with all that was read of it before; false where a member of it stays otherwise. */
export async function putBackQualifyingEvent(
  session: Pick<Session, 'send' | 'lastWritten'>,
  name: string,
  before: Members,
  eventually: Eventually,
): Promise<boolean> {
  const row = endpoints['update-qualifying-event'];
  const isSent = (field: string): boolean => Object.hasOwn(row.body.properties, field) && !notSent.includes(field);
  const body = Object.fromEntries(Object.entries(before).filter(([field]) => isSent(field))) as JsonObject;
  const { success } = await session.send({ endpoint: 'update-qualifying-event', param: name, body });
  if (!success) return false;
  const isBack = (entity: Members | null): boolean =>
    entity !== null && differencesOf(row, before, entity, volatile).length === 0;
  const reading = await eventually(
    () => readQualifyingEvent(session, name),
    ({ entity }) => isBack(entity),
    () => 'what was put back',
  );
  return isBack(reading.entity);
}
