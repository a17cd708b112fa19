import type { Members } from '../../contracts/json.ts';
import type { RunEvent, RunStart } from '../../contracts/report/journal.ts';

/** A journal with the name of its file. Its first event is a `run-start`. */
export interface NamedJournal {
  readonly name: string;
  readonly events: readonly RunEvent[];
}

/** Thrown if journals are not the shards of one run; the message says which is missing or superfluous. */
export class NotOneRun extends Error {}

/** Returns the settings that must be the same in all shards of a run. */
const settingsOf = ({ seed, profile, requirementSet: requirements, target, options, tool }: RunStart) => ({
  seed,
  profile,
  requirements,
  // The embedded reference server has a different port in each shard.
  target: target.embedded || target.baseUrl,
  '--only': options.only,
  '--skip': options.skip,
  '--strict': options.strict,
  '--read-only': options.readOnly,
  'number of shards': options.shard?.total,
  'suite version': [tool.version, tool['fast-check'], tool.faker],
});

/** Returns the names of the settings in which some runs differ. */
export function differingIn(settings: readonly Members[]): string[] {
  const [first = {}] = settings;
  return Object.keys(first).filter(name => new Set(settings.map(one => JSON.stringify(one[name]))).size > 1);
}

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
  for (const { journal, start } of shards) {
    const [what] = differingIn([settingsOf(one.start), settingsOf(start)]);
    if (what !== undefined)
      throw new NotOneRun(`${journal.name} is a shard of another run than ${one.journal.name}: another ${what}`);
  }
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
