import type { RunEvent, RunStart } from '../../contracts/report/journal.ts';

/** A journal that was read, under the name that its readers know it by. Its first event is a `run-start`. */
export interface NamedJournal {
  readonly name: string;
  readonly events: readonly RunEvent[];
}

/** Journals that are not the shards of one run; the message says which one is missing, doubled or foreign. */
export class NotOneRun extends Error {}

/** What all shards of a run have in common, in words. */
// biome-ignore format: a table
const common: readonly (readonly [what: string, of: (start: RunStart) => unknown])[] = [
  ['seed',            start => start.seed],
  ['profile',         start => start.profile],
  // The embedded reference server has another port in each shard.
  ['target',          start => start.target.embedded || start.target.baseUrl],
  ['--only',          start => start.options.only],
  ['--skip',          start => start.options.skip],
  ['--strict',        start => start.options.strict],
  ['--read-only',     start => start.options.readOnly],
  ['number of shards', start => start.options.shard?.total],
  ['suite version',   start => [start.tool.version, start.tool['fast-check'], start.tool.faker]],
];

const startOf = ({ name, events }: NamedJournal): RunStart => {
  const [start] = events;
  if (start?.event !== 'run-start') throw new NotOneRun(`${name} does not begin with a run-start`);
  return start;
};

/**
 * The events of a whole run from the journals of its shards, in the order of the shards, whatever the order in which they are given. One journal alone is
 * what it is, a shard too. Throws `NotOneRun` when several are not each shard of one run exactly once.
 */
export function joinedShards(journals: readonly NamedJournal[]): RunEvent[] {
  const [first] = journals;
  if (first === undefined) return [];
  if (journals.length === 1) return [...first.events];
  const shards = journals.map(journal => {
    const start = startOf(journal);
    const { shard } = start.options;
    if (shard === undefined)
      throw new NotOneRun(
        `${journal.name} is a run of its own, not a shard; \`compare\` shows several runs side by side`,
      );
    return { journal, start, index: shard.index, total: shard.total };
  });
  const [one] = shards as [(typeof shards)[number]];
  for (const { journal, start } of shards)
    for (const [what, of] of common)
      if (JSON.stringify(of(start)) !== JSON.stringify(of(one.start)))
        throw new NotOneRun(`${journal.name} is a shard of another run than ${one.journal.name}: another ${what}`);
  const byIndex = new Map<number, string>();
  for (const { journal, index } of shards) {
    const before = byIndex.get(index);
    if (before !== undefined)
      throw new NotOneRun(`shard ${index}/${one.total} is there twice: ${before} and ${journal.name}`);
    byIndex.set(index, journal.name);
  }
  const missing = Array.from({ length: one.total }, (_, at) => at + 1).filter(index => !byIndex.has(index));
  if (missing.length > 0)
    throw new NotOneRun(
      `missing: ${missing.map(index => `shard ${index}/${one.total}`).join(', ')}; without it the run is not whole`,
    );
  return [...shards].sort((a, b) => a.index - b.index).flatMap(({ journal }) => journal.events.map(unsharded));
}

/** An event as a run that was not divided would have it. */
function unsharded(event: RunEvent): RunEvent {
  if (event.event !== 'run-start') return event;
  const { shard: _, ...options } = event.options;
  return { ...event, options };
}
