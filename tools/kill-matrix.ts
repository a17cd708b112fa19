/** Measures the kill matrix, and writes its page and the cases that tell: `npm run kill-matrix`. Takes some minutes. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { faults } from '../reference-server/index.ts';
import { detectionOf, runAgainst, type SingleCase } from '../suites/proof/kill-matrix/detection.fixture.ts';
import { type Kill, killMatrixPage } from '../suites/proof/kill-matrix/page.fixture.ts';
import { tellingCase, tellingCasesFile } from '../suites/proof/kill-matrix/telling-case.fixture.ts';

const kills: Kill[] = [];
const telling: Record<string, SingleCase> = {};
for (const fault of faults) {
  const record = await runAgainst(fault);
  kills.push({ fault, detection: detectionOf(record, fault) });
  const single = tellingCase(record, fault);
  if (single !== undefined) telling[fault.id] = single;
  if (kills.length % 50 === 0) process.stderr.write(`${kills.length} of ${faults.length}\n`);
}
writeFileSync(fileURLToPath(new URL('../docs/kill-matrix.md', import.meta.url)), killMatrixPage(kills));
writeFileSync(tellingCasesFile, `${JSON.stringify(telling, null, 2)}\n`);
const missed = kills.filter(({ detection }) => detection === null);
process.stdout.write(
  `${kills.length} faults, ${missed.length} missed${missed.map(({ fault }) => `\n  ${fault.id}`).join('')}\n`,
);
