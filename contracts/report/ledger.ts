import type { Schema } from '../dialect.ts';
import { endpoint } from '../endpoints.ts';
import type { Infer } from '../infer.ts';
import { list, record, recordBut } from '../object.ts';
import { count, ours, text, texts } from './evidence.ts';

/**
 * The ledger of a run: what became of each cell, which is one thing that the contract suggests to try (`docs/ledger.md`).
 * Coverage is counted from it.
 */

/** Why a cell was not tried. */
export const reasons = {
  capability: 'the target does not declare the capability',
  vocabulary: 'the target file names too few that exist',
  harm: 'it may lock, move or destroy something, or no answer shows what would have to be put back',
  premise: 'it was refused, or its control was; or the answers of this target show nothing of the kind',
  budget: 'nothing of the kind was sent, or one value alone',
} as const;

/** The names of the reasons, that which says most of a cell first: of several shards the first counts. */
export const reasonNames = Object.keys(reasons) as readonly Reason[];

/** What can become of a cell; of several shards the first that one of them says counts. */
export const cellStates = ['broken', 'proven', 'not shown', 'not tried'] as const;

/** Cells of one relation that came to the same: shown by one exchange, or not tried for one reason. */
const cellGroup = recordBut(['by', 'reason', 'line'], {
  state: { enum: cellStates },
  /** The exchange that shows it; absent of what was not tried. */
  by: ours,
  reason: { enum: ['capability', 'vocabulary', 'harm', 'premise', 'budget'] },
  /** The line of the target file that would change it, where there is one. */
  line: text,
  /** What tells each from the others of its relation: the place, and which of several. */
  cells: texts,
});

/** What became of the cells of one operation, relation by relation. */
export const operationCells = {
  endpoint,
  relations: list(
    record({
      relation: ours,
      /** What it tries, in words. */
      what: ours,
      /** What one cell counts, in tenths. */
      tenths: count,
      groups: list(cellGroup),
    }),
  ),
} as const satisfies Record<string, Schema>;

/** Written at the end of a run, for each operation that was to be run. */
export const cellsEvent = record({ event: { const: 'cells' }, ...operationCells });

const percent = { type: 'number', minimum: 0, maximum: 100 } as const satisfies Schema;

/** A part of the ledger in figures. The percentage is by weight, in which a stated bound counts thirty pairs of fields. */
const share = { percent, proven: count, notShown: count, all: count } as const satisfies Record<string, Schema>;

/**
 * How much of what there is to try was proven: of the weight of all cells, but those of a capability that the target does
 * not declare. What was sent and no answer shows (`notShown`) counts as not proven, and is a figure of its own.
 */
export const coverageReport = recordBut(['min', 'partial'], {
  /** In percent of the weight with one decimal, rounded down. */
  ...share,
  broken: count,
  /** Why cells were not tried. Those of a capability are none of `all`. */
  notTried: record({ capability: count, vocabulary: count, harm: count, premise: count, budget: count }),
  /** Of what is proven and of all, in tenths: what the percentage, and a least coverage, go by. */
  tenths: record({ proven: count, all: count }),
  /** What was asked for, in percent. */
  min: percent,
  /** The run was filtered, or is one shard: the figures are about the operations that it was to run. */
  partial: { const: true },
  /** The lines of the target file that would have more tried, and how many cells: the most weight first. */
  remedies: list(record({ remedy: text, cells: count })),
  byOperation: list(record({ endpoint, ...share })),
  byRelation: list(record({ relation: ours, what: ours, ...share })),
  /** Every cell. */
  ledger: list(record(operationCells)),
});

export type Reason = keyof typeof reasons;
export type CellGroup = Infer<typeof cellGroup>;
export type CellsEvent = Infer<typeof cellsEvent>;
export type OperationCells = Omit<CellsEvent, 'event'>;
export type CoverageReport = Infer<typeof coverageReport>;
