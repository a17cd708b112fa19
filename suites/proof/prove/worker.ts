/** A child process of a proof: does its task for each id that it is sent, and tells what it came to. */
import { measureLedger } from '../ledger/measured.fixture.ts';
import { measureObserved } from '../model/observed.fixture.ts';
import { measureMutant } from '../mutants/proven.ts';
import { measureRegression } from '../regressions/regressions.ts';
import { catalogues } from './catalogues.ts';

const tasks: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
  ...Object.fromEntries(catalogues.map(({ name, measure }) => [name, measure])),
  /** What the model suspects of a dialect or a fault. */
  model: measureObserved,
  /** What a profile fills of the ledger of a server. */
  ledger: measureLedger,
  /** How whole runs judge a server with one change. */
  mutants: measureMutant,
  /** How whole runs judge a regression of a server in another stack. */
  regressions: measureRegression,
};

const task = tasks[process.argv[2] ?? ''];
process.on('message', async id => {
  process.send?.((await task?.(String(id))) ?? null);
});
