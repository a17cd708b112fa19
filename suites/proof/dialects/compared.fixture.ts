import { type EndpointId, endpoints } from '../../../contracts/endpoints.ts';
import type { DifferencePlace } from '../../../contracts/report/difference.ts';
import type { Dialect } from '../../../reference-server/index.ts';
import { compareSides, type RunsOfSide } from '../../diff/explain/compare-sides.ts';
import type { RunRecord, Setting } from '../testing/reference-run.ts';
import { type WatchedRun, watchedRun } from '../testing/watched-run.ts';
import type { ProvenDialect } from './proven.fixture.ts';

/** Returns a place as a line: its label and requirement, or its position if no requirement applies. */
const inALine = ({ label, requirement, endpoint, pointer, aspect }: DifferencePlace): string =>
  requirement === undefined ? `${label} ${endpoint} ${pointer} ${aspect}` : `${label} ${requirement}`;

/**
 * Returns the differences between two sides beyond noise. One line for each requirement, or for each place without one.
 */
export const differences = (a: RunsOfSide, b: RunsOfSide): readonly string[] =>
  [...new Set(compareSides(a, b, true).comparison.places.map(inALine))].sort();

/** Recordings of the reference server by their settings. */
const references = new Map<string, Promise<WatchedRun>>();

/** Records the reference server in the setting of a dialect, but without lag and without waits. */
export function referenceFor(
  { server: { dialects: _spoken, ...server } = {}, restMs: _rest, ...setting }: Setting,
  { capabilities }: Dialect,
) {
  const plain = { ...setting, server };
  const key = JSON.stringify([plain, capabilities]);
  const known = references.get(key) ?? watchedRun(plain, 'plain');
  references.set(key, known);
  return known;
}

/** Returns the differences between the reference server and one that speaks a dialect. */
export async function toReference(dialect: Dialect, setting: Setting, { recording }: WatchedRun) {
  const reference = await referenceFor(setting, dialect);
  return differences([reference.recording], [recording]);
}

/** Returns the SHOULDs that a dialect may break, as lines like those of `differences`. */
export const mayBreak = ({ warns = [], mayWarn = [] }: Dialect): readonly string[] =>
  [...warns, ...mayWarn].map(requirement => `b-breaks ${requirement}`);

/** Returns the endpoints at which only one side shows some members. */
const withOwnMembers = (lines: readonly string[]): readonly string[] => [
  ...new Set(lines.flatMap(line => /^unsaid (\S+) \S+ presence$/.exec(line)?.[1] ?? [])),
];

/** Differs between any two single runs. Only several runs show whose difference it is. */
export const timing = 'open open.read-after-write';

/**
 * Dialects that act by the number of a request, or by which requests overlap. Which request that affects depends on how
 * many are sent, and on the order in which the lanes send them.
 */
export const byNumber: ReadonlySet<string> = new Set([
  'conflicts-now-and-then',
  'creations-conflict',
  'maintenance',
  'nulls-in-turn',
  'others-turn-configs',
  'writes-frozen-for-a-while',
]);

/** Replaces the operation in a line by its collection. */
const ofCollection = (line: string): string =>
  line.replace(/(?<=^unsaid )\S+/, id => endpoints[id as EndpointId].collection);

/**
 * Returns the deviations from the noted differences of a dialect, one line each. Members that were noted must be seen
 * again, because an operation that is no longer compared would show no difference.
 */
export function unnoted(
  dialect: Dialect,
  lines: readonly string[],
  known: ProvenDialect | undefined,
  { verdicts }: Pick<RunRecord, 'verdicts'>,
): readonly string[] {
  const { differs = [], noise = [] } = known ?? {};
  // An effect on one operation that depends on request numbers may occur at another operation of its collection.
  const place = byNumber.has(dialect.id) ? ofCollection : (line: string): string => line;
  const allowed = new Set([...differs, ...noise, ...mayBreak(dialect), timing].map(place));
  return [
    ...lines.filter(line => !allowed.has(place(line))).map(line => `beside the reference server: ${line}`),
    ...withOwnMembers(differs)
      .filter(endpoint => verdicts.has(endpoint as EndpointId) && !withOwnMembers(lines).includes(endpoint))
      .map(endpoint => `beside the reference server it shows no members of its own at ${endpoint} any more`),
  ];
}
