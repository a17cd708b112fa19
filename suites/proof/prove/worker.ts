/** A child process of a proof: does its task for each id that it is sent, and tells what it came to. */
import type { Profile } from '../../../contracts/report/journal.ts';
import { faultGroups } from '../kill-matrix/groups.fixture.ts';
import { requestsOf, soundRun, toldAlone } from '../kill-matrix/told.fixture.ts';
import { measureLedger } from '../ledger/measured.fixture.ts';
import { measureObserved } from '../model/observed.fixture.ts';
import { catalogues } from './catalogues.ts';

const tasks: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
  ...Object.fromEntries(catalogues.map(({ name, measure }) => [name, measure])),
  /** What the model suspects of a dialect or a fault. */
  model: measureObserved,
  /** What a profile fills of the ledger of a server. */
  ledger: measureLedger,
  /** Which cases show each fault of a group, by the id of the first. */
  told: id => toldAlone(faultGroups().find(([first]) => first?.id === id) ?? []),
  /** What the standard profile holds for a sound server. */
  sound: () => soundRun(),
  /** How many requests a run of a profile sends to a sound server, with the order of cases that is written now. */
  requests: profile => requestsOf(profile as Profile),
};

const task = tasks[process.argv[2] ?? ''];
process.on('message', async id => {
  process.send?.((await task?.(String(id))) ?? null);
});
