/** Notes anew what traffic shows of each fault (`npx tsx tools/traffic.ts`), for `docs/traffic.md`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { faults } from '../reference-server/index.ts';
import { isDriven, sightingOf, type Visibility } from '../suites/proof/traffic/faults.fixture.ts';
import { root } from './repository.ts';

const noted: Record<string, Visibility> = {};
for (const fault of faults.filter(isDriven)) noted[fault.id] = (await sightingOf(fault)).visibility;
writeFileSync(join(root, 'suites/proof/traffic/sightings.json'), `${JSON.stringify(noted, null, 2)}\n`);
process.stdout.write(`${Object.keys(noted).length} faults noted\n`);
