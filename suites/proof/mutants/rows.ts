import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Change, ServerName } from './changes.ts';
import type { Outcome } from './judged.ts';

/** The noted results of a sample: how each mutant was judged, and why survivors were not found. */

/** The seed and the size of a sample. */
export interface Sample {
  readonly seed: number;
  readonly count: number;
}

/** A mutant of a sample and its result. */
export interface Row extends Outcome {
  readonly server: ServerName;
  readonly kind: Change['kind'];
  /** The operator, for a mutant of a place. */
  readonly operator?: string;
  readonly title: string;
  /** It was judged by an earlier suite, and not again. */
  readonly isEarlier?: true;
}

/** The last judged sample. */
export interface Noted {
  readonly sample: Sample;
  readonly rows: Readonly<Record<string, Row>>;
}

/**
 * Why a mutant was not found. `equivalent`: no sequence of operations shows it. `not stated`: the specification leaves
 * its effect open, or it is a SHOULD that draws a warning. `missed`: it breaks a stated requirement.
 */
export const classes = ['equivalent', 'not stated', 'missed'] as const;

/** The manually assigned class of a survivor, with a reason of one line. */
export interface Reason {
  readonly class: (typeof classes)[number];
  /** For a missed one: why nothing found it. */
  readonly because?: 'not sent' | 'not judged' | 'incomplete' | 'warned only';
  readonly why: string;
}

const notedFile = new URL('noted.json', import.meta.url);
const reasonsFile = new URL('reasons.json', import.meta.url);

const readJson = <T>(file: URL, none: T): T =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : none;

/** Returns the last judged sample; an empty one if there is none. */
export const noted = (): Noted => readJson<Noted>(notedFile, { sample: { seed: 1, count: 0 }, rows: {} });

/** Returns the reasons of survivors by id. */
export const reasons = (): Readonly<Record<string, Reason>> =>
  readJson<Readonly<Record<string, Reason>>>(reasonsFile, {});

/** Writes a sample, one mutant per line. */
export function note({ sample, rows }: Noted): void {
  const lines = Object.entries(rows).map(([id, row]) => `  ${JSON.stringify(id)}: ${JSON.stringify(row)}`);
  writeFileSync(notedFile, `{\n "sample": ${JSON.stringify(sample)},\n "rows": {\n${lines.join(',\n')}\n }\n}\n`);
}

/** True if a run failed, or would have. The time limit detects a server that no longer answers. */
export const isFound = ({ judgement }: Pick<Outcome, 'judgement'>): boolean =>
  judgement === 'found' || judgement === 'hangs';

/** True if a mutant counts. A server that does not start, or an answer that never differs, does not. */
export const isCounted = ({ judgement, kind }: Pick<Row, 'judgement' | 'kind'>): boolean =>
  judgement !== 'does not start' && (judgement !== 'never differs' || kind === 'request');
