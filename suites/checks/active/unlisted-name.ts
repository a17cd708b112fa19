import type { ReferenceKind } from '../../../contracts/dialect.ts';
import { type AcceptCase, namesIn } from '../../generators/index.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import { inWords } from '../../judge/words.ts';
import type { CheckContext, Session } from '../../protocol/check.ts';
import { unlessGivenUp } from '../../protocol/stop.ts';
import { readList } from '../../state/reading.ts';

/** Of the status codes of RFC 9110 those that say that a path names nothing (any more). */
const isAbsent = (status: number): boolean => status === 404 || status === 410;

/**
 * Finds the name in a refused request that may name nothing: the refusal may be about the name. Metric sources are the
 * one kind that a list shows whole (sections 4.11 and 6): it lacks the name that the target file gives, and nothing with
 * the name was ever accepted. The list is read once, and only when something was refused. Gates are read by an empty
 * patch: somebody may have removed one during the run.
 */
export function createUnlistedNames({ row, minimal, discovered }: CheckContext) {
  let listed: Promise<ReadonlySet<unknown>> | undefined;

  async function read(session: Session): Promise<ReadonlySet<unknown>> {
    const listing = await unlessGivenUp(readList(session, { endpoint: 'list-qualifying-events' }), { items: [] });
    return new Set(listing.items.map(({ name }) => name));
  }

  /** Returns why the refusal of a case is doubtful; null if its names are shown, or were accepted in one of `bodies`. */
  return async (input: AcceptCase, session: Session, bodies: ReadonlySet<string>): Promise<string | null> => {
    const names = namesIn(row.body ?? {}, input.body, minimal.body);
    const namesOf = (wanted: ReferenceKind): readonly string[] =>
      names.flatMap(({ kind, value }) => (kind === wanted && typeof value === 'string' ? [value] : []));
    for (const param of namesOf('gate')) {
      const answer = await unlessGivenUp(session.send({ endpoint: 'patch-gate', param, body: {} }), null);
      if (answer !== null && isAbsent(answer.status))
        return `the gate ${inWords(param)} of the target file is not there (${refusalInWords(answer)})`;
    }
    const sources = namesOf('metricSource').filter(value => !discovered.qualifyingEvents.has(value));
    const wasAccepted = (name: string): boolean => [...bodies].some(body => body.includes(JSON.stringify(name)));
    const strange = sources.filter(name => !wasAccepted(name));
    if (strange.length === 0) return null;
    listed ??= read(session);
    const shown = await listed;
    const unlisted = strange.find(name => !shown.has(name));
    if (unlisted === undefined) return null;
    return `no list shows the metric source ${inWords(unlisted)} of the target file, and nothing with it was accepted`;
  };
}
