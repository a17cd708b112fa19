import type { Endpoint } from '../../contracts/endpoint.ts';
import { type EndpointId, endpointRow } from '../../contracts/endpoints.ts';
import { grouped } from '../../contracts/grouped.ts';
import type { Json } from '../../contracts/json.ts';
import { memoized } from '../../contracts/memoized.ts';
import { anyPosition, steps } from '../../contracts/pointer.ts';
import type { Fixtures } from '../../contracts/target.ts';
import { count, entryOf, remember } from '../protocol/entries.ts';
import { type Attempt, attemptOf, type LedgerExchange } from './attempt.ts';
import { type Cell, fixtureNames, relationOf } from './cells.ts';
import { type Entry, type OpenCells, openCells, pathsAsked, record } from './entries.ts';
import { createHistory, createUnreads, keyOfPath } from './history.ts';
import { type Moment, momentOf } from './moment.ts';
import { type Place, pathOf, placedIn, placesOf } from './placed.ts';
import { fieldOf, type LedgerTarget, type NotTried, notTriedBecause } from './reasons.ts';

/** The final state of a cell. */
export type CellState =
  /** `by`: the exchange that shows it. */
  { readonly state: 'proven' | 'broken' | 'not shown'; readonly by: string } | NotTried;

export type CountedCell = CellState & { readonly cell: Cell };

/** A finding of a run: the exchange, the place in its answer, and the field that its case was about. */
export interface LedgerFinding {
  readonly id: string;
  readonly pointer: string;
  readonly field?: string;
  /** The key by which `counted` asks whether the finding is still reported. */
  readonly finding: string;
}

/** Returns the case of an exchange: its id without the number of the request. */
const caseOf = (id: string): string => id.replace(/~?(\.\d{1,3})?$/, '');

/** Returns the body field that a finding is about; undefined if it is about the whole operation. */
function fieldTold({ pointer, field = '' }: LedgerFinding): string | undefined {
  const [first, ...others] = steps(pointer);
  const shown = first === 'data' ? others.find(step => !/^\d+$/.test(step)) : undefined;
  return shown ?? steps(field)[0];
}

/** Returns the places of a body, with all of them asked for. */
const everyPlace = memoized(({ body }: Endpoint): { readonly root: Place | null } => {
  if (!body) return { root: null };
  const places = placesOf(body);
  for (const place of places.values()) place.wanted = 1;
  return { root: places.get('') ?? null };
});

/** Maximum number of recent cases, attempts in each, findings examined per kind, and findings per cell. */
const most = { cases: 64, attempts: 12, findings: 20, broken: 3 } as const;

