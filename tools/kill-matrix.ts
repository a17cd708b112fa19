/** Measures the kill matrix and writes its page: `npm run kill-matrix`. Takes a minute or two. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { faults } from '../reference-server/index.ts';
import { detectionOf, runAgainst } from '../suites/proof/kill-matrix/detection.fixture.ts';
import { type Kill, killMatrixPage } from '../suites/proof/kill-matrix/page.fixture.ts';

const kills: Kill[] = [];
for (const fault of faults) {
  kills.push({ fault, detection: detectionOf(await runAgainst(fault), fault) });
  if (kills.length % 50 === 0) process.stderr.write(`${kills.length} of ${faults.length}\n`);
}
writeFileSync(fileURLToPath(new URL('../docs/kill-matrix.md', import.meta.url)), killMatrixPage(kills));
const missed = kills.filter(({ detection }) => detection === null);
process.stdout.write(
  `${kills.length} faults, ${missed.length} missed${missed.map(({ fault }) => `\n  ${fault.id}`).join('')}\n`,
);
