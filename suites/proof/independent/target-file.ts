import { environments, events, experiments, metrics, prompts, sources } from './seed.ts';
import { words } from './state.ts';

/** What the suite is told about the independent server: its fixtures and words, and that it has none of the optional capabilities. */
export function describeTarget(url: string, apiKey: string): object {
  return {
    baseUrl: url,
    apiKey,
    fixtures: {
      gates: ['gate-1', 'gate-2', 'gate-3'],
      dynamicConfigs: ['conf-a', 'conf-b'],
      experiments: experiments.map(({ id, status }) => ({ id, status, groups: ['As is', 'Blue'] })),
      qualifyingEvents: sources.slice(0, 3).map(({ name }) => name),
      prompts,
      events: Object.keys(events),
      environments: environments.map(({ colour: _unlisted, ...listed }) => listed),
    },
    vocabulary: {
      idTypes: words.idTypes,
      metrics: metrics.slice(0, 4).map(({ name, type }) => ({ name, type })),
      models: words.models,
      providers: words.providers,
      users: words.users,
      apps: words.apps,
      columns: words.columns,
      reviewGroups: words.reviewGroups,
      metricSources: sources.slice(0, 3).map(({ name }) => name),
      environments: environments.map(({ name }) => name),
    },
    capabilities: [],
  };
}
