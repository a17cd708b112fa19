import type { Report } from '../../contracts/report/report.ts';
import { heading, indented, type Line, styled } from '../text/page.ts';

type Observation = Report['observations'][number];

/** Endpoints that do the same are named together. */
function grouped(observations: readonly Observation[]): ReadonlyMap<string, readonly Observation[]> {
  const groups = new Map<string, Observation[]>();
  for (const one of observations) {
    const key = `${one.subject}: ${one.value}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return groups;
}

function endpointsOf(observations: readonly Observation[]): string {
  const names = [...new Set(observations.flatMap(({ endpoint }) => endpoint ?? []))];
  if (names.length > 4) return `${names.length} endpoints`;
  return names.join(', ');
}

/** What the specification leaves open and what this target does there, by requirement. Nothing of it is judged. */
export function observationLines(report: Report, columns?: number): Line[] {
  if (report.observations.length === 0) return [];
  const statements = new Map(report.requirements.map(({ id, statement }) => [id, statement]));
  const ids = [...new Set(report.observations.map(({ requirement }) => requirement))];
  return [
    ...heading('OBSERVED (left open by the specification, not judged)'),
    ...ids.flatMap(id => [
      ['  ', styled('faint', id)],
      ...indented(4, statements.get(id) ?? '', columns),
      ...[...grouped(report.observations.filter(({ requirement }) => requirement === id))].flatMap(([text, same]) =>
        indented(6, `${text}  (${endpointsOf(same)})`, columns),
      ),
    ]),
  ];
}
