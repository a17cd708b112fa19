import type { Resource } from '../../contracts/endpoint.ts';
import type { EndpointId } from '../../contracts/endpoints.ts';
import { isObject, type Members, membersOf } from '../../contracts/json.ts';
import { same } from '../../contracts/pointer.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';
import { lastPage, readPage } from '../judge/page.ts';
import type { Answer } from '../protocol/answer.ts';
import { lineageOf } from '../state/reading.ts';
import type { Gathered } from './covers.ts';
import type { Asked, ModelOptions } from './exchange.ts';
import type { Moment, Outcome, Tried } from './knowledge.ts';
import { idle, kinds, overlap, type Showing } from './resources.ts';
import type { Excuse, Suspicion, SuspicionKind } from './suspicion.ts';

/** Which entities lists hold: what was created stands in them, what was not does not. */
export interface Lists {
  /** A write has ended. */
  wrote(asked: Asked, outcome: Outcome, answer: Answer | undefined, at: Moment): void;
  /** Whether an entity stands in lists although it must not: then what it shows is judged no further. */
  isIntruder(resource: Resource, id: string): boolean;
  /** A list was shown. */
  listed(
    asked: Asked,
    answer: Answer,
    showings: readonly Showing[],
    tried: Tried,
    covers: Gathered,
  ): readonly Suspicion[];
  forget(beforeMs: number): void;
  readonly size: () => number;
}

/** What was created, and must stand in lists from then on. */
interface Created {
  readonly id: string;
  readonly number: number;
  readonly endpoint: EndpointId;
  readonly under: readonly string[];
  readonly ended: Moment;
  /** Of each list that lacked it: the suspicion that says so. */
  readonly told: Map<string, Suspicion>;
}

/** A name that must not appear, and what is broken if it does. */
interface Forbidden {
  readonly resource: Resource;
  readonly id: string;
  readonly requirement: RequirementId;
  readonly number: number;
  readonly endpoint: EndpointId;
  readonly ended: Moment;
  /** The name that it had, where the write would have changed it. */
  readonly instead: string | undefined;
  isTold: boolean;
}

/** The pages of a list that were read while nothing was tried. */
interface Walk {
  readonly total: number;
  readonly begun: Moment;
  readonly pages: Map<number, readonly string[]>;
}

