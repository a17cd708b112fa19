import { detection } from './detection.ts';
import { diffBench } from './diff.ts';
import { growth } from './growth.ts';
import { hostile } from './hostile.ts';
import { latency } from './latency.ts';
import { prism } from './prism.ts';
import { proxy } from './proxy.ts';
import { proxyTools } from './proxy-tools.ts';
import { sandboxes } from './sandboxes.ts';
import { schemathesis } from './schemathesis.ts';
import { startup } from './startup.ts';
import { stores } from './stores.ts';
import { throughput } from './throughput.ts';

/** The measurements by name: `npm run bench` runs all, `npm run bench -- NAME` one. */
const benches = {
  throughput,
  startup,
  prism,
  schemathesis,
  detection,
  hostile,
  latency,
  growth,
  stores,
  sandboxes,
  proxy,
  'proxy-tools': proxyTools,
  diff: diffBench,
} as const;

const isBench = (name: string): name is keyof typeof benches => Object.hasOwn(benches, name);

const named = process.argv.slice(2);
for (const name of named.length > 0 ? named : Object.keys(benches)) {
  if (!isBench(name)) throw new Error(`there is no measurement ${name}; there are ${Object.keys(benches).join(', ')}`);
  await benches[name](line => void process.stdout.write(`${line}\n`));
}
