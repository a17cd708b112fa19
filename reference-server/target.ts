import { type Naming, specificationNaming, type TargetFile } from '../contracts/target.ts';
import type { Named } from './entities.ts';
import { configs } from './fixtures/configs.ts';
import { directory, users } from './fixtures/directory.ts';
import { environments } from './fixtures/environments.ts';
import { experiments } from './fixtures/experiments.ts';
import { gates } from './fixtures/gates.ts';
import { prompts } from './fixtures/prompts.ts';
import { qualifyingEvents } from './fixtures/qualifying-events.ts';

/** Entities per kind that the suite may write to; the others are neighbours that must stay unchanged. */
const offered = 9;

const ids = (named: readonly Named[]): string[] => named.map(({ id }) => id);

/**
 * Returns the target file of this server: writable fixtures, existing names and supported features. The caller adds
 * base URL and key.
 */
export const referenceTarget = (naming: Naming = specificationNaming): TargetFile => ({
  fixtures: {
    gates: ids(gates.slice(0, offered)),
    // The suite archives the last of these; the one left out is a neighbour.
    dynamicConfigs: ids(configs.slice(0, -1)),
    experiments: experiments.slice(0, offered).map(({ id, groups, status }) => ({
      id,
      groups: groups.flatMap(group => group.name ?? []),
      status,
    })),
    qualifyingEvents: qualifyingEvents(naming)
      .slice(0, offered)
      .map(source => source.name),
    prompts: ids(prompts.slice(0, offered)),
    events: ['page_view', 'add_to_cart'],
    environments: environments.map(environment => ({ ...environment })),
  },
  // Not the first of a kind: other checks write to those.
  disposable: {
    experiments: ids(experiments.slice(4, 5)),
    qualifyingEvents: qualifyingEvents(naming)
      .slice(offered - 1, offered)
      .map(source => source.name),
    environments: environments.slice(1, 2).map(({ name }) => name),
  },
  vocabulary: {
    idTypes: ids(directory.idTypes),
    metrics: [
      { name: 'page_view', type: 'event_count' },
      { name: 'cart_rate', type: 'ratio' },
      { name: 'purchase', type: 'event_count' },
    ],
    models: ids(directory.models),
    providers: ids(directory.providers),
    teams: ids(directory.teams).map(id => ({ id, name: id })),
    users: users.map(({ id, email }) => ({ id, email })),
    apps: ids(directory.apps),
    pipelines: ids(directory.pipelines),
    reviewGroups: ids(directory.reviewGroups),
    metricSources: qualifyingEvents(naming)
      .slice(offered)
      .map(source => source.name),
    environments: environments.map(environment => environment.name),
    columns: ['occurred_at', 'user_id', 'device_id'],
  },
  capabilities: ['warehouse-native', 'enterprise', 'skip-validation'],
  naming: { ...naming },
});
