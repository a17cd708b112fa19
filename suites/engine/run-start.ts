import { createRequire } from 'node:module';
import type { RunStart } from '../../contracts/report/journal.ts';
import { tool } from '../../contracts/report/tool.ts';
import type { Unit } from '../checks/units.ts';
import { plannedCheck } from './plan.ts';
import type { RunOptions } from './run-options.ts';

const require = createRequire(import.meta.url);
const versionOf = (name: string): string => (require(`${name}/package.json`) as { version: string }).version;

/** This suite and what its generated values depend on, by version: only the same versions send the same again. */
export const toolVersions = (): RunStart['tool'] => ({
  ...tool,
  node: process.versions.node,
  'fast-check': versionOf('fast-check'),
  faker: versionOf('@faker-js/faker'),
});

/** The first event of a run: everything that decides what it sends. */
export function runStart(options: RunOptions, units: readonly Unit[], token: string): RunStart {
  const { target, selection } = options;
  return {
    event: 'run-start',
    version: 2,
    tool: toolVersions(),
    target: { baseUrl: target.baseUrl.href.replace(/\/+$/, ''), embedded: options.embedded },
    seed: options.seed,
    token,
    profile: options.profile,
    options: {
      readOnly: options.readOnly,
      strict: options.strict,
      only: [...selection.only],
      skip: [...selection.skip],
      ...(options.config === undefined ? {} : { config: options.config }),
      ...(options.path === undefined ? {} : { path: options.path }),
      ...(options.timeMs === undefined ? {} : { timeMs: options.timeMs }),
      ...(selection.shard === undefined ? {} : { shard: selection.shard }),
    },
    startedAt: new Date().toISOString(),
    plan: units.map(plannedCheck),
  };
}
