import type { Json } from '../../../contracts/json.ts';
import type { Notes } from '../backend.ts';
import { type Database, retried } from './database.ts';
import type { Reading } from './reading.ts';
import { dropNote, listNotes, putNote, readNote } from './statements.ts';

/** The beginning of the JSON texts of all keys that begin with a prefix. */
const beginning = (prefix: string): string => JSON.stringify(prefix).slice(0, -1);

const inOrder = ([one]: readonly [string, Json], [other]: readonly [string, Json]): number => (one < other ? -1 : 1);

/** The notes of one world. */
export function createSqlNotes(database: Database, name: string, reading: Reading): Notes {
  const change = async (statement: string, parameters: readonly unknown[]): Promise<void> => {
    const [row] = await database.query(statement, [name, ...parameters]);
    if (row !== undefined) return reading.noted(Number(row.notes));
    await reading.make(database.query);
    return change(statement, parameters);
  };
  return {
    get: async key => {
      const [row] = await database.query(readNote, [name, JSON.stringify(key)]);
      return row === undefined ? undefined : (JSON.parse(String(row.value)) as Json);
    },
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
    revision: reading.notes,
  };
}
