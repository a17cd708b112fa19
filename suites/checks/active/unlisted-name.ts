import { type AcceptCase, namesIn } from '../../generators/index.ts';
import { inWords } from '../../judge/words.ts';
import type { CheckContext, Session } from '../../protocol/check.ts';
import { unlessGivenUp } from '../../protocol/stop.ts';
import { readList } from '../../state/reading.ts';

/**
 * Finds the name in a refused request that may name nothing. Metric sources are the one kind that a list shows whole
 * (sections 4.11 and 6): where it lacks the name that the target file gives, and nothing with the name was ever
 * accepted, the refusal may be about the name. The list is read once, and only when something was refused.
 */
export function createUnlistedNames({ row, minimal, discovered }: CheckContext) {
  let listed: Promise<ReadonlySet<unknown>> | undefined;

  async function read(session: Session): Promise<ReadonlySet<unknown>> {
    const listing = await unlessGivenUp(readList(session, { endpoint: 'list-qualifying-events' }), { items: [] });
    return new Set(listing.items.map(({ name }) => name));
  }

  /** Returns why the refusal of a case is doubtful; null if its names are shown, or were accepted in one of `bodies`. */
  return async (input: AcceptCase, session: Session, bodies: ReadonlySet<string>): Promise<string | null> => {
    const sources = namesIn(row.body ?? {}, input.body, minimal.body).flatMap(({ kind, value }) =>
      kind === 'metricSource' && typeof value === 'string' && !discovered.qualifyingEvents.has(value) ? [value] : [],
    );
    const wasAccepted = (name: string): boolean => [...bodies].some(body => body.includes(JSON.stringify(name)));
    const strange = sources.filter(name => !wasAccepted(name));
    if (strange.length === 0) return null;
    listed ??= read(session);
    const names = await listed;
    const unlisted = strange.find(name => !names.has(name));
    if (unlisted === undefined) return null;
    return `no list shows the metric source ${inWords(unlisted)} of the target file, and nothing with it was accepted`;
  };
}
