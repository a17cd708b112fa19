import { endpointIds, endpoints } from '../../contracts/endpoints.ts';
import { requirements } from '../../contracts/requirements/index.ts';
import { dialects } from '../../reference-server/dialects/index.ts';
import { faultKinds } from '../../reference-server/faults/index.ts';
import { differenceReporters } from '../../reports/difference/reporters.ts';
import { reporters } from '../../reports/index.ts';
import { checks } from '../../suites/checks/index.ts';
import { citedBy } from '../../suites/checks/verified-by.ts';
import { requirementsNamed, select } from '../../suites/engine/plan.ts';
import type { ListFlags, list } from '../definitions/documents.ts';
import { refusingFilters } from '../filter-suggestion.ts';
import type { Work } from '../flags.ts';
import { refuse } from '../input.ts';
import { didYouMean } from '../suggestion.ts';

type Listing = (listed: ReturnType<typeof listedBy>) => readonly (readonly string[])[];

/** Formats rows as lines with aligned columns. */
function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => (row[column] ?? '').length)));
  const lines = rows.map(row =>
    row.map((text, column) => (column === row.length - 1 ? text : text.padEnd(widths[column] ?? 0))).join('  '),
  );
  return lines.map(line => `${line}\n`).join('');
}

const lists: Readonly<Record<string, Listing>> = {
  endpoints: ({ units }) =>
    endpointIds
      .filter(id => units.some(({ endpoint }) => endpoint === id))
      .map(id => {
        const row = endpoints[id];
        return [id, row.method, row.path, `section ${row.section}`, row.title];
      }),
  checks: ({ units }) =>
    checks
      .filter(check => units.some(unit => unit.check === check))
      .map(check => [check.id, check.level, check.kind, check.title]),
  units: ({ units }) => units.map(unit => [unit.id, unit.check.level, unit.lane]),
  requirements: ({ isMeant }) =>
    requirements
      .filter(({ id }) => isMeant(id))
      .map(row => [row.id, row.level, `section ${row.section}`, row.statement]),
  faults: ({ units, isMeant }) =>
    Object.entries(faultKinds).flatMap(([kind, rows]) =>
      rows
        .filter(row => isMeant(row.requirement) && units.some(unit => row.endpoints.includes(unit.endpoint)))
        .map(row => [row.id, kind, row.requirement, row.endpoints.join(' '), row.title]),
    ),
  reporters: () =>
    [
      ...Object.entries(reporters),
      ...Object.entries(differenceReporters).map(([name, row]) => [`${name} (diff)`, row] as const),
    ].map(([name, { file, title }]) => [name, file ?? 'standard output', title]),
  dialects: () => dialects.map(dialect => [dialect.id, `section ${dialect.section}`, dialect.title]),
};

/** The lists to which filters do not apply. */
const unfiltered: readonly string[] = ['reporters', 'dialects'];

/**
 * Returns the units that a run with these filters would carry out, and which requirements they concern. Throws a
 * `UsageError` for a filter that matches nothing.
 */
function listedBy({ only, skip }: ListFlags) {
  const units = refusingFilters(() => select({ only, skip }));
  if (only.length + skip.length === 0) return { units, isMeant: () => true };
  const verified = new Set<string>(units.flatMap(({ check, endpoint }) => citedBy(check, endpoint)));
  const named = new Set<string>(only.flatMap(requirementsNamed));
  const unnamed = new Set<string>(skip.flatMap(requirementsNamed));
  // If every filter names requirements, list only these, not the others that their checks verify.
  const isExact = only.length > 0 && only.every(glob => requirementsNamed(glob).length > 0);
  return { units, isMeant: (id: string) => !unnamed.has(id) && verified.has(id) && (!isExact || named.has(id)) };
}

/** Returns the text of `list WHAT` after filtering. Throws a `UsageError` if there is no such list. */
export const command: Work<typeof list> = (flags, [what]) => {
  const names = Object.keys(lists);
  const listing = Object.hasOwn(lists, what) ? lists[what] : undefined;
  if (!listing) refuse(`there is no list of ${what}; there are ${names.join(', ')}${didYouMean(what, names)}`);
  if (unfiltered.includes(what) && flags.only.length + flags.skip.length > 0)
    refuse(
      `--only and --skip are about ${names.filter(name => !unfiltered.includes(name)).join(', ')}, and not about ${what}`,
    );
  return columns(listing(listedBy(flags)));
};
