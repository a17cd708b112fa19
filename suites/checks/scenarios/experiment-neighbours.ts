import type { ActiveCheck } from '../../protocol/check.ts';
import { entityKinds } from '../../state/entity-kinds.ts';
import { experimentsBeside, updatedExperiment, writeBesideEntities } from './entity-neighbours.ts';
import { liveness, type NamedScenario, planOf } from './scenario.ts';

/**
 * Sections 4.4 and 4.8: a write to one experiment leaves the others alone. It takes two, and what is written beside the
 * one cannot be put back, so that a target file with one experiment misses nothing that it must have: untested, the
 * check keeps no endpoint from conforming.
 */
export const experimentNeighbours: ActiveCheck<NamedScenario> = {
  kind: 'active',
  id: 'experiment-neighbours',
  level: 'SHOULD',
  title: 'A write to one experiment leaves the others alone',
  detects:
    'An update without its condition, a group that is looked up in every experiment, an id that is known by its beginning.',
  requirements: () => ['state.neighbours', ...liveness],
  appliesTo: row => row.resource === 'experiment',
  plan(context) {
    const others = experimentsBeside(context).slice(0, context.amounts.walks - 1);
    if (others.length === 0)
      return {
        because: 'the target file names one experiment, and this takes two',
        remedy: 'fixtures.experiments: [{ "id": "an_experiment", … }, { "id": "another", … }]',
      };
    return planOf([
      {
        title: 'a write, and other experiments',
        run: writeBesideEntities(entityKinds.experiment, others, updatedExperiment),
      },
    ])(context);
  },
};
