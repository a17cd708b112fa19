/** What the suite exports for vitest projects (`console-conformance/vitest`): each check of a target is a test. */
export type { TargetFile } from '../contracts/target.ts';
export { NonConformance } from './conformance/bridge.ts';
export { type ConformanceOptions, describeConformance, type TargetSource } from './conformance/describe.ts';
export type { Target } from './protocol/sut.ts';
export { targetOf } from './sut/target.ts';
