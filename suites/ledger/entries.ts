import type { Endpoint } from '../../contracts/endpoint.ts';
import { count, entryOf } from '../protocol/entries.ts';
import { type Cell, relationOf } from './cells.ts';
import type { Trial } from './moment.ts';
import { type Place, placesOf } from './placed.ts';

/** A cell, with the evidence so far. */
export interface Entry {
  readonly cell: Cell;
  /** The places of a body that it concerns: one, or two for a pair. */
  readonly asks: readonly string[];
  /** The ids of the first exchanges that proved it, or that were accepted without showing it. */
  proven?: string;
  accepted?: string;
  isRefused: boolean;
  /** Exchanges that will have proved it if later ones show more. */
  readonly waiting: { readonly by: string; readonly until: () => boolean }[];
  /** The findings on it. */
  readonly broken: { readonly by: string; readonly finding: string }[];
}

/** Maximum number of waiting exchanges kept for a cell. */
const mostWaiting = 3;

/** The unproven cells of one operation, indexed by what an exchange must concern to matter for them. */
export type OpenCells = ReturnType<typeof openCells>;

/** Returns the places of a body that a cell concerns. */
export function pathsAsked({ relation, node, variant }: Cell): readonly string[] {
  if (!node) return [];
  if (relationOf({ relation }).of === 'data') return [node.path];
  if (relation === 'absent') return [node.parent?.path ?? ''];
  if (relation !== 'in-company' && relation !== 'told-apart') return [node.path];
  const holder = node.parent?.path ?? '';
  return [node.path, holder === '' ? variant : `${holder}.${variant}`];
}

const isWithin = ({ relation }: Cell): boolean => relation === 'condition' || relation === 'later-item';

/** Indexes the cells of one operation. */
export function openCells({ body, data }: Endpoint, entries: readonly Entry[]) {
  const lists = () => new Map<string, Set<Entry>>();
  const open = {
    /** By the body place whose value they concern; those on a pair stand at one of the two. */
    byPlace: lists(),
    /** By the place that breaks a rule; in `within`, those on any place below theirs. */
    byBreach: lists(),
    within: new Set<Entry>(),
    /** By the place of an answer. */
    byAnswer: lists(),
    /** By the field and the operation that shows it: `name list-events`. */
    readBack: lists(),
    /** On a change as a whole, on the operation, and on requests without its key. */
    kept: new Set<Entry>(),
    whole: new Set<Entry>(),
    keyless: new Set<Entry>(),
  };
  const ofBody = body ? placesOf(body) : new Map<string, Place>();
  const ofAnswer = placesOf(data);
  const unreadBack = new Map<string, number>();
  const demand = (places: ReadonlyMap<string, Place>, paths: readonly string[], by: number): void => {
    for (const path of paths) for (let place = places.get(path); place; place = place.above) place.wanted += by;
  };
  const listOf = (all: Map<string, Set<Entry>>, key: string) => entryOf(all, key, () => new Set());
  /** Returns the set that holds a cell. */
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
  /** Counts the places that a cell asks for, or the field that must be read back. */
  const ask = ({ cell, asks }: Entry, by: 1 | -1): void => {
    const { of, side } = relationOf(cell);
    if (of === 'data') demand(ofAnswer, asks, by);
    else if (of === 'body' && side === 'acceptance' && cell.relation !== 'kept') demand(ofBody, asks, by);
    if (cell.relation === 'read-back') count(unreadBack, cell.node?.path ?? '', by);
  };
  for (const entry of entries) {
    homeOf(entry).add(entry);
    ask(entry, 1);
  }
  return {
    ...open,
    /** The root places of body and answer, with the demand for each place; null if there is no body. */
    body: ofBody.get('') ?? null,
    answer: ofAnswer.get('') as Place,
    /** True if an open cell asks for a value of the field, or waits for another operation to show it. */
    isWanted: (field: string): boolean => (ofBody.get(field)?.wanted ?? 0) > 0,
    isReadBack: (field: string): boolean => (unreadBack.get(field) ?? 0) > 0,
    /** Removes a proven cell. */
    close(entry: Entry): void {
      if (homeOf(entry).delete(entry)) ask(entry, -1);
    },
  };
}

/** Adds what an exchange shows of a cell. Returns true if it is now proven. */
export function record(entry: Entry, by: string, trials: readonly Trial[]): boolean {
  for (const { result, until } of trials) {
    if (result === 'shown') {
      entry.proven = by;
      entry.waiting.length = 0;
      return true;
    }
    if (result === 'accepted') entry.accepted ??= by;
    if (result === 'refused') entry.isRefused = true;
    if (until && entry.waiting.length < mostWaiting) entry.waiting.push({ by, until });
  }
  return false;
}
