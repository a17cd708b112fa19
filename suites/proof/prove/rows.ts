import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What is noted of a row, and the hash of all that it was measured with. */
export type NotedRow<Result> = Result & { readonly hash: string };

/** The rows of a proof by their ids. */
export type NotedRows<Result> = Readonly<Record<string, NotedRow<Result>>>;

/** A row as it is now. */
export interface PresentRow {
  readonly id: string;
  readonly hash: string;
}

/** Reads what is noted. */
export const readRows = <Result>(file: URL): NotedRows<Result> =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as NotedRows<Result>) : {};

/** Writes rows, each in a line of its own. */
export function writeRows(file: URL, rows: NotedRows<object>): void {
  const lines = Object.entries(rows).map(([id, row]) => ` ${JSON.stringify(id)}: ${JSON.stringify(row)}`);
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`);
}

/** The rows whose note is of something else than what there is now, or that have none; and notes of which there is no row. */
export function staleIds(present: readonly PresentRow[], noted: NotedRows<object>): readonly string[] {
  const ids = new Set(present.map(({ id }) => id));
  return [
    ...present.filter(({ id, hash }) => noted[id]?.hash !== hash).map(({ id }) => id),
    ...Object.keys(noted).filter(id => !ids.has(id)),
  ];
}

/** What to do about stale rows; the empty text where there are none. */
export function staleness(name: string, stale: readonly string[]): string {
  if (stale.length === 0) return '';
  const [first] = stale;
  const more = stale.length === 1 ? '' : ` and ${stale.length - 1} more`;
  return `${name}: ${first}${more} changed since it was proven: npm run prove -- --changed`;
}

/** What was measured in a round that is not over yet: a line is written as soon as it is known. */
export interface Progress {
  /** The rows that were measured with what there is now. */
  readonly rows: NotedRows<object>;
  add(id: string, row: NotedRow<object>): void;
  /** Forgets all of it: the round is over. */
  end(): void;
}

/** Where the progress of a round is kept. */
export const progressFile = (name: string): string =>
  fileURLToPath(new URL(`../../../node_modules/.cache/prove/${name}.ndjson`, import.meta.url));

/** Takes a round up where it was interrupted. */
export function openProgress(file: string, present: readonly PresentRow[]): Progress {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  // The last line of a process that was killed may be half a line.
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
