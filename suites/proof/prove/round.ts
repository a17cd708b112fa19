import { availableParallelism } from 'node:os';
import type { Catalogue, Measured } from './catalogues.ts';
import { inProcesses } from './processes.ts';
import { type NotedRow, openProgress, progressFile, readRows, staleIds, writeRows } from './rows.ts';

/** Which rows a round measures: all, or those that changed. */
export type Which = 'all' | 'changed';

/** How a round measures, and where it keeps its progress. */
export interface Means {
  readonly measureAll: (
    name: string,
    ids: readonly string[],
    onResult: (id: string, result: unknown) => void,
  ) => Promise<void>;
  readonly progressAt: string;
}

const onAllProcessors: Means['measureAll'] = (name, ids, onResult) =>
  inProcesses(name, ids, availableParallelism(), onResult);

/** Progress is reported each time this number of rows was measured. */
const tellEvery = 50;

/**
 * Measures rows of a catalogue on all processors and notes the results. An interrupted round continues the next time.
 * Rows with problems are not noted and stay stale.
 *
 * @returns the number of rows with problems
 */
export async function round(
  catalogue: Omit<Catalogue, 'title' | 'measure'>,
  which: Which,
  tell: (line: string) => void,
  { measureAll = onAllProcessors, progressAt = progressFile(catalogue.name) }: Partial<Means> = {},
): Promise<number> {
  const { name, file, present } = catalogue;
  const rows = present();
  const hashes = new Map(rows.map(({ id, hash }) => [id, hash]));
  const noted = readRows<object>(file);
  const stale = new Set(staleIds(rows, noted));
  const isDue = (id: string): boolean => which === 'all' || stale.has(id);
  const due = rows.map(({ id }) => id).filter(isDue);
  const progress = openProgress(progressAt, rows);
  const measured = new Map<string, NotedRow<object>>(Object.entries(progress.rows).filter(([id]) => isDue(id)));
  const left = due.filter(id => !measured.has(id));
  const wrong = new Set<string>();
  tell(
    `${name}: ${due.length} of ${rows.length} rows to prove, ${measured.size} of them proven before an interruption`,
  );
  await measureAll(name, left, (id, result) => {
    const { problems, noted: row } = result as Measured;
    if (row === undefined) {
      wrong.add(id);
      for (const line of problems) tell(`  ${id}: ${line}`);
    } else {
      const complete = { hash: hashes.get(id) ?? '', ...row };
      measured.set(id, complete);
      progress.add(id, complete);
    }
    if ((measured.size + wrong.size) % tellEvery === 0) tell(`${name}: ${measured.size + wrong.size} of ${due.length}`);
  });
  const kept = rows.flatMap(({ id }) => {
    const row = measured.get(id) ?? (wrong.has(id) ? undefined : noted[id]);
    return row === undefined ? [] : [[id, row] as const];
  });
  writeRows(file, Object.fromEntries(kept));
  progress.end();
  tell(`${name}: ${measured.size} rows proven, ${wrong.size} wrong`);
  return wrong.size;
}
