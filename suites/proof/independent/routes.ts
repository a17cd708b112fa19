import * as lists from './lists.ts';
import * as measures from './measures.ts';
import type { Operation } from './outcome.ts';
import * as switches from './switches.ts';
import * as trials from './trials.ts';

/** Whether an operation has a body: none is read for `none`, and an `optional` one may be empty. */
export type BodyNeed = 'none' | 'optional' | 'needed';

/** One row of section 4. A star stands for a path parameter. */
export interface Route {
  readonly method: string;
  readonly path: string;
  readonly body: BodyNeed;
  readonly run: Operation;
}

// biome-ignore format: a table
const routes: readonly Route[] = [
  { method: 'POST',  path: 'environments',                    body: 'needed',   run: switches.updateEnvironments },
  { method: 'GET',   path: 'dynamic_configs/*/versions',      body: 'none',     run: lists.listVersions },
  { method: 'POST',  path: 'experiments/qualifying_events/*', body: 'needed',   run: measures.updateSource },
  { method: 'POST',  path: 'experiments/*',                   body: 'needed',   run: trials.updateExperiment },
  { method: 'PUT',   path: 'dynamic_configs/*/disable',       body: 'none',     run: switches.disableConfig },
  { method: 'PATCH', path: 'gates/*',                         body: 'needed',   run: switches.patchGate },
  { method: 'PUT',   path: 'gates/*/disable',                 body: 'none',     run: switches.disableGate },
  { method: 'POST',  path: 'experiments/*/enable_groups',     body: 'needed',   run: trials.enableGroups },
  { method: 'POST',  path: 'metrics',                         body: 'needed',   run: measures.createMetric },
  { method: 'PUT',   path: 'dynamic_configs/*/archive',       body: 'optional', run: switches.archiveConfig },
  { method: 'GET',   path: 'experiments/qualifying_events',   body: 'none',     run: lists.listSources },
  { method: 'GET',   path: 'segments',                        body: 'none',     run: lists.listSegments },
  { method: 'POST',  path: 'prompts/*/versions',              body: 'needed',   run: measures.createPromptVersion },
  { method: 'GET',   path: 'events/*/metrics',                body: 'none',     run: lists.listEventMetrics },
  { method: 'GET',   path: 'events/*',                        body: 'none',     run: lists.listEventValues },
];

/** The route of a request with its decoded path values, or the status and, for 405, the methods the path has. */
export type Routed = { route: Route; names: readonly string[] } | { status: 404 | 405; methods: readonly string[] };

/** Finds the route for a method and an encoded path, without its query. */
export function routeOf(method: string, path: string): Routed {
  const given = path.split('/').slice(1);
  const fitting = routes.flatMap(route => {
    const names = match(['console', 'v1', ...route.path.split('/')], given);
    return names === undefined ? [] : [{ route, names }];
  });
  const found = fitting.find(({ route }) => route.method === method);
  if (found !== undefined) return found;
  return { status: fitting.length === 0 ? 404 : 405, methods: fitting.map(({ route }) => route.method) };
}

function match(pattern: readonly string[], given: readonly string[]): string[] | undefined {
  if (pattern.length !== given.length) return undefined;
  const names: string[] = [];
  for (const [index, part] of pattern.entries()) {
    const value = decoded(given[index] ?? '');
    if (value === undefined || (part !== '*' && part !== value)) return undefined;
    if (part === '*') names.push(value);
  }
  return names;
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
