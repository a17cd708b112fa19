/** What the suite exports: choose units, run them against a target, and take every step as an event. */

export { checks } from './checks/index.ts';
export { allUnits, type Unit } from './checks/units.ts';
export { type RunConfig, type RunOptions, runDefaults } from './engine/config.ts';
export { NothingSelected, PathNeedsOneCheck, type Selection, select } from './engine/plan.ts';
export { run } from './engine/run.ts';
export type { Check } from './protocol/check.ts';
export type { Target } from './protocol/sut.ts';
export { targetOf } from './sut/target.ts';
