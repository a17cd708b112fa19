/**
 * Tells which cases show which fault, a fault a line: `tsx tools/told-cases.ts PART/PARTS SEED`; `sound` in place of the
 * share tells what each case costs. `npm run kill-matrix -- --learn` reads it.
 */
import { faults } from '../reference-server/index.ts';
import { soundRun, toldBy } from '../suites/proof/kill-matrix/told.fixture.ts';

const [share = '0/1', seed = '1'] = process.argv.slice(2);
const tell = (one: unknown): boolean => process.stdout.write(`${JSON.stringify(one)}\n`);

if (share === 'sound') tell(await soundRun(Number(seed)));
else {
  const [part = 0, parts = 1] = share.split('/').map(Number);
  for (const [index, fault] of faults.entries())
    if (index % parts === part) tell(await toldBy(fault, Number(seed)));
}
