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
export type OpenCells = ReturnType<typeof openCells>;

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
export function openCells({ body, data }: Endpoint, entries: readonly Entry[]) {
  const lists = () => new Map<string, Set<Entry>>();
  const open = {
    /** By the place of a body whose value they are about; those about a pair stand at one of the two. */
    byPlace: lists(),
    /** By the place that breaks a rule, and those about any place within theirs. */
    byBreach: lists(),
    within: new Set<Entry>(),
    /** By the place of an answer. */
    byAnswer: lists(),
    /** By the field, and the operation that shows it: `name list-events`. */
    readBack: lists(),
    /** About a change as a whole, about the operation, and about requests without its key. */
    kept: new Set<Entry>(),
    whole: new Set<Entry>(),
    keyless: new Set<Entry>(),
  };
  const ofBody = body === null ? new Map<string, Place>() : placesOf(body);
  const ofAnswer = placesOf(data);
  const unreadBack = new Map<string, number>();
  const count = (places: ReadonlyMap<string, Place>, paths: readonly string[], by: number): void => {
    for (const path of paths)
      for (let place = places.get(path); place !== undefined; place = place.above) place.wanted += by;
  };
  const listOf = (all: Map<string, Set<Entry>>, key: string): Set<Entry> => {
    const known = all.get(key) ?? new Set();
    all.set(key, known);
    return known;
  };
  /** Where a cell stands. */
  const homeOf = ({ cell, asks }: Entry): Set<Entry> => {
    const { of, side } = relationOf(cell);
    const path = cell.node?.path ?? '';
    if (of === 'data') return listOf(open.byAnswer, path);
    if (of === 'operation') return side === 'refusal' ? open.keyless : open.whole;
    if (cell.relation === 'kept') return open.kept;
    if (cell.relation === 'read-back') return listOf(open.readBack, `${path} ${cell.variant}`);
    if (side === 'refusal') return isWithin(cell) ? open.within : listOf(open.byBreach, path);
    return listOf(open.byPlace, asks[0] ?? '');
  };
  /** Counts what a cell asks for: places of an answer or of a body, or a field that is read back. */
  const ask = ({ cell, asks }: Entry, by: 1 | -1): void => {
    const { of, side } = relationOf(cell);
    if (of === 'data') count(ofAnswer, asks, by);
    else if (of === 'body' && side === 'acceptance' && cell.relation !== 'kept') count(ofBody, asks, by);
    if (cell.relation !== 'read-back') return;
    const field = cell.node?.path ?? '';
    unreadBack.set(field, (unreadBack.get(field) ?? 0) + by);
  };
  for (const entry of entries) {
    homeOf(entry).add(entry);
    ask(entry, 1);
  }
  return {
    ...open,
    /** The places of a body, and of an answer, from the root, with how much of each is asked for; null where there are none. */
    body: ofBody.get('') ?? null,
    answer: ofAnswer.get('') as Place,
    /** True of a field of which an open cell asks for a value, and of one that another operation has still to show. */
    isWanted: (field: string): boolean => (ofBody.get(field)?.wanted ?? 0) > 0,
    isReadBack: (field: string): boolean => (unreadBack.get(field) ?? 0) > 0,
    /** Takes out a cell that is proven. */
    close(entry: Entry): void {
      if (homeOf(entry).delete(entry)) ask(entry, -1);
    },
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
