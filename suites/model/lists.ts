import type { Resource } from '../../contracts/endpoint.ts';
import type { EndpointId } from '../../contracts/endpoints.ts';
import { asText, isObject, membersOf } from '../../contracts/json.ts';
import { same } from '../../contracts/pointer.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import { readPage } from '../judge/page.ts';
import type { Answer } from '../protocol/answer.ts';
import { count } from '../protocol/entries.ts';
import { lineageOf } from '../state/reading.ts';
import { idleRequirement, isIdle } from './causes.ts';
import type { Gathered } from './covers.ts';
import type { Asked, ModelOptions } from './exchange.ts';
import { forgetOld, longAgo, type Moment, type Outcome, type Tried } from './knowledge.ts';
import { eventFinder, folded, type Lineage } from './lineage.ts';
import { kinds, overlap, type Showing } from './resources.ts';
import { type Suspicion, suspect } from './suspicion.ts';
import { createWholeLists } from './whole-lists.ts';

/** A name that must not appear in lists, and the requirement that is broken if it does. */
interface Forbidden {
  readonly resource: Resource;
  readonly id: string;
  readonly requirement: RequirementId;
  readonly number: number;
  readonly endpoint: EndpointId;
  readonly ended: Moment;
  /** The former name, if the write would have changed it. */
  readonly instead: string | undefined;
  isTold: boolean;
}

/** Returns the names that a write must not have brought into lists. */
function forbids({ row, body, param }: Asked, outcome: Outcome): [string, RequirementId][] {
  const kind = kinds[row.resource];
  const fields = membersOf(body);
  if (kind.created !== undefined && isIdle({ outcome }))
    return [[kind.created(fields), idleRequirement({ outcome, row })]];
  const { name } = fields;
  const { renamed } = kind.lists ?? {};
  return renamed !== undefined && typeof name === 'string' && name !== param ? [[name, renamed]] : [];
}

/** An entity that was created, and must be listed from then on. */
interface Created {
  readonly id: string;
  readonly number: number;
  readonly endpoint: EndpointId;
  readonly under: readonly string[];
  readonly begun: Moment;
  readonly ended: Moment;
  /** The lists that have shown it since, and the number of the last exchange that did. */
  readonly shownIn: Map<string, number>;
}

/** A request that may create an entity. */
type Making = Pick<Asked, 'row' | 'body' | 'deserves'>;

