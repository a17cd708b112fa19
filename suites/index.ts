/** The door of the suite: choose units, run them against a target, and be told every step as an event. */

export { checks } from './checks/index.ts';
export { allUnits, type Unit } from './checks/units.ts';
export { NothingSelected, type Selection, select } from './engine/plan.ts';
export { PathNeedsOneCheck, run } from './engine/run.ts';
export type { RunOptions } from './engine/run-options.ts';
export type { Check } from './protocol/check.ts';
export type { Target } from './protocol/sut.ts';
export { targetOf } from './sut/target.ts';
