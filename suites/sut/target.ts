import type { Capability, ReferenceKind } from '../../contracts/dialect.ts';
import type { FixtureKind } from '../../contracts/endpoint.ts';
import { type EndpointId, endpointRow } from '../../contracts/endpoints.ts';
import type { Json } from '../../contracts/json.ts';
import { type Fixtures, specificationNaming, type TargetFile, type Vocabulary } from '../../contracts/target.ts';
import type { Target } from '../protocol/sut.ts';

/** Where in the target file the words for a reference stand; null where no list of the target file holds any. */
export const vocabularyOf: Record<ReferenceKind, string | null> = {
  idType: 'vocabulary.idTypes',
  gate: 'fixtures.gates',
  metric: 'vocabulary.metrics',
  event: 'fixtures.events',
  group: null,
  user: 'vocabulary.users',
  email: 'vocabulary.users',
  team: 'vocabulary.teams',
  app: 'vocabulary.apps',
  pipeline: 'vocabulary.pipelines',
  reviewGroup: 'vocabulary.reviewGroups',
  environment: 'vocabulary.environments',
  model: 'vocabulary.models',
  provider: 'vocabulary.providers',
  metricSource: 'vocabulary.metricSources',
  assignmentSource: null,
  identitySource: null,
  column: 'vocabulary.columns',
  layer: null,
};

function words(kind: ReferenceKind, fixtures: Fixtures, vocabulary: Vocabulary): readonly Json[] {
  switch (kind) {
    case 'idType':
      return vocabulary.idTypes ?? [];
    case 'gate':
      return fixtures.gates ?? [];
    case 'metric':
      return (vocabulary.metrics ?? []).map(metric => ({ ...metric }));
    case 'event':
      return fixtures.events ?? [];
    case 'user':
      return (vocabulary.users ?? []).map(user => user.id);
    case 'email':
      return (vocabulary.users ?? []).flatMap(user => (user.email === undefined ? [] : [user.email]));
    case 'team':
      return vocabulary.teams ?? [];
    case 'app':
      return vocabulary.apps ?? [];
    case 'pipeline':
      return vocabulary.pipelines ?? [];
    case 'reviewGroup':
      return vocabulary.reviewGroups ?? [];
    case 'environment':
      return vocabulary.environments ?? [];
    case 'model':
      return vocabulary.models ?? [];
    case 'provider':
      return vocabulary.providers ?? [];
    case 'column':
      return vocabulary.columns ?? [];
    case 'metricSource':
      return vocabulary.metricSources ?? [];
    default:
      return [];
  }
}

/** A target from its file; the base URL and the key are already resolved by the command line. */
export function targetOf(file: TargetFile, baseUrl: URL, apiKey: string): Target {
  const fixtures = file.fixtures ?? {};
  const vocabulary = file.vocabulary ?? {};
  const declared = new Set(file.capabilities ?? []);
  const naming = file.naming ?? {};
  return {
    baseUrl,
    apiKey,
    naming: { ...specificationNaming, ...naming },
    fixtures,
    vocabulary,
    references: (kind: ReferenceKind) => words(kind, fixtures, vocabulary),
    has: (capability: Capability) => declared.has(capability),
  };
}

const idOf = (entry: string | { id: string } | { name: string }): string =>
  typeof entry === 'string' ? entry : 'id' in entry ? entry.id : entry.name;

/** The names of a kind's fixtures, in the order of the target file. */
export function fixtureNames(target: Target, kind: FixtureKind): readonly string[] {
  if (kind === 'environments') return (target.fixtures.environments ?? []).map(entry => entry.name);
  const entries: readonly (string | { id: string })[] = target.fixtures[kind] ?? [];
  return entries.map(idOf);
}

/** The fixture that an endpoint's checks work on: the first that the target file names, or the last. */
export function subjectOf(target: Target, endpoint: EndpointId): string | undefined {
  const { fixture: kind, lastFixture } = endpointRow(endpoint);
  if (kind === null) return undefined;
  const names = fixtureNames(target, kind);
  return lastFixture ? names.at(-1) : names[0];
}
