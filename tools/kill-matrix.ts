/**
 * Measures the kill matrix, and writes its page and the cases that tell: `npm run kill-matrix`. Takes some minutes, on
 * all processors: each of its child processes is given its share as `PART/PARTS` and tells a fault a line.
 */
import { fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { faults } from '../reference-server/index.ts';
import {
  type Detection,
  detectionOf,
  runAgainst,
  type SingleCase,
} from '../suites/proof/kill-matrix/detection.fixture.ts';
import { killMatrixPage } from '../suites/proof/kill-matrix/page.fixture.ts';
import { tellingCase, tellingCasesFile } from '../suites/proof/kill-matrix/telling-case.fixture.ts';

interface Measured {
  readonly id: string;
  readonly detection: Detection | null;
  readonly telling?: SingleCase | undefined;
}

/** The part of the faults that a child process measures. */
async function measure(share: string): Promise<void> {
  const [part = 0, parts = 1] = share.split('/').map(Number);
  for (const [index, fault] of faults.entries()) {
    if (index % parts !== part) continue;
    const record = await runAgainst(fault);
    const telling = tellingCase(record, fault);
    process.send?.({ id: fault.id, detection: detectionOf(record, fault), telling } satisfies Measured);
  }
}

/** Starts a child process for a share, and calls back for each fault that it has measured. */
const started = (share: string, onMeasured: (one: Measured) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(import.meta.url), [share]);
    child.on('message', one => onMeasured(one as Measured));
    child.on('exit', code =>
      code === 0 ? resolve() : reject(new Error(`part ${share} of the kill matrix ended with code ${code}`)),
    );
  });

async function measureAll(): Promise<void> {
  const measured = new Map<string, Measured>();
  const parts = availableParallelism();
  await Promise.all(
    Array.from({ length: parts }, (_, part) =>
      started(`${part}/${parts}`, one => {
        measured.set(one.id, one);
        if (measured.size % 50 === 0) process.stderr.write(`${measured.size} of ${faults.length}\n`);
      }),
    ),
  );
  const kills = faults.map(fault => ({ fault, detection: measured.get(fault.id)?.detection ?? null }));
  const telling = faults.flatMap(({ id }) => {
    const single = measured.get(id)?.telling;
    return single === undefined ? [] : [[id, single] as const];
  });
  writeFileSync(fileURLToPath(new URL('../docs/kill-matrix.md', import.meta.url)), killMatrixPage(kills));
  writeFileSync(tellingCasesFile, `${JSON.stringify(Object.fromEntries(telling), null, 2)}\n`);
  const missed = kills.filter(({ detection }) => detection === null);
  process.stdout.write(
    `${kills.length} faults, ${missed.length} missed${missed.map(({ fault }) => `\n  ${fault.id}`).join('')}\n`,
  );
}

const [share] = process.argv.slice(2);
await (share === undefined ? measureAll() : measure(share));
