import { createReferenceServer } from '../reference-server/index.ts';
import { behaviours } from '../suites/proof/hostile/behaviours.fixture.ts';
import { testKey } from '../suites/proof/testing/reference-run.ts';
import { endOf, measuredRun } from './measured-run.ts';

/** Maximum cost of a run with a timeout of one second against a misbehaving target. */
const mostSeconds = 30;
const mostMegabytes = 300;

async function row(does: string, url: URL, print: (line: string) => void): Promise<boolean> {
  const run = await measuredRun(url, testKey, ['--timeout', '1s']);
  const { outcome, stats } = endOf(run);
  const seconds = run.wallMs / 1000;
  const within = seconds <= mostSeconds && run.peakMb <= mostMegabytes;
  const cost = `${seconds.toFixed(1).padStart(5)} s (processor ${(run.cpuMs / 1000).toFixed(1).padStart(4)} s) ${run.peakMb.toFixed(0).padStart(4)} MB`;
  const told = `${String(stats.requests).padStart(6)} requests  ${outcome.padEnd(11)} exit ${run.exitCode}`;
  print(`${does.padEnd(48)} ${cost} ${told}${within ? '' : '  over the bound'}`);
  return within;
}

/**
 * Prints the cost of a standard run with a timeout of one second against every misbehaving target, and against a sound
 * one: the time of the whole process and its peak memory. The targets run in this process.
 */
export async function hostile(print: (line: string) => void): Promise<void> {
  const sound = createReferenceServer({ apiKey: testKey });
  const { url } = await sound.listen();
  await row('(a sound target)', new URL(url), print);
  await sound.close();
  let within = 0;
  for (const behaviour of behaviours) {
    const target = await behaviour.serve();
    if (await row(behaviour.does, target.url, print)) within += 1;
    await target.close();
  }
  print(`${within} of ${behaviours.length} hostile targets cost at most ${mostSeconds} s and ${mostMegabytes} MB`);
}
