/**
 * Notes what traffic shows of each fault, for `docs/traffic.md`: `npx tsx tools/traffic.ts [--new] [TEXT]`, with `--new`
 * only of faults that have no note, with a text only of those whose id, requirement or note has it. Other notes stay.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { faults } from '../reference-server/index.ts';
import { isDriven, sightingOf, type Visibility } from '../suites/proof/traffic/faults.fixture.ts';
import { notedSightings } from '../suites/proof/traffic/page.fixture.ts';
import { root } from './repository.ts';

const given = process.argv.slice(2);
const isOnlyNew = given.includes('--new');
const [text] = given.filter(one => one !== '--new');

const before = notedSightings();
const noted: Record<string, Visibility> = {};
let tried = 0;
for (const fault of faults.filter(isDriven)) {
  const { id, requirement } = fault;
  const known = before[id];
  const isMeant = text === undefined || [id, requirement, known].some(one => one?.includes(text));
  if (known !== undefined && (isOnlyNew || !isMeant)) {
    noted[id] = known;
    continue;
  }
  if (!isMeant) continue;
  const { visibility, cited } = await sightingOf(fault);
  noted[id] = visibility;
  tried += 1;
  if (visibility !== known)
    process.stdout.write(`${id}: ${known ?? 'no note'}, now ${visibility} ${cited.join(' ')}\n`.trimEnd().concat('\n'));
}
writeFileSync(join(root, 'suites/proof/traffic/sightings.json'), `${JSON.stringify(noted, null, 2)}\n`);
process.stdout.write(`${tried} faults tried, ${Object.keys(noted).length} noted\n`);
