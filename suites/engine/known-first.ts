import { endpoints } from '../../contracts/endpoints.ts';
import type { Fixtures } from '../../contracts/target.ts';
import type { DiscoveredState, Target } from '../protocol/sut.ts';
import { fixtureNames } from '../sut/target.ts';
import type { RunState } from './run-state.ts';

const settings = Object.keys(endpoints['patch-gate'].body.properties);

/**
 * The run with the gate first of which answers show the most settings, for what no answer shows could not be put back
 * and is not written (section 4.6): the checks of gates work on the first gate. Among equals the order is that of the
 * target file, and so it is where its first gate could not be read: that is for the checks to say.
 */
export function withKnownFirst(run: RunState, { gates, writable }: DiscoveredState): RunState {
  const { target } = run.config;
  const names = fixtureNames(target, 'gates');
  const [first] = names;
  if (writable === undefined || first === undefined || gates?.has(first) !== true) return run;
  const known = (id: string): number =>
    settings.filter(field => writable.field('patch-gate', id, field) === undefined).length;
  const best = names.reduce((one, other) => (gates.has(other) && known(other) > known(one) ? other : one));
  if (best === first) return run;
  const fixtures: Fixtures = { ...target.fixtures, gates: [best, ...names.filter(id => id !== best)] };
  const reordered: Target = {
    ...target,
    fixtures,
    get apiKey() {
      return target.keys.current();
    },
  };
  return { ...run, config: { ...run.config, target: reordered } };
}
