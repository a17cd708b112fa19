/** A child process of a proof: runs its task for each id that it gets, and sends back the result. */
import { measureLedger } from '../ledger/measured.fixture.ts';
import { measureObserved } from '../model/observed.fixture.ts';
import { measureMutant } from '../mutants/proven.ts';
import { measureRegression } from '../regressions/regressions.ts';
import { catalogues } from './catalogues.ts';

const tasks: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
  ...Object.fromEntries(catalogues.map(({ name, measure }) => [name, measure])),
  /** Counts the suspicions of the model about a dialect or a fault. */
  model: measureObserved,
  /** Counts the ledger cells that a profile fills for a server. */
  ledger: measureLedger,
  /** Judges a server with one change by whole runs. */
  mutants: measureMutant,
  /** Judges a regression of a server in another stack by whole runs. */
  regressions: measureRegression,
};

const task = tasks[process.argv[2] ?? ''];
process.on('message', async id => {
  process.send?.((await task?.(String(id))) ?? null);
});
