/** The schemas of all resources in requests and answers (section 2). */
export * from './dynamic-config.ts';
export * from './environment.ts';
export * from './experiment.ts';
export * from './experiment-answer.ts';
export * from './experiment-request.ts';
export * from './gate.ts';
export * from './health-check.ts';
export * from './logged-event.ts';
export * from './metric.ts';
export * from './prompt-version.ts';
export * from './qualifying-event.ts';
export * from './rule.ts';
export * from './segment.ts';
export { owner, pagination } from './shared.ts';
export * from './warehouse-native.ts';
