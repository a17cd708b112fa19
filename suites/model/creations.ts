import { membersOf } from '../../contracts/json.ts';
import type { Answer } from '../protocol/answer.ts';
import { entryOf } from '../protocol/entries.ts';
import { rivalsOf } from './causes.ts';
import type { Gathered } from './covers.ts';
import type { Asked } from './exchange.ts';
import { forgetOld, type Outcome, type Write } from './knowledge.ts';
import { kinds, overlap, type Showing, text } from './resources.ts';
import { type Suspicion, suspect } from './suspicion.ts';

/** A creation that was answered with an id. */
interface Made {
  readonly name: string;
  readonly write: Write;
}

const isAccepted = ({ outcome }: Write): boolean => outcome === 'accepted';
const nameOf = ({ fields = {} }: Write): string => text(fields.name);

/** Maximum number of shared ids, and of ids given twice, that are remembered: watched traffic may last for months. */
const mostShared = 1000;

/** Creates a judge of concurrent creations: each has its own answer and id, and is shown once. */
export function createCreations() {
  const made = new Map<string, Made>();
  /** The first ids of entities that were created while nothing else was, by kind. */
  const alone = new Map<string, Set<string>>();
  /** The ids that entities of a kind share, although each was created alone: the id of their prompt, for example. */
  const shared = new Set<string>();
  /** Ids given twice at once. Creations without overlap tell whether the service gives each its own. */
  const doubtful: Suspicion[] = [];

  function noteAlone(resource: string, id: string): void {
    const ids = entryOf(alone, resource, () => new Set());
    const isShared = ids.has(id);
    if (isShared && shared.size < mostShared) shared.add(`${resource} ${id}`);
    // Two different ids are proof enough.
    if (ids.size < 2) ids.add(id);
    for (const one of doubtful.filter(other => other.resource === resource)) {
      if (isShared) one.isExplained = true;
      else if (ids.size > 1) one.excuses.delete('unknown');
    }
  }

  return {
    /** Judges the answer to a request that may create. */
    wrote(asked: Asked, outcome: Outcome, answer: Answer | undefined, covers: Gathered): readonly Suspicion[] {
      const { row, endpoint, writes } = asked;
      const [write] = writes;
      if (row.effect !== 'additive' || outcome !== 'accepted' || write === undefined) return [];
      const { resource } = row;
      const data = membersOf(answer?.data);
      const [id, shown, name] = [text(data.id), text(data.name), nameOf(write)];
      const found: Suspicion[] = [];
      if (write.met.some(isAccepted) && shown === name) covers.add(endpoint, overlap.answers);
      if (shown !== '' && shown !== name && write.met.some(other => nameOf(other) === shown))
        found.push(
          suspect('swapped', asked, name, { requirements: [overlap.answers], pointer: '/data/name', got: shown }),
        );
      if (id === '') return found;
      if (write.met.length === 0) noteAlone(resource, id);
      const key = `${resource} ${id}`;
      const other = made.get(key);
      made.set(key, { name, write });
      if (other === undefined && write.met.some(isAccepted)) covers.add(endpoint, overlap.creations);
      if (other === undefined || other.name === name || !write.met.includes(other.write)) return found;
      if (shared.has(key)) return found;
      const more = { requirements: [overlap.creations], pointer: '/data/id', got: id };
      const twice = suspect('repeated', asked, id, more);
      if ((alone.get(resource)?.size ?? 0) < 2) twice.excuses.add('unknown');
      if (doubtful.length < mostShared) doubtful.push(twice);
      return [...found, twice];
    },
    /** Judges an answer that shows several entities. */
    shown(asked: Asked, showings: readonly Showing[], covers: Gathered): readonly Suspicion[] {
      const { resource } = asked.row;
      const isSet = kinds[resource].set !== undefined;
      const requirement = isSet ? overlap.answers : overlap.creations;
      const ids = showings.map(({ id }) => id);
      return showings.flatMap(({ id, pointer }, index) => {
        const write = isSet ? asked.writes[0] : made.get(`${resource} ${id}`)?.write;
        if (write === undefined || !rivalsOf(write).some(isAccepted)) return [];
        covers.add(write.endpoint, requirement);
        const more = { requirements: [requirement], pointer, got: id, culprits: [write.number] };
        return ids.indexOf(id) < index ? [suspect('repeated', asked, id, more)] : [];
      });
    },
    forget(beforeMs: number): void {
      forgetOld(made, ({ write }) => write.begun.ms < beforeMs);
    },
    size: (): number => made.size + shared.size + doubtful.length,
  };
}
