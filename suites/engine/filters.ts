import picomatch from 'picomatch';
import { type RequirementId, requirements } from '../../contracts/requirements/index.ts';
import type { Unit } from '../checks/units.ts';
import { citedBy } from '../checks/verified-by.ts';

/** A test of texts against a glob. The empty glob matches nothing; the library throws for it. */
function globOf(glob: string): (text: string) => boolean {
  const matches = glob === '' ? () => false : picomatch(glob);
  // The matcher of the library takes more arguments, and then returns more than a boolean.
  return text => matches(text);
}

/** An id and what it begins with, up to each dot: `gate`, `gate.name`, `gate.name.maxLength`. */
function beginnings(id: string): readonly string[] {
  const parts = id.split('.');
  return parts.map((_, index) => parts.slice(0, index + 1).join('.'));
}

/**
 * The requirements that a filter names: those whose id, or whose id up to one of its dots, matches the glob. So
 * `gate.name` names every requirement of that field.
 */
export function requirementsNamed(glob: string): readonly RequirementId[] {
  const matches = globOf(glob);
  return requirements.flatMap(({ id }) => (beginnings(id).some(matches) ? [id] : []));
}

/**
 * The units that a filter names: by `endpoint/check`, endpoint or check; where it matches none of these, the units that
 * verify a requirement which it names. A name of the first kind never widens to a requirement.
 */
export function unitsNamed(glob: string, units: readonly Unit[]): readonly Unit[] {
  const matches = globOf(glob);
  const named = units.filter(unit => matches(unit.id) || matches(unit.endpoint) || matches(unit.check.id));
  if (named.length > 0) return named;
  const wanted = new Set(requirementsNamed(glob));
  if (wanted.size === 0) return [];
  return units.filter(({ check, endpoint }) => citedBy(check, endpoint).some(id => wanted.has(id)));
}
