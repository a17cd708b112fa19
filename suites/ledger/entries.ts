import type { Endpoint } from '../../contracts/endpoint.ts';
import { type Cell, relationOf } from './cells.ts';
import type { Trial } from './moment.ts';
import { type Place, placesOf } from './placed.ts';

/** A cell, and what the exchanges until now say of it. */
export interface Entry {
  readonly cell: Cell;
  /** The places of a body that it asks for: one, or both of a pair. */
  readonly asks: readonly string[];
  /** The exchanges that prove it, and that were accepted and show nothing of it. */
  proven?: string;
  accepted?: string;
  isRefused: boolean;
  /** What would prove it, if other exchanges show more. */
  readonly waiting: { readonly by: string; readonly until: () => boolean }[];
  /** What findings named it. */
  readonly broken: { readonly by: string; readonly finding: string }[];
}

/** So many exchanges of a cell are remembered of which others may show more. */
const mostWaiting = 3;

/** The open cells of one operation: those that are not proven, by what an exchange has to be about to say anything of them. */
export interface OpenCells {
  /** By the place of a body whose value they are about; those about a pair stand at one of the two. */
  readonly byPlace: ReadonlyMap<string, Set<Entry>>;
  /** By the place that breaks a rule, and those about any place within theirs. */
  readonly byBreach: ReadonlyMap<string, Set<Entry>>;
  readonly within: ReadonlySet<Entry>;
  /** By the place of an answer. */
  readonly byAnswer: ReadonlyMap<string, Set<Entry>>;
  /** By the field, and the operation that shows it: `name list-events`. */
  readonly readBack: ReadonlyMap<string, Set<Entry>>;
  /** About a change as a whole, about the operation, and about requests without its key. */
  readonly kept: ReadonlySet<Entry>;
  readonly whole: ReadonlySet<Entry>;
  readonly keyless: ReadonlySet<Entry>;
  /** The places of a body, and of an answer, from the root, with how much of each is asked for; null where there are none. */
  readonly body: Place | null;
  readonly answer: Place;
  /** True of a field of which an open cell asks for a value, and of one that another operation has still to show. */
  isWanted(field: string): boolean;
  isReadBack(field: string): boolean;
  /** Takes out a cell that is proven. */
  close(entry: Entry): void;
}

/** The places of a body that have to be looked at for a cell. */
export function pathsAsked({ relation, node, variant }: Cell): readonly string[] {
  if (node === null) return [];
  if (relationOf({ relation }).of === 'data') return [node.path];
  if (relation === 'absent') return [node.parent?.path ?? ''];
  if (relation !== 'in-company' && relation !== 'told-apart') return [node.path];
  const holder = node.parent?.path ?? '';
  return [node.path, holder === '' ? variant : `${holder}.${variant}`];
}

const isWithin = ({ relation }: Cell): boolean => relation === 'condition' || relation === 'later-item';

/** Opens the cells of one operation. */
export function openCells({ body, data }: Endpoint, entries: readonly Entry[]): OpenCells {
  const byPlace = new Map<string, Set<Entry>>();
  const byBreach = new Map<string, Set<Entry>>();
  const byAnswer = new Map<string, Set<Entry>>();
  const readBack = new Map<string, Set<Entry>>();
  const within = new Set<Entry>();
  const kept = new Set<Entry>();
  const whole = new Set<Entry>();
  const keyless = new Set<Entry>();
  const ofBody = body === null ? new Map<string, Place>() : placesOf(body);
  const ofAnswer = placesOf(data);
  const unreadBack = new Map<string, number>();
  const count = (places: ReadonlyMap<string, Place>, paths: readonly string[], by: number): void => {
    for (const path of paths)
      for (let place = places.get(path); place !== undefined; place = place.above) place.wanted += by;
  };
  const listOf = (lists: Map<string, Set<Entry>>, key: string): Set<Entry> => {
    const known = lists.get(key) ?? new Set();
    lists.set(key, known);
    return known;
  };
  /** Where a cell stands, and which paths it asks for. */
  const homeOf = ({
    cell,
    asks,
  }: Entry): { readonly home: Set<Entry>; readonly places?: ReadonlyMap<string, Place> } => {
    const { of, side } = relationOf(cell);
    const path = cell.node?.path ?? '';
    if (of === 'data') return { home: listOf(byAnswer, path), places: ofAnswer };
    if (of === 'operation') return { home: side === 'refusal' ? keyless : whole };
    if (cell.relation === 'kept') return { home: kept };
    if (cell.relation === 'read-back') return { home: listOf(readBack, `${path} ${cell.variant}`) };
    if (side === 'refusal') return { home: isWithin(cell) ? within : listOf(byBreach, path) };
    return { home: listOf(byPlace, asks[0] ?? ''), places: ofBody };
  };
  const ask = (entry: Entry, by: 1 | -1): void => {
    const { home, places } = homeOf(entry);
    const { cell, asks } = entry;
    if (by === 1 ? home.has(entry) : !home.has(entry)) return;
    if (by === 1) home.add(entry);
    else home.delete(entry);
    if (cell.relation === 'read-back') {
      const field = cell.node?.path ?? '';
      unreadBack.set(field, (unreadBack.get(field) ?? 0) + by);
    }
    if (places !== undefined) count(places, asks, by);
  };
  for (const entry of entries) ask(entry, 1);
  return {
    byPlace,
    byBreach,
    within,
    byAnswer,
    readBack,
    kept,
    whole,
    keyless,
    body: ofBody.get('') ?? null,
    answer: ofAnswer.get('') as Place,
    isWanted: field => (ofBody.get(field)?.wanted ?? 0) > 0,
    isReadBack: field => (unreadBack.get(field) ?? 0) > 0,
    close: entry => ask(entry, -1),
  };
}

/** Adds what an exchange says of a cell; true where it is proven now. */
export function record(entry: Entry, by: string, trials: readonly Trial[]): boolean {
  for (const { result, until } of trials) {
    if (result === 'shown') {
      entry.proven = by;
      entry.waiting.length = 0;
      return true;
    }
    if (result === 'accepted') entry.accepted ??= by;
    if (result === 'refused') entry.isRefused = true;
    if (until !== undefined && entry.waiting.length < mostWaiting) entry.waiting.push({ by, until });
  }
  return false;
}
