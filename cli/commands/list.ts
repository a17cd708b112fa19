import { endpoints } from '../../contracts/endpoints.ts';
import { requirements } from '../../contracts/requirements/index.ts';
import { dialects } from '../../reference-server/dialects/index.ts';
import { faultKinds } from '../../reference-server/faults/index.ts';
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

const listings: Readonly<Record<string, () => readonly (readonly string[])[]>> = {
  endpoints: () =>
    Object.entries(endpoints).map(([id, row]) => [id, row.method, row.path, `section ${row.section}`, row.title]),
  checks: () => checks.map(check => [check.id, check.level, check.kind, check.title]),
  units: () => allUnits().map(unit => [unit.id, unit.check.level, unit.lane]),
  requirements: () => requirements.map(row => [row.id, row.level, `section ${row.section}`, row.statement]),
  faults: () =>
    Object.entries(faultKinds).flatMap(([kind, rows]) =>
      rows.map(row => [row.id, kind, row.requirement, row.endpoints.join(' '), row.title]),
    ),
  reporters: () => Object.entries(reporters).map(([name, { file, title }]) => [name, file ?? 'standard output', title]),
  dialects: () => dialects.map(dialect => [dialect.id, `section ${dialect.section}`, dialect.title]),
};

/** Returns the text of `list WHAT`. Throws a `UsageError` if there is no such list. */
export function listCommand(what: string): string {
  const listing = listings[what];
  if (listing === undefined)
    throw new UsageError(`there is no list of ${what}; there are ${Object.keys(listings).join(', ')}`);
  return columns(listing());
}
