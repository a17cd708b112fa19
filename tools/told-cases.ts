/**
 * Tells which cases show which fault, a fault a line: `tsx tools/told-cases.ts PART/PARTS SEED [KNOWN]`, without the
 * faults that a file of such lines knows; `sound` in place of the share tells what each case costs. `npm run kill-matrix
 * -- --learn` reads it.
 */
import { readFileSync } from 'node:fs';
import { faultGroups } from '../suites/proof/kill-matrix/groups.fixture.ts';
import { soundRun, type ToldFault, toldAlone } from '../suites/proof/kill-matrix/told.fixture.ts';

const [share = '0/1', seed = '1', file] = process.argv.slice(2);
const tell = (one: unknown): boolean => process.stdout.write(`${JSON.stringify(one)}\n`);
const lines = file === undefined ? [] : readFileSync(file, 'utf8').split('\n').filter(Boolean);
const known = new Set(lines.map(line => (JSON.parse(line) as ToldFault).id));

if (share === 'sound') tell(await soundRun(Number(seed)));
else {
  const [part = 0, parts = 1] = share.split('/').map(Number);
  const groups = faultGroups().map(group => group.filter(({ id }) => !known.has(id)));
  for (const [index, group] of groups.filter(({ length }) => length > 0).entries())
    if (index % parts === part) for (const one of await toldAlone(group, Number(seed))) tell(one);
}
