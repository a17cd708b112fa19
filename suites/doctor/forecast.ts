import { type EndpointId, endpointRow } from '../../contracts/endpoints.ts';
import { coveragePercent } from '../../contracts/report/verdict.ts';
import { type RequirementId, requirementById } from '../../contracts/requirements/index.ts';
import { allUnits, type Unit } from '../checks/units.ts';
import type { Diagnostic } from './fixture-examination.ts';

const requirementsOf = (units: readonly Unit[]): ReadonlySet<RequirementId> =>
  new Set(
    units
      .flatMap(({ check, endpoint }) => [...check.requirements(endpointRow(endpoint), endpoint)])
      .filter(id => requirementById(id).level !== 'OPEN'),
  );

/**
 * The coverage that a run can come to at most: the share of the requirements that some check of an endpoint cites of
 * which something can be proved. What answers do not show and what the target refuses is seen by a run alone.
 * @param provable the endpoints that a run can judge
 * @param idle ids (`endpoint/check`) of checks that could send nothing
 */
export function coverageForecast(provable: readonly EndpointId[], idle: readonly string[]): Diagnostic {
  const units = allUnits();
  const all = requirementsOf(units).size;
  const within = requirementsOf(units.filter(({ id, endpoint }) => provable.includes(endpoint) && !idle.includes(id)));
  const percent = coveragePercent(within.size, all);
  const text = `a run can verify ${within.size} of ${all} requirements at most (${percent} %); what the target refuses or never shows is known after a run`;
  return { area: 'coverage', state: 'note', text };
}
