import { afterAll } from 'vitest';
import { type ChosenTarget, chooseTarget, type TargetFlags } from '../cli/target.ts';
import { profiles } from '../contracts/report/choices.ts';
import { describeConformance } from './conformance.ts';

/**
 * The suite as tests of a vitest project, against the target that the environment names: `CONFORM_BASE_URL` and
 * `SERVICE_API_KEY`, or `CONFORM_CONFIG`, the path of a target file; against the embedded reference server when it
 * names none. `CONFORM_PROFILE` sends more.
 */
const { CONFORM_BASE_URL: baseUrl, CONFORM_CONFIG: config, CONFORM_PROFILE = 'quick' } = process.env;
const profile = profiles.find(name => name === CONFORM_PROFILE);
if (profile === undefined) throw new Error(`CONFORM_PROFILE is one of ${profiles.join(', ')}`);

let chosen: ChosenTarget | undefined;

describeConformance(
  async () => {
    chosen = await chooseTarget({ baseUrl, config } as TargetFlags);
    return chosen.target;
  },
  { profile },
);

afterAll(() => chosen?.close());
