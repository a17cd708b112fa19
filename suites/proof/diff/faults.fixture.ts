import type { DifferencePlace } from '../../../contracts/report/difference.ts';
import type { Fault } from '../../../reference-server/index.ts';
import { compareSides, type RunsOfSide } from '../../diff/compare.ts';
import { due } from '../kill-matrix/detection.fixture.ts';
import { recordedSide } from './recorded.fixture.ts';

/** To whom the comparison of the reference server with a broken one puts what differs. */
export interface Attributed {
  /** True where the broken one is named, with a requirement of the fault. */
  readonly isNamed: boolean;
  /** What the reference server is accused of, a line each. */
  readonly wrongly: readonly string[];
  /** What is left as open, or unsaid. */
  readonly unexplained: readonly string[];
}

/** Recordings of the reference server, by what was selected. */
const references = new Map<string, Promise<RunsOfSide>>();

const settingOf = ({ endpoints, profile = 'quick', requirement }: Fault, faults: readonly string[]) => ({
  server: { faults, grace: 20 },
  only: endpoints.map(endpoint => `${endpoint}/*`),
  run: { profile, settleMs: 50 },
  hangs: requirement === 'robust.no-hang' && faults.length > 0,
});

const line = ({ label, requirement, endpoint, pointer, aspect, a, b }: DifferencePlace): string =>
  `${label} ${requirement ?? ''} ${endpoint} ${pointer} ${aspect}: ${a} | ${b}`;

/** Compares the reference server (A) with one that has a fault (B), and the other way round. */
export async function attributed(fault: Fault): Promise<{ readonly asB: Attributed; readonly asA: Attributed }> {
  const key = JSON.stringify(settingOf(fault, []));
  const known = references.get(key) ?? recordedSide(settingOf(fault, []), 2, 'a');
  references.set(key, known);
  const [reference, broken] = [await known, await recordedSide(settingOf(fault, [fault.id]), 1, 'b')];
  const rows: readonly string[] = due(fault);
  const judge = (a: RunsOfSide, b: RunsOfSide, side: 'a' | 'b'): Attributed => {
    const { places } = compareSides(a, b, true).comparison;
    const guilty = `${side}-breaks`;
    const innocent = side === 'a' ? 'b-breaks' : 'a-breaks';
    return {
      isNamed: places.some(({ label, requirement = '' }) => label === guilty && rows.includes(requirement)),
      wrongly: places.filter(({ label }) => label === innocent).map(line),
      unexplained: places.filter(({ label }) => label === 'open' || label === 'unsaid').map(line),
    };
  };
  return { asB: judge(reference, broken, 'b'), asA: judge(broken, reference, 'a') };
}
