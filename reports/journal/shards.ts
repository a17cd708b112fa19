import type { RunEvent, RunStart } from '../../contracts/report/journal.ts';

/** A journal with the name of its file. Its first event is a `run-start`. */
export interface NamedJournal {
  readonly name: string;
  readonly events: readonly RunEvent[];
}

/** Thrown if journals are not the shards of one run; the message says which is missing or superfluous. */
export class NotOneRun extends Error {}

/** The settings that must be the same in all shards of a run. */
// biome-ignore format: a table
const shared: readonly (readonly [what: string, of: (start: RunStart) => unknown])[] = [
  ['seed',            start => start.seed],
  ['profile',         start => start.profile],
  ['requirements',    start => start.requirementSet],
  // The embedded reference server has a different port in each shard.
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
 * Joins the journals of the shards of a run, given in any order, into the events of the whole run in shard order. A
 * single journal is returned unchanged, even if it is a shard. Throws `NotOneRun` unless each shard of one run is given
 * exactly once.
 */
export function joinedShards(journals: readonly NamedJournal[]): RunEvent[] {
  const [first] = journals;
  if (!first) return [];
  if (journals.length === 1) return [...first.events];
  const shards = journals.map(journal => {
    const start = startOf(journal);
    const { shard } = start.options;
    if (!shard)
      throw new NotOneRun(
        `${journal.name} is a run of its own, not a shard; \`compare\` shows several runs side by side`,
      );
    return { journal, start, index: shard.index, total: shard.total };
  });
  const [one] = shards as [(typeof shards)[number]];
  for (const { journal, start } of shards)
    for (const [what, of] of shared)
      if (JSON.stringify(of(start)) !== JSON.stringify(of(one.start)))
        throw new NotOneRun(`${journal.name} is a shard of another run than ${one.journal.name}: another ${what}`);
  for (const [at, { journal, index }] of shards.entries()) {
    const before = shards.slice(0, at).find(other => other.index === index);
    if (before)
      throw new NotOneRun(`shard ${index}/${one.total} is there twice: ${before.journal.name} and ${journal.name}`);
  }
  const given = new Set(shards.map(({ index }) => index));
  const missing = Array.from({ length: one.total }, (_, at) => at + 1).filter(index => !given.has(index));
  if (missing.length > 0)
    throw new NotOneRun(
      `missing: ${missing.map(index => `shard ${index}/${one.total}`).join(', ')}; without it the run is not whole`,
    );
  return [...shards].sort((a, b) => a.index - b.index).flatMap(({ journal }) => journal.events.map(unsharded));
}

/** Returns the event as a run without shards would write it. */
function unsharded(event: RunEvent): RunEvent {
  if (event.event !== 'run-start') return event;
  const { shard: _, ...options } = event.options;
  return { ...event, options };
}
