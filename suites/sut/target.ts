import type { Capability, ReferenceKind } from '../../contracts/dialect.ts';
import type { FixtureKind } from '../../contracts/endpoint.ts';
import { type EndpointId, endpointRow } from '../../contracts/endpoints.ts';
import { type Json, membersOf } from '../../contracts/json.ts';
import { specificationNaming, type TargetFile } from '../../contracts/target.ts';
import { references } from '../generators/index.ts';
import type { Target } from '../protocol/sut.ts';

/** The words for a reference, in the order of the target file. */
function words(kind: ReferenceKind, file: TargetFile): readonly Json[] {
  const { line, part } = references[kind];
  const [section, list] = (line?.split(':')[0] ?? '').split('.') as [keyof TargetFile, string];
  const entries = (membersOf(file[section])[list] ?? []) as readonly Json[];
  if (part === undefined) return entries;
  return entries.flatMap(entry => (membersOf(entry)[part] as string | undefined) ?? []);
}

/** A target from its file; the base URL and the key are already resolved by the command line. */
export function targetOf(file: TargetFile, baseUrl: URL, apiKey: string): Target {
  const declared = new Set(file.capabilities ?? []);
  return {
    baseUrl,
    apiKey,
    naming: { ...specificationNaming, ...file.naming },
    fixtures: file.fixtures ?? {},
    vocabulary: file.vocabulary ?? {},
    ...(file.limits === undefined ? {} : { limits: file.limits }),
    ...(file.learn === undefined ? {} : { learn: file.learn }),
    references: (kind: ReferenceKind) => words(kind, file),
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
