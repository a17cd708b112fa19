import { type EndpointId, endpointIds, endpointRow } from '../../contracts/endpoints.ts';
import type { Json } from '../../contracts/json.ts';
import { present } from '../../contracts/present.ts';
import type { CheckEnd } from '../../contracts/report/journal.ts';
import type { CellsEvent } from '../../contracts/report/ledger.ts';
import type { Unit } from '../checks/units.ts';
import { isLimited } from '../client/deferral.ts';
import { allCells } from '../ledger/cells.ts';
import { cellsEvents } from '../ledger/events.ts';
import { createLedger } from '../ledger/ledger.ts';
import { type Answer, type ApiRequest, usesKey } from '../protocol/answer.ts';
import type { Violation } from '../protocol/check.ts';
import { isBlockedRequest, minimalRequest } from '../sut/minimal-request.ts';
import type { RunConfig } from './config.ts';
import { operationsOf } from './plan.ts';

/** Returns whether a request carries the right key (in any spelling), none, or another one. */
export const keyUsed = (request: ApiRequest): 'valid' | 'none' | 'other' =>
  usesKey(request) ? 'valid' : request.key?.kind === 'none' ? 'none' : 'other';

/**
 * Counts which cells of the ledger a run's exchanges exercise. A replayed case counts nothing, because it says little
 * about the target.
 */
export function createCountedCells(
  { target, readOnly, path }: Pick<RunConfig, 'target' | 'readOnly' | 'path'>,
  units: readonly Unit[],
) {
  const tested = operationsOf(units);
  const isDue = (id: EndpointId): boolean =>
    path === undefined && tested.has(id) && (!readOnly || endpointRow(id).method === 'GET');
  const cells = allCells(target.fixtures, endpointIds.filter(isDue));
  const discovered = { qualifyingEvents: new Map() };
  const ledger = createLedger(
    cells,
    {
      references: target.references,
      has: target.has,
      ...present({ disposable: target.disposable }),
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
    note({ id, request, sent, own, status, value, reply }: Answer): void {
      // What is put off was neither accepted nor refused.
      if (cells.length === 0 || isLimited(reply)) return;
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
    /** Records a violation that a unit found, and the field that its case was about. */
    broke(unit: string, { answer, requirement, pointer }: Violation, field: string): void {
      ledger.broke({ id: answer.id, pointer, field, finding: findingOf(unit, requirement) });
    },
    /** Records the findings of a unit; a later end of the same unit replaces them. */
    ended({ id, findings }: CheckEnd): void {
      told.set(id, new Set(findings.map(({ requirement }) => findingOf(id, requirement))));
    },
    /** Returns the state of the cells of the selected operations. */
    events(): readonly CellsEvent[] {
      const all = new Set([...told.values()].flatMap(own => [...own]));
      return cellsEvents(ledger.counted(finding => all.has(finding)));
    },
  };
}
