import type { Schema } from '../dialect.ts';
import { endpoint } from '../endpoints.ts';
import type { Infer } from '../infer.ts';
import { list, ofEach, record, recordBut } from '../object.ts';
import { count, ours, percent, text, texts } from './evidence.ts';

/**
 * The ledger of a run. A cell is one thing that the contract suggests to try (`docs/ledger.md`); the ledger says what
 * became of each. Coverage is counted from it.
 */

/** Why a cell was not tried. */
export const reasons = {
  capability: 'the target does not declare the capability',
  vocabulary: 'the target file names too few that exist',
  harm: 'it may lock, move or destroy something, or no answer shows what would have to be put back',
  premise: 'it was refused, or its control was; or the answers of this target show nothing of the kind',
  budget: 'nothing of the kind was sent, or one value alone',
} as const;

/** The names of the reasons, the most informative first: if shards differ, the first one counts. */
export const reasonNames = Object.keys(reasons) as unknown as readonly [Reason, ...Reason[]];

/** The possible states of a cell: if shards differ, the first one counts. */
export const cellStates = ['broken', 'proven', 'not shown', 'not tried'] as const;

/** Cells of one relation with the same result: shown by one exchange, or not tried for one reason. */
const cellGroup = recordBut(['by', 'reason', 'line'], {
  state: { enum: cellStates },
  /** The exchange that shows it; absent if it was not tried. */
  by: ours,
  reason: { enum: reasonNames },
  /** The line of the target file that would change it, if there is one. */
  line: text,
  /** The distinguishing parts of the relation's cells: the place, and its variants. */
  cells: texts,
});

/** The state of an operation's cells, relation by relation. */
export const operationCells = {
  endpoint,
  relations: list(
    record({
      relation: ours,
      /** The attempt of the relation, in words. */
      what: ours,
      /** The weight of one cell, in tenths. */
      tenths: count,
      groups: list(cellGroup),
    }),
  ),
} as const satisfies Record<string, Schema>;

/** Written at the end of a run for each operation that was to be run. */
export const cellsEvent = record({ event: { const: 'cells' }, ...operationCells });

/** A part of the ledger in figures. The percentage is by weight: a stated bound weighs thirty pairs of fields. */
const share = { percent, proven: count, notShown: count, all: count } as const satisfies Record<string, Schema>;

/**
 * The proven share of the weight of all cells, except those of undeclared capabilities. What was sent without an answer
 * showing it (`notShown`) counts as not proven, and is also a figure of its own.
 */
export const coverageReport = recordBut(['min', 'partial'], {
  /** In percent of the weight, rounded down to one decimal. */
  ...share,
  broken: count,
  /** Why cells were not tried. Those of `capability` are not part of `all`. */
  notTried: record(ofEach(reasonNames, count)),
  /** The weight proven, and of all, in tenths: the basis of the percentage and of a minimum coverage. */
  tenths: record({ proven: count, all: count }),
  /** The requested minimum, in percent. */
  min: percent,
  /** The run was filtered, or is one shard: the figures cover only the operations that it was to run. */
  partial: { const: true },
  /** The lines of the target file that would have more cells tried, with their numbers: the most weight first. */
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
