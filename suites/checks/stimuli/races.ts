import type { Action, Endpoint, Resource } from '../../../contracts/endpoint.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import type { ActiveCheck } from '../../protocol/check.ts';
import { readRaces } from '../scenarios/race-reads.ts';
import { liveness, type NamedScenario, planOf } from '../scenarios/scenario.ts';
import {
  disableRaces,
  enableRaces,
  environmentRaces,
  experimentRaces,
  gateRaces,
  type Races,
  sourceRaces,
} from './race-writes.ts';

/** The races of one kind of operation, and the requirements that they can show to be broken. */
interface RaceKind {
  readonly resource: Resource | 'any';
  readonly action: Action;
  readonly races: Races;
  readonly requirements: readonly RequirementId[];
}

// biome-ignore format: a table
const kinds: readonly RaceKind[] = [
  { resource: 'gate',             action: 'patch',   races: gateRaces,        requirements: ['state.concurrent-fields', 'state.concurrent-values', 'reject.no-trace'] },
  { resource: 'gate',             action: 'disable', races: disableRaces,     requirements: ['state.concurrent-fields', 'state.concurrent-values', 'state.disable-gate-false'] },
  { resource: 'qualifying-event', action: 'update',  races: sourceRaces,      requirements: ['state.concurrent-values', 'state.concurrent-answers', 'reject.no-trace'] },
  { resource: 'experiment',       action: 'update',  races: experimentRaces,  requirements: ['state.concurrent-values'] },
  { resource: 'experiment',       action: 'enable',  races: enableRaces,      requirements: ['state.concurrent-fields'] },
  { resource: 'environment',      action: 'update',  races: environmentRaces, requirements: ['state.concurrent-answers'] },
  { resource: 'any',              action: 'list',    races: readRaces,        requirements: ['state.concurrent-reads'] },
];

const kindOf = ({ resource, action }: Endpoint): RaceKind | undefined =>
  kinds.find(kind => kind.action === action && (kind.resource === 'any' || kind.resource === resource));

/** Number of times that a replay repeats a race, since it may take luck. */
const tries = 50;

/** Sections 4.1 to 4.8 and 4.11 to 4.15: concurrent requests are neither lost nor mixed up. */
export const races: ActiveCheck<NamedScenario> = {
  kind: 'active',
  id: 'races',
  level: 'MUST',
  title: 'Of what is sent at the same moment nothing is lost, torn or mixed up',
  detects:
    'A read, a change and a write without a lock between them: of two updates at once one is lost; an answer or a cache that requests share.',
  requirements: row => [...(kindOf(row)?.requirements ?? []), ...liveness],
  appliesTo: row => kindOf(row) !== undefined,
  tries,
  plan(context) {
    const { races: of, requirements = [] } = kindOf(context.row) ?? {};
    const scenarios = of?.(context.amounts.races ?? 1, [...requirements, 'robust.never-5xx'], context) ?? [];
    if (scenarios.length === 0) return { because: 'nothing that may be written shows what races leave' };
    // A larger profile has more rounds with the same title.
    return { ...planOf(context, ...scenarios), describe: ({ title }) => ({ title, pointer: '', isOneOfMany: true }) };
  },
};
