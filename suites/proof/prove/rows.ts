import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The noted result of a row, and the hash of everything that it depends on. */
export type NotedRow<Result> = Result & { readonly hash: string };

/** The rows of a proof by their ids. */
export type NotedRows<Result> = Readonly<Record<string, NotedRow<Result>>>;

/** A row in its current state. */
export interface PresentRow {
  readonly id: string;
  readonly hash: string;
}

/** Reads the noted rows. */
export const readRows = <Result>(file: URL): NotedRows<Result> =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as NotedRows<Result>) : {};

/** Writes rows, one per line. */
export function writeRows(file: URL, rows: NotedRows<object>): void {
  const lines = Object.entries(rows).map(([id, row]) => ` ${JSON.stringify(id)}: ${JSON.stringify(row)}`);
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`);
}

/** Returns the rows whose note is missing or has another hash, and the notes without a row. */
export function staleIds(present: readonly PresentRow[], noted: NotedRows<object>): readonly string[] {
  const ids = new Set(present.map(({ id }) => id));
  return [
    ...present.filter(({ id, hash }) => noted[id]?.hash !== hash).map(({ id }) => id),
    ...Object.keys(noted).filter(id => !ids.has(id)),
  ];
}

/** Returns advice about stale rows; empty if there are none. */
export function staleness(name: string, stale: readonly string[]): string {
  if (stale.length === 0) return '';
  const [first] = stale;
  const more = stale.length === 1 ? '' : ` and ${stale.length - 1} more`;
  return `${name}: ${first}${more} changed since it was proven: npm run prove -- --changed`;
}

/** The results of an unfinished round. Each is written at once. */
export interface Progress {
  /** The rows that were measured with the current hash. */
  readonly rows: NotedRows<object>;
  add(id: string, row: NotedRow<object>): void;
  /** Deletes the progress, because the round is complete. */
  end(): void;
}

/** Returns the file of a round's progress. */
export const progressFile = (name: string): string =>
  fileURLToPath(new URL(`../../../node_modules/.cache/prove/${name}.ndjson`, import.meta.url));

/** Continues an interrupted round. */
export function openProgress(file: string, present: readonly PresentRow[]): Progress {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  // The last line may be cut off if the process was killed.
  const whole = lines.slice(0, -1).map(line => JSON.parse(line) as [string, NotedRow<object>]);
  const hashes = new Map(present.map(({ id, hash }) => [id, hash]));
  return {
    rows: Object.fromEntries(whole.filter(([id, { hash }]) => hashes.get(id) === hash)),
    add(id, row) {
      mkdirSync(dirname(file), { recursive: true });
      appendFileSync(file, `${JSON.stringify([id, row])}\n`);
    },
    end: () => rmSync(file, { force: true }),
  };
}
