import type { Json } from '../../../contracts/json.ts';
import type { Notes } from '../backend.ts';
import { type Database, type Query, retried } from './database.ts';
import { dropNote, listNotes, lockNote, putNote, readNote, setNote } from './statements.ts';
import type { WorldLog } from './world-log.ts';

/** The beginning of the JSON texts of all keys that begin with a prefix. */
const beginning = (prefix: string): string => JSON.stringify(prefix).slice(0, -1);

const inOrder = ([one]: readonly [string, Json], [other]: readonly [string, Json]): number => (one < other ? -1 : 1);

/** The notes of one world. */
export function createSqlNotes(database: Database, name: string, log: WorldLog): Notes {
  const change = async (statement: string, parameters: readonly unknown[]): Promise<void> => {
    const [row] = await database.query(statement, [name, ...parameters]);
    if (row !== undefined) return log.noted(Number(row.notes));
    await log.make(database.query);
    return change(statement, parameters);
  };
  const read = async (query: Query, key: string): Promise<Json | undefined> => {
    const [row] = await query(readNote, [name, JSON.stringify(key)]);
    return row === undefined ? undefined : (JSON.parse(String(row.value)) as Json);
  };
  const set = async (query: Query, key: string, value: Json): Promise<void> => {
    const written = await query(setNote, [name, JSON.stringify(key), JSON.stringify(value)]);
    if (written.length > 0) return;
    await log.make(query);
    await set(query, key, value);
  };
  return {
    get: key => read(database.query, key),
    list: async prefix => {
      const rows = await database.query(listNotes, [name, beginning(prefix)]);
      return rows
        .map(row => [JSON.parse(String(row.key)) as string, JSON.parse(String(row.value)) as Json] as const)
        .sort(inOrder);
    },
    put: (key, value) =>
      retried(() =>
        value === undefined
          ? change(dropNote, [JSON.stringify(key)])
          : change(putNote, [JSON.stringify(key), JSON.stringify(value)]),
      ),
    change: (key, by) =>
      retried(() =>
        database.transaction(async query => {
          await query(lockNote, [`${name} ${JSON.stringify(key)}`]);
          const value = by(await read(query, key));
          await set(query, key, value);
          return value;
        }),
      ),
    revision: log.notes,
  };
}
