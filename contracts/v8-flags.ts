/**
 * Returns the flag that makes V8 optimise a function after `bytes` of executed bytecode (by default some 66,000). Code
 * that runs only a few thousand times is not worth optimising. V8 from version 12 (Node 22) does not know the flag, and
 * the process would end with "bad option", so it gets none.
 */
export const optimisedAfter = (bytes: number): readonly string[] =>
  Number.parseInt(process.versions.v8, 10) < 12 ? [`--interrupt-budget=${bytes}`] : [];

/**
 * Flags for a process with many whole runs of the suite. Most of its time is spent in code that is not worth
 * optimising, and its answers are too short-lived to be copied by the garbage collector.
 */
export const flagsOfManyRuns: readonly string[] = [
  '--max-semi-space-size=128',
  '--min-semi-space-size=128',
  ...optimisedAfter(400_000),
];
