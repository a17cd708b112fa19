/**
 * The flag by which V8 optimises a function when it has run so many `bytes` of bytecode (66,000 or so if nothing is
 * said): code that a process runs a few thousand times is not worth the optimiser. Versions of V8 from 12 on (Node 22)
 * name no such flag, and a process that is given one ends with "bad option": there is none for them.
 */
export const optimisedAfter = (bytes: number): readonly string[] =>
  Number.parseInt(process.versions.v8, 10) < 12 ? [`--interrupt-budget=${bytes}`] : [];

/**
 * Flags of a process that makes many whole runs of the suite: most of their time goes by in code that is called too
 * seldom to be worth the optimiser, and their answers live too short to be copied by the collector.
 */
export const flagsOfManyRuns: readonly string[] = [
  '--max-semi-space-size=64',
  '--min-semi-space-size=32',
  ...optimisedAfter(400_000),
];