/** Begins without a list known. */
export function createLists({ settleMs, token }: ModelOptions): Lists {
  const created = new Map<string, Created>();
  const forbidden = new Map<string, Forbidden>();
  const walks = new Map<string, Walk>();
  /** Ids that whole lists held, and when. */
  const held = new Map<string, { readonly ids: ReadonlySet<string>; readonly begun: Moment }>();

  const isMarked = (id: string): boolean => token !== undefined && id.includes(token);

  function suspicion(kind: SuspicionKind, asked: Asked, id: string, more: Partial<Suspicion>): Suspicion {
    return {
      kind,
      resource: asked.row.resource,
      id,
      field: '',
      endpoint: asked.endpoint,
      pointer: '/data',
      expected: [],
      got: undefined,
      requirements: [],
      culprits: [],
      known: undefined,
      hasStood: false,
      shown: asked.number,
      excuses: new Set<Excuse>(),
      isExplained: false,
      isCertain: false,
      behindMs: undefined,
      ...more,
    };
  }

  /** The names that a write must not have brought into lists. */
  function forbids({ row, body, param }: Asked, outcome: Outcome): [string, RequirementId][] {
    const kind = kinds[row.resource];
    const fields = membersOf(body);
    const isIdle = outcome === 'refused' || outcome === 'keyless' || outcome === 'dry';
    if (kind.created !== undefined && isIdle) {
      const requirement =
        outcome === 'dry' ? (kind.dry ?? idle.refused) : outcome === 'keyless' ? idle.keyless : idle.refused;
      return [[kind.created(fields), requirement]];
    }
    const { name } = fields;
    const { renamed } = kind.lists ?? {};
    return renamed !== undefined && typeof name === 'string' && name !== param ? [[name, renamed]] : [];
  }

  /** The ids of a whole list, where all its pages were read and nothing was tried meanwhile. */
  function wholeOf(key: string, asked: Asked, answer: Answer, tried: Tried, ids: readonly string[]) {
    const page = asked.isFiltered ? null : readPage(answer);
    if (page === null || page.itemsPerPage === 0 || ids.length !== page.items.length) return undefined;
    const walkKey = `${key} ${page.itemsPerPage}`;
    const known = walks.get(walkKey);
    const goesOn = known !== undefined && known.total === page.totalItems && tried.quietSince.place < known.begun.place;
    const walk: Walk =
      goesOn && page.pageNumber > 1 ? known : { total: page.totalItems, begun: asked.begun, pages: new Map() };
    walks.set(walkKey, walk);
    walk.pages.set(page.pageNumber, ids);
    const last = lastPage(page);
    if (tried.underWay > 0 || walk.pages.size < last) return undefined;
    const all = new Set([...walk.pages.values()].flat());
    return all.size === page.totalItems ? { ids: all, begun: walk.begun } : undefined;
  }

  function missing(key: string, asked: Asked, ids: ReadonlySet<string>, begun: Moment): Suspicion[] {
    const found: Suspicion[] = [];
    const { lacking } = kinds[asked.row.resource].lists ?? {};
    if (lacking === undefined) return found;
    for (const one of created.values()) {
      if (!one.under.includes(asked.param) || one.ended.place >= begun.place) continue;
      const told = one.told.get(key);
      const isLate = one.ended.ms > begun.ms - settleMs;
      if (ids.has(one.id)) {
        if (told?.excuses.has('lag')) told.isExplained = true;
        continue;
      }
      if (told !== undefined) {
        if (!isLate) told.excuses.delete('lag');
        continue;
      }
      const requirements: RequirementId[] = [lacking, overlap.answers];
      const culprits = [one.number];
      const missed = suspicion('missing', asked, one.id, { requirements, culprits, expected: [one.id] });
      if (isLate) missed.excuses.add('lag');
      one.told.set(key, missed);
      found.push(missed);
    }
    return found;
  }

  /** What a whole list shows by what it holds, and, where that was created after it, by what it does not hold. */
  function coverWhole({ row, param }: Asked, ids: ReadonlySet<string>, begun: Moment, covers: Gathered): void {
    const { lacking } = kinds[row.resource].lists ?? {};
    if (lacking === undefined) return;
    let last = Number.NEGATIVE_INFINITY;
    for (const { id, endpoint, under, ended } of created.values()) {
      if (!under.includes(param) || !ids.has(id) || ended.place >= begun.place) continue;
      covers.add(endpoint, lacking);
      last = Math.max(last, ended.place);
    }
    for (const { resource, id, endpoint, requirement, ended } of forbidden.values())
      if (resource === row.resource && ended.place < last && !ids.has(id)) covers.add(endpoint, requirement);
  }

  function present(key: string, asked: Asked, { id, pointer }: Showing): Suspicion | undefined {
    const known = forbidden.get(`${asked.row.resource} ${id}`);
    if (known === undefined || known.isTold || known.ended.place > asked.begun.place) return undefined;
    const before = held.get(key);
    const wasAbsent = before !== undefined && before.begun.place < known.ended.place && !before.ids.has(id);
    if (!isMarked(id) && !wasAbsent) return undefined;
    known.isTold = true;
    const { requirement, number, instead } = known;
    const more = instead === undefined ? { pointer } : { pointer: `${pointer}/name`, expected: [instead] };
    return suspicion('present', asked, id, { requirements: [requirement], culprits: [number], got: id, ...more });
  }

  /** What is listed under an event has it in its lineage, by itself or through another metric (section 4.14). */
  function strangers(asked: Asked, entity: Members, { id, pointer }: Showing): Suspicion | undefined {
    const { strange } = kinds[asked.row.resource].lists ?? {};
    if (strange === undefined || !isObject(entity.lineage)) return undefined;
    const { events, metrics } = lineageOf(entity);
    // What is no list of names is judged by its type.
    if (!same(entity.lineage.events ?? [], [...events])) return undefined;
    if (events.includes(asked.param) || metrics.length > 0) return undefined;
    return suspicion('present', asked, id, {
      requirements: [strange],
      pointer: `${pointer}/lineage`,
      expected: [asked.param],
      got: events,
    });
  }

  return {
    wrote(asked, outcome, answer, at) {
      const { row, body, endpoint } = asked;
      const { resource } = row;
      const kind = kinds[resource];
      const number = asked.writes[0]?.number ?? 0;
      for (const [id, requirement] of forbids(asked, outcome)) {
        const key = `${resource} ${id}`;
        const instead = kind.created === undefined ? asked.param : undefined;
        if (!created.has(id) && !forbidden.has(key))
          forbidden.set(key, { resource, id, requirement, number, endpoint, ended: at, instead, isTold: false });
      }
      if (kind.created === undefined || outcome === 'refused' || outcome === 'dry' || outcome === 'keyless') return;
      const data = membersOf(answer?.data);
      const id = kind.created(membersOf(body));
      for (const one of [id, String(data.id)]) forbidden.delete(`${resource} ${one}`);
      if (outcome !== 'accepted') {
        created.set(id, { id, number, endpoint, under: [], ended: at, told: new Map() });
        return;
      }
      // By which id a list shows what was answered under another one is not known.
      const under = data.id === undefined || data.id === id ? lineageOf(data).events : [];
      created.set(id, { id, number, endpoint, under, ended: at, told: new Map() });
    },
    isIntruder: (resource, id) => forbidden.get(`${resource} ${id}`)?.isTold === true,
    listed(asked, answer, showings, tried, covers) {
      const key = `${asked.endpoint} ${asked.param}`;
      const found = showings
        .flatMap(showing => [present(key, asked, showing), strangers(asked, showing.entity, showing)])
        .filter(one => one !== undefined);
      const ids = showings.map(({ id }) => id);
      const whole = wholeOf(key, asked, answer, tried, ids);
      if (whole === undefined) return found;
      held.set(key, whole);
      coverWhole(asked, whole.ids, whole.begun, covers);
      return [...found, ...missing(key, asked, whole.ids, whole.begun)];
    },
    forget(beforeMs) {
      for (const [id, { ended }] of created) if (ended.ms < beforeMs) created.delete(id);
      for (const [id, { ended }] of forbidden) if (ended.ms < beforeMs) forbidden.delete(id);
      for (const [key, { begun }] of held) if (begun.ms < beforeMs) held.delete(key);
      for (const [key, { begun }] of walks) if (begun.ms < beforeMs) walks.delete(key);
    },
    size: () => created.size + forbidden.size + held.size + walks.size,
  };
}
