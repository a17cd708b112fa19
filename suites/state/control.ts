import type { Endpoint } from '../../contracts/endpoint.ts';
import type { JsonObject } from '../../contracts/json.ts';
import type { CheckContext } from '../protocol/check.ts';
import { differencesOf, volatile } from './difference.ts';
import type { Reading } from './reading.ts';

/**
 * Reads an entity once and `readings` times more, without a write, and returns the members that change all the same.
 */
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

/** Returns the members of a patch that may be written to a gate: an answer has told their values (section 4.6). */
export const writableMembers = (
  patch: JsonObject,
  { discovered: { writable } }: Pick<CheckContext, 'discovered'>,
  gate: string,
): JsonObject =>
  Object.fromEntries(
    Object.entries(patch).filter(([field]) => writable?.field('patch-gate', gate, field) === undefined),
  );
