import { type EndpointId, endpointRow } from '../../contracts/endpoints.ts';
import { grouped } from '../../contracts/grouped.ts';
import { compact } from '../../contracts/present.ts';
import type { CellsEvent, OperationCells } from '../../contracts/report/ledger.ts';
import { tool } from '../../contracts/report/tool.ts';
import { cellsOf as countedCells } from '../../reports/journal/coverage.ts';
import { cellsOf } from '../../suites/ledger/cells.ts';
import { cellsEvents } from '../../suites/ledger/events.ts';
import { hinderedBy } from '../../suites/ledger/reasons.ts';
import { type RelationId, relations } from '../../suites/ledger/relations.ts';
import type { Contradiction, JournalParts, Rule } from './journal-parts.ts';

/** The ledger of an operation without fixtures, of a target that has no capability. */
function contractLedger(endpoint: EndpointId): OperationCells {
  const target = { references: () => [], has: () => false };
  const counted = cellsOf(endpoint, endpointRow(endpoint), {}).map(cell => ({
    cell,
    ...(hinderedBy(cell, target) ?? { state: 'not tried' as const, reason: 'budget' as const }),
  }));
  const [made] = cellsEvents(counted);
  return made ?? { endpoint, relations: [] };
}

/** What a cell of a relation counts, in tenths; undefined for what is no relation. */
const tenthsOf = (relation: string): number | undefined =>
  Object.hasOwn(relations, relation) ? Math.round(10 * relations[relation as RelationId].weight) : undefined;

const keyOf = ({ relation, cell }: { readonly relation: string; readonly cell: string }): string =>
  `${relation} ${cell}`.trim();

/** The check that sent an exchange, by its id; undefined of what belongs to none. */
const senderOf = (exchange = ''): string | undefined => /^([^#]+\/[^#]+)#/.exec(exchange)?.[1];

/** What an operation says of its cells, beside the cells that the contract gives it. */
function contradictionsOf(event: CellsEvent, plan: JournalParts['plan']): readonly Contradiction[] {
  const { endpoint } = event;
  const own = countedCells([event]);
  const made = new Map(countedCells([contractLedger(endpoint)]).map(cell => [keyOf(cell), cell]));
  const counted = grouped(own, keyOf);
  // Some relations have a cell for each fixture of the target file, which is not in the journal.
  const given = new Set([...made.values()].map(({ relation }) => relation));
  const isOfFixture = (relation: string): boolean =>
    !given.has(relation) && relations[relation as RelationId].of === 'operation';
  const say = (key: string, what: string): Contradiction => `the cell ${key} of ${endpoint} ${what}`;
  return [
    ...[...made.keys()].flatMap(key => (counted.has(key) ? [] : [say(key, 'is not counted')])),
    ...[...counted].flatMap(([key, { length }]) => (length > 1 ? [say(key, 'is counted twice')] : [])),
    ...own.flatMap(cell => {
      const { relation, tenths, state, reason, by } = cell;
      const key = keyOf(cell);
      const due = made.get(key);
      const weight = tenthsOf(relation);
      if (weight === undefined || (due === undefined && !isOfFixture(relation)))
        return [say(key, 'is none that the contract gives')];
      const isTried = state !== 'not tried';
      return [
        tenths === weight ? [] : say(key, `counts ${tenths / 10}, and not what it weighs`),
        isTried === (reason === undefined) && isTried === (by !== undefined)
          ? []
          : say(key, `is ${state}${isTried ? ', and no exchange shows it' : ' for no reason'}`),
        plan.has(senderOf(by) ?? [...plan.keys()][0] ?? '')
          ? []
          : say(key, `is shown by ${by}, which nobody planned to send`),
        reason === 'capability' && due?.reason !== 'capability' ? say(key, 'needs no capability') : [],
      ].flat();
    }),
  ];
}

/** The ledger of a run: every cell of every operation that was to be run, once, and none besides. */
export const ledgerRule: Rule = ({ start, events, plan, end }) => {
  const { traffic, path, readOnly, bail } = start.options;
  if (traffic !== undefined || path !== undefined || start.tool.version !== tool.version) return [];
  const own = grouped(
    events.filter(event => event.event === 'cells'),
    ({ endpoint }) => endpoint,
  );
  const planned = new Set([...plan.values()].map(({ endpoint }) => endpoint));
  const due = [...planned].filter(id => !readOnly || endpointRow(id).method === 'GET');
  const isCounted = end?.outcome === 'complete' && bail === undefined;
  return [
    ...[...own].flatMap(([id, { length }]) =>
      compact([
        length > 1 && `the cells of ${id} are counted twice`,
        !due.includes(id) && `the cells of ${id} are counted, and it was not to be run`,
      ]),
    ),
    ...due.flatMap(id => (isCounted && !own.has(id) ? [`the cells of ${id} are not counted`] : [])),
    ...[...own.values()].flatMap(([event]) => (event === undefined ? [] : contradictionsOf(event, plan))),
  ];
};
