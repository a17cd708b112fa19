import { endpointIds, endpoints } from '../../contracts/endpoints.ts';
import { requirements } from '../../contracts/requirements/index.ts';
import { dialects } from '../../reference-server/dialects/index.ts';
import { faultKinds, faults } from '../../reference-server/faults/index.ts';
import { reporters } from '../../reports/index.ts';
import { checks } from '../../suites/checks/index.ts';
import { allUnits } from '../../suites/checks/units.ts';
import { UsageError } from '../input.ts';

/** Rows as lines with aligned columns. */
function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => (row[column] ?? '').length)));
  return rows
    .map(row =>
      row.map((text, column) => (column === row.length - 1 ? text : text.padEnd(widths[column] ?? 0))).join('  '),
    )
    .map(line => `${line}\n`)
    .join('');
}

const faultKindOf = new Map(Object.entries(faultKinds).flatMap(([kind, rows]) => rows.map(({ id }) => [id, kind])));

const listings: Readonly<Record<string, () => string>> = {
  endpoints: () =>
    columns(
      endpointIds.map(id => [
        id,
        endpoints[id].method,
        endpoints[id].path,
        `section ${endpoints[id].section}`,
        endpoints[id].title,
      ]),
    ),
  checks: () => columns(checks.map(check => [check.id, check.level, check.kind, check.title])),
  units: () => columns(allUnits().map(unit => [unit.id, unit.check.level, unit.lane])),
  requirements: () => columns(requirements.map(row => [row.id, row.level, `section ${row.section}`, row.statement])),
  faults: () =>
    columns(
      faults.map(fault => [
        fault.id,
        faultKindOf.get(fault.id) ?? '',
        fault.requirement,
        fault.endpoints.join(' '),
        fault.title,
      ]),
    ),
  reporters: () =>
    columns(Object.entries(reporters).map(([name, { file, title }]) => [name, file ?? 'standard output', title])),
  dialects: () => columns(dialects.map(dialect => [dialect.id, `section ${dialect.section}`, dialect.title])),
};

/** What `list` can list. */
export const listable = Object.keys(listings);

/** Returns the text of `list WHAT`. Throws a `UsageError` if there is no such list. */
export function listCommand(what: string): string {
  const listing = listings[what];
  if (listing === undefined) throw new UsageError(`there is no list of ${what}; there are ${listable.join(', ')}`);
  return listing();
}