/** Counts which of some cells the exchanges of a run fill, one exchange at a time. */
export function createLedger(
  cells: readonly Cell[],
  target: LedgerTarget,
  fixtures: Fixtures,
  rowOf: (id: EndpointId) => Endpoint = endpointRow,
) {
  const entries: readonly Entry[] = cells.map(cell => ({
    cell,
    asks: pathsAsked(cell),
    isRefused: false,
    waiting: [],
    broken: [],
  }));
  const byField = grouped(entries, ({ cell }) => fieldOf(cell.node));
  const refusals = entries.filter(({ cell }) => relationOf(cell).side === 'refusal');
  const byOperation = grouped(entries, ({ cell }) => cell.endpoint);
  const open = new Map<EndpointId, OpenCells>([...byOperation].map(([id, own]) => [id, openCells(rowOf(id), own)]));
  const namesOf = (id: EndpointId): readonly string[] => (rowOf(id).param ? fixtureNames(rowOf(id), fixtures) : ['']);
  const written = new Set([...byOperation.keys()].flatMap(id => namesOf(id).map(name => keyOfPath(rowOf(id), name))));
  const history = createHistory(written, id => fixtureNames(rowOf(id), fixtures));
  const unreads = createUnreads();
  /** The fields of a write that later answers showed. */
  const later = new WeakMap<Attempt, Set<string>>();
  const recent = new Map<string, Attempt[]>();
  const answers = new Map<Entry, unknown>();
  const lookedAt = new Map<string, number>();
  let order = 0;

  const say = (of: OpenCells, entry: Entry, here: Moment, by: string): void => {
    if (record(entry, by, relationOf(entry.cell).find(here, entry.cell))) of.close(entry);
  };

  /** Counts the cells on the values of a body. */
  function noteValues(here: Moment, of: OpenCells): void {
    const { attempt } = here;
    for (const path of here.paths) {
      const sent = here.sent(path);
      const place = history.place(attempt.endpoint, path);
      for (const one of sent) if (one.isShown && !place.isVaried()) place.note(one.value, one.before);
    }
    for (const path of here.paths) {
      const own = of.byPlace.get(path);
      if (!own || own.size === 0) continue;
      const isShown = here.sent(path).some(one => one.isShown);
      for (const entry of own) {
        const [, other] = entry.asks;
        if (other !== undefined && !here.has(other)) continue;
        // Skip an exchange that adds nothing to earlier ones.
        const isKnown =
          attempt.outcome === 'accepted'
            ? entry.accepted !== undefined && (!isShown || here.unshown.has(entry.cell.variant))
            : entry.isRefused;
        if (!isKnown) say(of, entry, here, attempt.id);
      }
    }
  }

  /** Counts the cells on answers: two different values of a place, or a place in two items of one list. */
  function noteAnswer({ shown, id }: Attempt, of: OpenCells): void {
    const counts = new Map<string, number>();
    for (const { entity } of shown)
      for (const [path, places] of placedIn(of.answer, entity)) {
        const nth = count(counts, path);
        for (const entry of of.byAnswer.get(path) ?? []) {
          const isTwice = entry.cell.relation === 'same-presence' && nth > 1;
          const isVaried = entry.cell.relation === 'varied' && places.some(({ value }) => isAnother(entry, value));
          if ((isTwice || isVaried) && record(entry, id, [{ result: 'shown' }])) of.close(entry);
        }
      }
  }
  const isAnother = (entry: Entry, value: Json): boolean => {
    const known = typeof value === 'object' ? JSON.stringify(value).slice(0, 200) : value;
    if (answers.has(entry)) return answers.get(entry) !== known;
    answers.set(entry, known);
    return false;
  };

  /** Counts the cells on fields that other operations wrote. */
  function noteReadBack(one: Attempt): void {
    for (const sighting of one.shown) {
      const read = unreads.read(sighting);
      for (const [attempt, own] of grouped(read, ({ attempt: write }) => write)) {
        const of = open.get(attempt.endpoint);
        const known = entryOf(later, attempt, () => new Set());
        for (const { field, isShown } of own) {
          for (const entry of of?.readBack.get(`${field} ${one.endpoint}`) ?? [])
            if (record(entry, one.id, [{ result: isShown ? 'shown' : 'accepted' }])) of?.close(entry);
          if (isShown) known.add(field);
        }
        if (of && own.some(({ isShown }) => isShown)) noteValues(momentOf(attempt, history, of.body, known), of);
      }
    }
  }

  /** Waits for other operations to show the fields that the answer to a write does not show. */
  function waitFor({ attempt, unshown }: Moment, of: OpenCells): void {
    const { outcome, problems, row, body } = attempt;
    if (outcome !== 'accepted' || problems.length > 0 || !row.body) return;
    const fields = Object.keys(body).filter(name => (unshown.has(name) && of.isWanted(name)) || of.isReadBack(name));
    unreads.wait(attempt, fields);
  }

  function keep(attempt: Attempt): void {
    const id = caseOf(attempt.id);
    const own = recent.get(id) ?? [];
    recent.delete(id);
    remember(recent, id, own, most.cases);
    if (own.length < most.attempts) own.push(attempt);
  }

  return {
    /** Notes an exchange. Call it in the order of the answers. */
    note(exchange: LedgerExchange): void {
      const { endpoint } = exchange;
      const of = open.get(endpoint);
      order += 1;
      const attempt = attemptOf(exchange, rowOf(endpoint), order, history.entity);
      if (!attempt) return;
      if (attempt.key === 'valid') history.of(endpoint).note(attempt);
      for (const one of attempt.shown) history.note(one);
      noteReadBack(attempt);
      if (!of) return;
      if (attempt.row.method !== 'GET') keep(attempt);
      const here = momentOf(attempt, history, of.body);
      noteValues(here, of);
      noteAnswer(attempt, of);
      const [problem, ...others] = attempt.problems;
      if (problem && others.length === 0) {
        for (const entry of of.byBreach.get(pathOf(problem.pointer)) ?? []) say(of, entry, here, attempt.id);
        for (const entry of of.within) say(of, entry, here, attempt.id);
      }
      if (attempt.before !== undefined) for (const entry of of.kept) say(of, entry, here, attempt.id);
      for (const entry of attempt.key === 'valid' ? of.whole : of.keyless) say(of, entry, here, attempt.id);
      waitFor(here, of);
    },
    /** Notes a finding, at the cells that the exchanges of its recent case fill. */
    broke(finding: LedgerFinding): void {
      const told = fieldTold(finding);
      const kind = `${finding.finding} ${anyPosition(finding.pointer)} ${finding.field}`;
      if (count(lookedAt, kind) > most.findings) return;
      const of = caseOf(finding.id);
      const moments = (recent.get(of) ?? []).map(attempt =>
        momentOf(attempt, history, everyPlace(attempt.row).root, later.get(attempt)),
      );
      const fills = ({ cell, proven, accepted, waiting }: Entry): string | undefined =>
        moments.find(one => one.attempt.endpoint === cell.endpoint && relationOf(cell).find(one, cell).length > 0)
          ?.attempt.id ??
        [proven, accepted, ...waiting.map(({ by }) => by)].find(by => by !== undefined && caseOf(by) === of);
      for (const entry of new Set([...(byField.get(told) ?? []), ...(told === undefined ? refusals : [])])) {
        if (entry.broken.length >= most.broken) continue;
        const by = fills(entry);
        if (by !== undefined) entry.broken.push({ by, finding: finding.finding });
      }
    },
    /** Returns the state of every cell so far; `isTold`: whether a finding is reported. */
    counted: (isTold: (finding: string) => boolean): readonly CountedCell[] =>
      entries.map(entry => {
        const { cell, proven, accepted, isRefused, waiting, broken } = entry;
        const breach = broken.find(({ finding }) => isTold(finding));
        if (breach) return { cell, state: 'broken', by: breach.by };
        const by = proven ?? waiting.find(({ until }) => until())?.by;
        if (by !== undefined) return { cell, state: 'proven', by };
        if (accepted !== undefined) return { cell, state: 'not shown', by: accepted };
        return { cell, ...notTriedBecause(cell, target, history.of(cell.endpoint), isRefused) };
      }),
  };
}