/** Creates a judge of which entities lists hold: those that were created, and no others. */
export function createLists({ settleMs, token, isWatching = false, isSoleWriter = false }: ModelOptions) {
  /** The lineages that each list has shown since its first page. */
  const lineages = new Map<string, { readonly begun: Moment; readonly shown: Map<string, Lineage> }>();
  /** Entries that lists lack or must not show, and since when. */
  const wrong = new Map<string, { readonly suspicion: Suspicion; readonly since: Moment }>();
  const created = new Map<string, Created>();
  const forbidden = new Map<string, Forbidden>();
  /** How many creations of each name are under way. */
  const making = new Map<string, number>();
  const wholeLists = createWholeLists();
  /** The ids in each list when it was last read whole, and when that was. */
  const held = new Map<string, { readonly ids: ReadonlySet<string>; readonly begun: Moment }>();

  function noteMaking({ row, body, deserves }: Making, by: 1 | -1): void {
    const { created: nameOf } = kinds[row.resource];
    if (nameOf === undefined || (deserves !== 'effect' && deserves !== 'unknown')) return;
    const name = `${row.resource} ${nameOf(membersOf(body))}`;
    if (count(making, name, by) === 0) making.delete(name);
  }

  const isMarked = (id: string): boolean => token !== undefined && id.includes(token);

  /** Suspects a wrong entry once. Lag excuses it until it has lasted longer than writes may take to show. */
  function once(of: string, isWrong: boolean, first: Moment, begun: Moment, make: () => Suspicion): Suspicion[] {
    const known = wrong.get(of);
    if (!isWrong) {
      if (known?.suspicion.excuses.has('lag')) known.suspicion.isExplained = true;
      return [];
    }
    const { since } = known ?? { since: first };
    const isLate = since.ms > begun.ms - settleMs;
    if (known !== undefined) {
      if (!isLate) known.suspicion.excuses.delete('lag');
      return [];
    }
    const found = make();
    if (isLate) found.excuses.add('lag');
    wrong.set(of, { suspicion: found, since });
    return [found];
  }

  /**
   * Suspects the created entities that a whole list lacks, and adds what the list could have shown to be broken. An
   * empty list proves no absence.
   */
  function judgeWhole(
    key: string,
    asked: Asked,
    ids: ReadonlySet<string>,
    begun: Moment,
    covers: Gathered,
  ): Suspicion[] {
    const { lacking } = kinds[asked.row.resource].lists ?? {};
    if (lacking === undefined) return [];
    const belonging = [...created.values()].filter(({ under }) => under.includes(asked.param));
    const listed = belonging.filter(({ id }) => ids.has(id));
    const found = belonging.flatMap(({ id, number, endpoint, ended, shownIn }) => {
      if (ended.place >= begun.place) return [];
      if (ids.has(id)) covers.add(endpoint, lacking);
      // The name proves who made it, not who took it away.
      const wasRemoved = shownIn.has(key) && !isSoleWriter;
      // A clean-up takes away what was created before as well.
      const isAlone = isSoleWriter || listed.some(other => other.begun.place < ended.place);
      const more: Partial<Suspicion> = {
        requirements: [lacking, overlap.answers],
        culprits: [number],
        expected: [id],
        known: shownIn.get(key),
        certainBy: isMarked(id) && !wasRemoved && isAlone ? 'mark' : undefined,
        ...(wasRemoved && { excuses: new Set(['others'] as const) }),
      };
      return once(`${key} ${id}`, !ids.has(id), ended, begun, () => suspect('missing', asked, id, more));
    });
    for (const { resource, id, endpoint, requirement, ended } of ids.size === 0 ? [] : forbidden.values())
      if (resource === asked.row.resource && ended.place < begun.place && !ids.has(id))
        covers.add(endpoint, requirement);
    return found;
  }

  function present(key: string, asked: Asked, { id, pointer }: Showing): Suspicion | undefined {
    const name = `${asked.row.resource} ${id}`;
    const known = making.has(name) ? undefined : forbidden.get(name);
    if (known === undefined || known.isTold || known.ended.place > asked.begun.place) return undefined;
    const before = held.get(key);
    const wasAbsent = before !== undefined && before.begun.place < known.ended.place && !before.ids.has(id);
    if (!isMarked(id) && !wasAbsent) return undefined;
    known.isTold = true;
    const { requirement, number, instead } = known;
    const more = instead === undefined ? { pointer } : { pointer: `${pointer}/name`, expected: [instead] };
    return suspect('present', asked, id, {
      requirements: [requirement],
      culprits: [number],
      got: id,
      certainBy: isMarked(id) ? 'mark' : undefined,
      ...more,
    });
  }

  /**
   * Suspects metrics whose lineage lacks the event under which they are listed, directly and through other listed
   * metrics (section 4.14). A lineage may be filled later than its metric is listed. Clients may ask by another form of
   * the event's name, where a run asks by the names of the target file.
   */
  function strangers(
    key: string,
    asked: Asked,
    answer: Answer,
    showings: readonly Showing[],
    covers: Gathered,
  ): readonly Suspicion[] {
    const { strange } = kinds[asked.row.resource].lists ?? {};
    if (strange === undefined) return [];
    const { param, begun } = asked;
    const { pageNumber = 1 } = readPage(answer) ?? {};
    const shown = (pageNumber > 1 ? lineages.get(key)?.shown : undefined) ?? new Map<string, Lineage>();
    lineages.set(key, { begun, shown });
    const each = showings.map(({ entity }) => lineageOf(entity));
    for (const [index, { id }] of showings.entries()) shown.set(id, each[index] as Lineage);
    const hasEvent = eventFinder(param, shown);
    return showings.flatMap(({ id, pointer, entity: { lineage } }, index) => {
      const own = each[index] as Lineage;
      // A malformed list of names is judged by its type.
      if (!isObject(lineage) || !same(lineage.events ?? [], [...own.events])) return [];
      if (isWatching && !own.events.includes(param) && own.events.map(folded).includes(folded(param))) return [];
      const isRight = hasEvent(own);
      if (isRight !== undefined) covers.add(asked.endpoint, strange);
      const more = { requirements: [strange], pointer: `${pointer}/lineage`, expected: [param], got: lineage };
      const of = `${key} ${id} lineage`;
      const since = isWatching ? (created.get(id)?.ended ?? longAgo) : begun;
      return once(of, isRight === false, since, begun, () => suspect('present', asked, id, more));
    });
  }

  return {
    /** Notes the beginning of a write. Lists may show what it creates until it has ended. */
    began: (asked: Making): void => noteMaking(asked, 1),
    /** Notes that the end of a write was never seen. */
    neverEnded: (asked: Making): void => noteMaking(asked, -1),
    /** Notes the end of a write. */
    wrote(asked: Asked, outcome: Outcome, answer: Answer | undefined, at: Moment): void {
      const { row, body, endpoint, number, begun } = asked;
      const { resource } = row;
      const kind = kinds[resource];
      noteMaking(asked, -1);
      for (const [id, requirement] of forbids(asked, outcome)) {
        const key = `${resource} ${id}`;
        const instead = kind.created === undefined ? asked.param : undefined;
        if (!created.has(id) && !forbidden.has(key))
          forbidden.set(key, { resource, id, requirement, number, endpoint, ended: at, instead, isTold: false });
      }
      if (kind.created === undefined || isIdle({ outcome })) return;
      const data = membersOf(answer?.data);
      const id = kind.created(membersOf(body));
      for (const one of [id, asText(data.id)]) forbidden.delete(`${resource} ${one}`);
      // If the answer gave another id, it is unknown by which one a list shows the entity.
      const isKnown = outcome === 'accepted' && (data.id === undefined || data.id === id);
      const under = isKnown ? lineageOf(data).events : [];
      created.set(id, { id, number, endpoint, under, begun, ended: at, shownIn: new Map() });
    },
    /** True if an entity was reported as wrongly listed: its fields are not judged then. */
    isIntruder: (resource: Resource, id: string): boolean => forbidden.get(`${resource} ${id}`)?.isTold === true,
    /** Judges a page of a list. */
    listed(
      asked: Asked,
      answer: Answer,
      showings: readonly Showing[],
      tried: Tried,
      covers: Gathered,
    ): readonly Suspicion[] {
      const key = `${asked.endpoint} ${asked.param}`;
      const found = [
        ...showings.flatMap(showing => present(key, asked, showing) ?? []),
        ...strangers(key, asked, answer, showings, covers),
      ];
      const ids = showings.map(({ id }) => id);
      for (const id of ids) created.get(id)?.shownIn.set(key, asked.number);
      const whole = wholeLists.read(key, asked, answer, tried, ids);
      if (whole === undefined) return found;
      held.set(key, whole);
      return [...found, ...judgeWhole(key, asked, whole.ids, whole.begun, covers)];
    },
    forget(beforeMs: number): void {
      const isOld = ({ ms }: Moment): boolean => ms < beforeMs;
      forgetOld(created, ({ ended }) => isOld(ended));
      forgetOld(forbidden, ({ ended }) => isOld(ended));
      forgetOld(held, ({ begun }) => isOld(begun));
      forgetOld(wrong, ({ since }) => isOld(since));
      wholeLists.forget(beforeMs);
      forgetOld(lineages, ({ begun }) => isOld(begun));
    },
    size: (): number =>
      [created, forbidden, held, wrong, wholeLists, ...[...lineages.values()].map(({ shown }) => shown)].reduce(
        (sum, { size }) => sum + size,
        lineages.size,
      ),
  };
}
