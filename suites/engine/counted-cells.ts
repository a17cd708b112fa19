import { endpointIds, endpointRow } from '../../contracts/endpoints.ts';
import type { Json } from '../../contracts/json.ts';
import { present } from '../../contracts/present.ts';
import type { CheckEnd } from '../../contracts/report/journal.ts';
import type { CellsEvent } from '../../contracts/report/ledger.ts';
import type { Unit } from '../checks/units.ts';
import { isLimited } from '../client/deferral.ts';
import { allCells } from '../ledger/cells.ts';
import { cellsEvents } from '../ledger/events.ts';
import { createLedger } from '../ledger/ledger.ts';
import { type ApiRequest, usesKey } from '../protocol/answer.ts';
import type { Violation } from '../protocol/check.ts';
import { isBlockedRequest, minimalRequest } from '../sut/minimal-request.ts';
import type { Observer } from '../sut/observer.ts';
import type { RunConfig } from './config.ts';

/** Counts which cells of the ledger a run's exchanges exercise. */
export interface CountedCells extends Observer {
  /** Records a violation that a unit found, and the field that its case was about. */
  broke(unit: string, violation: Violation, field: string): void;
  /** Records the findings of a unit; a later end of the same unit replaces them. */
  ended(end: CheckEnd): void;
  /** Returns the state of the cells of the selected operations. */
  events(): readonly CellsEvent[];
}

/** Returns whether a request carries the right key (in any spelling), none, or another one. */
export const keyUsed = (request: ApiRequest): 'valid' | 'none' | 'other' =>
  usesKey(request) ? 'valid' : request.key?.kind === 'none' ? 'none' : 'other';

const nothing: CountedCells = { note() {}, broke() {}, ended() {}, events: () => [] };

/** Begins to count. A replayed case counts nothing, because it says little about the target. */
export function createCountedCells(
  { target, readOnly, path }: Pick<RunConfig, 'target' | 'readOnly' | 'path'>,
  units: readonly Unit[],
): CountedCells {
  if (path !== undefined) return nothing;
  const tested = new Set(units.map(({ endpoint }) => endpoint));
  const due = endpointIds.filter(id => tested.has(id) && (!readOnly || endpointRow(id).method === 'GET'));
  const cells = allCells(target.fixtures, due);
  const discovered = { qualifyingEvents: new Map() };
  const ledger = createLedger(
    cells,
    {
      references: target.references,
      has: target.has,
      missing(endpoint) {
        const minimal = minimalRequest(target, discovered, endpoint);
        return isBlockedRequest(minimal) ? minimal.remedy : undefined;
      },
    },
    target.fixtures,
  );
  const told = new Map<string, ReadonlySet<string>>();
  const findingOf = (unit: string, requirement: string): string => `${unit} ${requirement}`;
  return {
    note({ id, request, sent, own, status, value, reply }) {
      // What is put off was neither accepted nor refused.
      if (isLimited(reply)) return;
      const { endpoint, param, query, raw } = request;
      const body = raw === undefined ? sent : undefined;
      ledger.note({
        id,
        endpoint,
        request: { ...present({ param, query, body }), key: keyUsed(request), own },
        status,
        ...present({ value: value as Json | undefined }),
      });
    },
    broke(unit, { answer, requirement, pointer }, field) {
      ledger.broke({ id: answer.id, pointer, field, finding: findingOf(unit, requirement) });
    },
    ended({ id, findings }) {
      told.set(id, new Set(findings.map(({ requirement }) => findingOf(id, requirement))));
    },
    events() {
      const all = new Set([...told.values()].flatMap(own => [...own]));
      return cellsEvents(ledger.counted(finding => all.has(finding)));
    },
  };
}
