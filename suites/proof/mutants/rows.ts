import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Change, ServerName } from './changes.ts';
import type { Outcome } from './judged.ts';

/** What is noted of a sample: how each mutant was judged, and why nobody found those that survived. */

/** Which mutants a sample has. */
export interface Sample {
  readonly seed: number;
  readonly count: number;
}

/** A mutant of a sample and what came of it. */
export interface Row extends Outcome {
  readonly server: ServerName;
  readonly kind: Change['kind'];
  /** Of a place: the operator. */
  readonly operator?: string;
  readonly title: string;
}

/** A sample as it was last judged. */
export interface Noted {
  readonly sample: Sample;
  readonly rows: Readonly<Record<string, Row>>;
}

/**
 * Why a mutant was not found. `equivalent`: no sequence of the operations can tell. `not stated`: what it does is left open, or
 * is a SHOULD and told as a warning. `missed`: it breaks what is stated.
 */
export const classes = ['equivalent', 'not stated', 'missed'] as const;

/** The class of a survivor, by hand, with its reason in a line. */
export interface Reason {
  readonly class: (typeof classes)[number];
  /** Of a missed one: why nobody found it. */
  readonly because?: 'not sent' | 'not judged' | 'incomplete' | 'warned only';
  readonly why: string;
}

const notedFile = new URL('noted.json', import.meta.url);
const reasonsFile = new URL('reasons.json', import.meta.url);

const readJson = <T>(file: URL, none: T): T =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : none;

/** What was last judged; nothing where nothing was. */
export const noted = (): Noted => readJson<Noted>(notedFile, { sample: { seed: 1, count: 0 }, rows: {} });

/** The reasons of survivors, by their ids. */
export const reasons = (): Readonly<Record<string, Reason>> =>
  readJson<Readonly<Record<string, Reason>>>(reasonsFile, {});

/** Notes a sample, a mutant a line. */
export function note({ sample, rows }: Noted): void {
  const lines = Object.entries(rows).map(([id, row]) => `  ${JSON.stringify(id)}: ${JSON.stringify(row)}`);
  writeFileSync(notedFile, `{\n "sample": ${JSON.stringify(sample)},\n "rows": {\n${lines.join(',\n')}\n }\n}\n`);
}

/** Whether the verdict of a run was a failure, or would have been: a server that answers no more is told by its time limit. */
export const isFound = ({ judgement }: Pick<Outcome, 'judgement'>): boolean =>
  judgement === 'found' || judgement === 'hangs';

/** Whether a mutant is one: a server that does not start, or an answer that never differs, is none. */
export const isCounted = ({ judgement, kind }: Pick<Row, 'judgement' | 'kind'>): boolean =>
  judgement !== 'does not start' && (judgement !== 'never differs' || kind === 'request');
