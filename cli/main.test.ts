import { expect, onTestFinished, test, vi } from 'vitest';
import { started } from './testing/process.fixture.ts';

/** Runs a script in the process before the command line begins. */
function before(script: string): void {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('NODE_OPTIONS', `--import=data:text/javascript,${encodeURIComponent(script)}`);
}

/** Runs code in the process as soon as the command line listens for uncaught errors. */
const besides = (what: string): void =>
  before(`process.on('newListener',name=>{if(name==='uncaughtException')setImmediate(()=>{${what}})})`);

// biome-ignore format: a table
test.each([
  ['an error that nobody catches',       "throw new Error('first\\n::error::second \\u001b[31m')", /^conform: a fault of the suite itself: Error: first\n\\u\{3a\}:error::second \\u\{1b\}\[31m\n {4}at /],
  ['a promise that nobody waits for',    "Promise.reject(new Error('broken'))",                   /^conform: a fault of the suite itself: Error: broken\n {4}at /],
  ['something thrown that is no error',  'throw null',                                            /^conform: a fault of the suite itself: null\n$/],
])('%s ends it with 4, and never as a target that does not conform', async (_what, script, says) => {
  besides(script);
  const running = started(['list', 'units']);
  expect(await running.ended).toBe(4);
  expect(running.err()).toMatch(says);
});

test('an end before the work is done is one with 4', async () => {
  before('globalThis.fetch=()=>new Promise(()=>{})');
  const running = started(['ctl', 'state']);
  expect(await running.ended).toBe(4);
  expect(running.err()).toBe('conform: a fault of the suite itself: it ended before its work did\n');
});
