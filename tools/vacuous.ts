/** Measures what a run verifies of servers that do nothing (`npm run vacuous`), and writes its page. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { vacuousPage } from '../suites/proof/vacuous/page.fixture.ts';
import { reportOn, verifiedIn } from '../suites/proof/vacuous/run.fixture.ts';
import { vacuousTargets } from '../suites/proof/vacuous/targets.fixture.ts';
import { root } from './repository.ts';

const verified: Record<string, readonly string[]> = {};
for (const target of vacuousTargets) {
  verified[target.id] = verifiedIn(await reportOn(target));
  process.stdout.write(`${target.id}: ${verified[target.id]?.length} verified\n`);
}
writeFileSync(join(root, 'suites/proof/vacuous/verified.json'), `${JSON.stringify(verified, null, 2)}\n`);
writeFileSync(join(root, 'docs/vacuous.md'), vacuousPage());
