import { type EndpointId, endpoints } from '../../../contracts/endpoints.ts';
import type { DifferencePlace } from '../../../contracts/report/difference.ts';
import type { Dialect } from '../../../reference-server/index.ts';
import { compareSides, type RunsOfSide } from '../../diff/explain/compare-sides.ts';
import type { RunRecord, Setting } from '../testing/reference-run.ts';
import { type WatchedRun, watchedRun } from '../testing/watched-run.ts';
import type { ProvenDialect } from './proven.fixture.ts';

/** A place in a line: whose it is, the requirement, and, where nothing is said of it, where it is. */
const inALine = ({ label, requirement, endpoint, pointer, aspect }: DifferencePlace): string =>
  requirement === undefined ? `${label} ${endpoint} ${pointer} ${aspect}` : `${label} ${requirement}`;

/** What differs between two sides beyond noise, a line for each requirement, or for each place of which none speaks. */
export const differences = (a: RunsOfSide, b: RunsOfSide): readonly string[] =>
  [...new Set(compareSides(a, b, true).comparison.places.map(inALine))].sort();

/** Recordings of the reference server, by how it was run. */
const references = new Map<string, Promise<WatchedRun>>();

/** The reference server as it is recorded in the setting of a dialect. It never lags, and needs no rest. */
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

/** What differs between the reference server and one that speaks a dialect. */
export async function toReference(dialect: Dialect, setting: Setting, { recording }: WatchedRun) {
  const reference = await referenceFor(setting, dialect);
  return differences([reference.recording], [recording]);
}

/** The SHOULDs that the row of a dialect names as broken, in lines as `differences` has them. */
export const mayBreak = ({ warns = [], mayWarn = [] }: Dialect): readonly string[] =>
  [...warns, ...mayWarn].map(requirement => `b-breaks ${requirement}`);

/** The endpoints at which one shows members that the other leaves out. */
const withOwnMembers = (lines: readonly string[]): readonly string[] => [
  ...new Set(lines.flatMap(line => /^unsaid (\S+) \S+ presence$/.exec(line)?.[1] ?? [])),
];

/** How soon a write shows differs between any two single runs: only more of them tell whose it is. */
export const timing = 'open open.read-after-write';

/**
 * The dialects that act by the number of a request. Which request is met by what hangs on how many are sent, and on the
 * order in which the lanes send them.
 */
export const byNumber: ReadonlySet<string> = new Set([
  'conflicts-now-and-then',
  'maintenance',
  'others-turn-configs',
  'writes-frozen-for-a-while',
]);

/** A line, about the collection in place of the operation. */
const ofCollection = (line: string): string =>
  line.replace(/(?<=^unsaid )\S+/, id => endpoints[id as EndpointId].collection);

/**
 * How a dialect differs otherwise than was noted, a line each. An operation of which nothing is compared any more would
 * differ in nothing: members that were seen have to be seen again at the operations that were asked.
 */
export function unnoted(
  dialect: Dialect,
  lines: readonly string[],
  known: ProvenDialect | undefined,
  { verdicts }: Pick<RunRecord, 'verdicts'>,
): readonly string[] {
  const { differs = [], noise = [] } = known ?? {};
  // What is done to one operation by the number of its request may be done to another of its collection.
  const place = byNumber.has(dialect.id) ? ofCollection : (line: string): string => line;
  const allowed = new Set([...differs, ...noise, ...mayBreak(dialect), timing].map(place));
  return [
    ...lines.filter(line => !allowed.has(place(line))).map(line => `beside the reference server: ${line}`),
    ...withOwnMembers(differs)
      .filter(endpoint => verdicts.has(endpoint as EndpointId) && !withOwnMembers(lines).includes(endpoint))
      .map(endpoint => `beside the reference server it shows no members of its own at ${endpoint} any more`),
  ];
}
