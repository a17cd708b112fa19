import { type Endpoint, resourceNames } from '../../contracts/endpoint.ts';
import { type EndpointId, endpointIds, endpointRow } from '../../contracts/endpoints.ts';
import { present } from '../../contracts/present.ts';
import type { PlannedEffect, PlannedEffects } from '../../contracts/report/journal.ts';
import { disposableBeside, experimentsBeside } from '../checks/scenarios/beside.ts';
import { disposable } from '../checks/stimuli/disposable.ts';
import { disposalOf } from '../protocol/disposable.ts';
import { fixtureNames, subjectOf } from '../sut/target.ts';
import { mostCreated } from './budget.ts';
import type { RunConfig } from './config.ts';
import { updatedExperiments } from './experiment-groups.ts';
import { isRestoring } from './residue.ts';
import type { RunState } from './run-state.ts';

/** True if an operation overwrites an entity that the API cannot read, and can be repeated. */
const overwrites = ({ effect, action }: Endpoint): boolean => effect === 'destructive' && action === 'update';

/**
 * Returns the entities that a lasting operation changes. These include the subjects of the collection's other lasting
 * operations, which are overwritten first so that their state is known.
 */
function lastingSubjects(endpoint: EndpointId, { target }: RunConfig, planned: readonly EndpointId[]): Set<string> {
  const row = endpointRow(endpoint);
  // A group of each experiment that may be updated is enabled first, to see which groups it has.
  if (row.action === 'enable') return new Set(updatedExperiments(target, planned));
  const alike = overwrites(row)
    ? planned.filter(id => endpointRow(id).collection === row.collection && endpointRow(id).effect === 'destructive')
    : [endpoint];
  const subjects = new Set(alike.flatMap(id => subjectOf(target, id) ?? []));
  // Neighbouring experiments are brought to a known state, and read, by the same operation.
  if (row.resource === 'experiment')
    for (const param of [...subjects])
      for (const id of experimentsBeside({ target, minimal: { param } })) subjects.add(id);
  return subjects;
}

/** Returns what the check of disposable fixtures does to the one that it uses. */
function disposalsOf(endpoint: EndpointId, { target }: RunConfig): readonly PlannedEffect[] {
  const disposal = disposalOf(endpoint);
  if (disposal === undefined) return [];
  const minimal = present({ param: subjectOf(target, endpoint) });
  const id = disposableBeside({ target, minimal }, disposal.kind);
  const kind = resourceNames[endpointRow(endpoint).resource];
  return id === undefined ? [] : [{ effect: 'changed-for-good', endpoint, kind, id, what: disposal.what }];
}

/** Returns the effects of an operation on the target: lasting changes, creations, or changes that are restored. */
function effectsOf(endpoint: EndpointId, config: RunConfig, planned: readonly EndpointId[]): readonly PlannedEffect[] {
  const row = endpointRow(endpoint);
  const kind = resourceNames[row.resource];
  if (row.fixture !== null && subjectOf(config.target, endpoint) === undefined) return [];
  const subject = row.param === null ? undefined : subjectOf(config.target, endpoint);
  if (row.effect === 'additive') {
    const [what, most] = [row.leaves ?? 'created', mostCreated(endpoint, config) ?? 0];
    return [{ effect: 'created', endpoint, kind, ...present({ id: subject }), what, most }];
  }
  if (row.effect === 'destructive') {
    const what = row.leaves ?? 'changed';
    const subjects = lastingSubjects(endpoint, config, planned);
    return [...subjects].map(id => ({ effect: 'changed-for-good', endpoint, kind, id, what }));
  }
  if (row.effect !== 'restorable' || !isRestoring(row)) return [];
  const what = 'changed, read before and put back afterwards';
  if (row.fixture === null || row.param === null)
    return [{ effect: 'put-back', endpoint, kind: `set of ${kind}s`, what }];
  return fixtureNames(config.target, row.fixture).map(id => ({ effect: 'put-back', endpoint, kind, id, what }));
}

/**
 * Returns what a run will change and create, or null if it only reads. The owner named it all in the target file, and
 * sees before the first request what that means.
 */
export function plannedEffects({ config, units }: Pick<RunState, 'config' | 'units'>): PlannedEffects | null {
  if (config.readOnly) return null;
  const written = new Set(
    units.filter(({ endpoint }) => endpointRow(endpoint).effect !== 'read').map(unit => unit.lane),
  );
  const planned = endpointIds.filter(id => units.some(({ endpoint }) => endpoint === id));
  /** True if an operation is sent without being selected: it reads back, or sets the state that another one needs. */
  const serves = (row: Endpoint): boolean => isRestoring(row) || overwrites(row);
  const sent = endpointIds.filter(id => {
    const row = endpointRow(id);
    return planned.includes(id) || ((serves(row) || row.action === 'enable') && written.has(row.collection));
  });
  const disposes = (id: EndpointId): boolean =>
    units.some(({ endpoint, check }) => endpoint === id && check.id === disposable.id);
  const effects = sent.flatMap(id => [
    ...effectsOf(id, config, planned),
    ...(disposes(id) ? disposalsOf(id, config) : []),
  ]);
  return effects.length === 0 ? null : { event: 'planned-effects', effects };
}
