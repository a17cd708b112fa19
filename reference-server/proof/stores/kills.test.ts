import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { createMemoryBackend } from '../../store/memory.ts';
import { builtProgram } from '../testing/built.ts';
import { clearPlaces, places } from './places.fixture.ts';
import { hashOf, stormSeed, type Told, write } from './storm.fixture.ts';

/** How often a process is killed, and which moments are drawn. */
const kills = Number(process.env.KILLS ?? 5);
const seed = Number(process.env.KILL_SEED ?? 1);

/** A minute for each kill only ends what hangs. */
const limit = kills * 60_000;

const program = await builtProgram(fileURLToPath(new URL('./storming.fixture.ts', import.meta.url)));

afterAll(clearPlaces);

/** A process until it is killed: what it told, and how it ended. */
const stormed = (folder: string, number: number, first: number) =>
  new Promise<{ readonly told: readonly Told[]; readonly signal: string | null; readonly complaints: string }>(
    resolve => {
      const argv = [folder, String(seed * 100_000 + number), String(first)];
      const child = spawn(process.execPath, [program, ...argv], { stdio: ['ignore', 'pipe', 'pipe'] });
      let output = '';
      let complaints = '';
      child.stdout.on('data', chunk => {
        output += String(chunk);
      });
      child.stderr.on('data', chunk => {
        complaints += String(chunk);
      });
      child.on('close', (_, signal) => {
        const told = output.split('\n').slice(0, -1);
        resolve({ told: told.map(line => JSON.parse(line) as Told), signal, complaints });
      });
    },
  );

it(
  `holds all that was acknowledged, and nothing by halves, after each of ${kills} kills`,
  async () => {
    const folder = await places.folder.make();
    // The same writes go into a store in memory, one by one as far as the process is known to have come.
    const model = createMemoryBackend().worldNow('default', stormSeed);
    let known = 0;
    let acknowledged = 0;
    let begun = 0;
    let opened = 0;
    for (let kill = 1; kill <= kills; kill += 1) {
      const { told, signal, complaints } = await stormed(folder, kill, begun + 1);
      expect({ kill, signal, complaints }).toEqual({ kill, signal: 'SIGKILL', complaints: '' });
      for (const { found, begun: started, kept } of told) {
        if (found !== undefined) {
          opened += 1;
          while (known < acknowledged) await write(model, ++known);
          while ((await hashOf(model)) !== found && known < begun) await write(model, ++known);
          const where = `after kill ${kill - 1} of seed ${seed}: acknowledged ${acknowledged}, begun ${begun}`;
          expect({ where, found }).toEqual({ where, found: await hashOf(model) });
          // What was begun and did not come to be was never acknowledged, and never comes to be.
          known = begun;
          acknowledged = begun;
        }
        begun = Math.max(begun, started ?? 0);
        acknowledged = Math.max(acknowledged, kept ?? 0);
      }
    }
    // The storms were storms, and most of the processes came to storming.
    expect(opened).toBeGreaterThan(kills / 2);
    expect(acknowledged).toBeGreaterThan(kills);
  },
  limit,
);
