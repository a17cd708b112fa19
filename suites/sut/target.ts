import type { Capability, ReferenceKind } from '../../contracts/dialect.ts';
import type { FixtureKind } from '../../contracts/endpoint.ts';
import { type EndpointId, endpointRow } from '../../contracts/endpoints.ts';
import { type Json, membersOf } from '../../contracts/json.ts';
import { present } from '../../contracts/present.ts';
import { specificationNaming, type TargetFile } from '../../contracts/target.ts';
import { proxyFor } from '../client/proxy.ts';
import { referenceIn, references } from '../generators/index.ts';
import { disposableNames } from '../protocol/disposable.ts';
import type { Access, KeySource, Target } from '../protocol/sut.ts';

/** Returns a key that never changes. */
export const fixedKey = (key: string): KeySource => ({
  current: () => key,
  watch: listener => listener(key),
  took: () => undefined,
  renew: async () => key,
});

/** Minimum time between renewals, in milliseconds: another key does not help if a new one is refused at once. */
const leastBetween = 5_000;

/**
 * Returns a source of short-lived keys. Simultaneous refusals ask for one new key, at most every five seconds. If a new
 * key is refused before it was ever accepted, the last accepted one returns, because changes must be undone.
 *
 * @param first the initial key
 * @param ask resolves to a new key, or to null if there is none
 */
export function renewableKey(first: string, ask: () => Promise<string | null>): KeySource {
  const listeners: ((key: string) => void)[] = [];
  let key = first;
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | null = null;
  let taken: string | null = null;

  function use(next: string): void {
    key = next;
    for (const listener of listeners) listener(key);
  }

  async function askAnew(): Promise<void> {
    askedAt = performance.now();
    const next = await ask();
    if (next !== null && next !== key) use(next);
  }

  return {
    current: () => key,
    watch(listener) {
      listeners.push(listener);
      listener(key);
    },
    took(used) {
      // A late answer says nothing about a key that replaced its own.
      if (used === key) taken = used;
    },
    async renew(refused) {
      if (key === refused && asking === null) {
        if (performance.now() - askedAt >= leastBetween)
          asking = askAnew().finally(() => {
            asking = null;
          });
        else if (taken !== null && taken !== key) use(taken);
      }
      if (asking !== null) await asking;
      return key;
    },
  };
}

/** Returns the words for a reference, in the order of the target file. */
function words(kind: ReferenceKind, file: TargetFile): readonly Json[] {
  const { line } = references[kind];
  const [section, list] = (line?.split(':')[0] ?? '').split('.') as [keyof TargetFile, string];
  const entries = (membersOf(file[section])[list] ?? []) as readonly Json[];
  return entries.flatMap(entry => referenceIn(kind, entry) ?? []);
}

/** Returns the headers of a target file, by lower-case name. */
const headersIn = ({ headers = [] }: TargetFile): Readonly<Record<string, string>> =>
  Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value]));

/** Returns the default access: through the proxy that the environment names, if any. */
const usualAccess = (baseUrl: URL): Access => ({ headers: {}, tls: {}, proxy: proxyFor(baseUrl, process.env) });

/**
 * Returns a target from its file; the command line resolves base URL and key. Headers in `access` override those of the
 * file.
 */
export function targetOf(
  file: TargetFile,
  baseUrl: URL,
  apiKey: string | KeySource,
  access: Access = usualAccess(baseUrl),
): Target {
  const declared = new Set(file.capabilities ?? []);
  const keys = typeof apiKey === 'string' ? fixedKey(apiKey) : apiKey;
  return {
    baseUrl,
    access: { ...access, headers: { ...headersIn(file), ...access.headers } },
    keys,
    get apiKey() {
      return keys.current();
    },
    naming: { ...specificationNaming, ...file.naming },
    fixtures: file.fixtures ?? {},
    vocabulary: file.vocabulary ?? {},
    ...present({ limits: file.limits, learn: file.learn, requires: file.requires, disposable: file.disposable }),
    references: (kind: ReferenceKind) => words(kind, file),
    has: (capability: Capability) => declared.has(capability),
  };
}

/** Returns the names of a kind's fixtures, in the order of the target file. */
export function fixtureNames(target: Target, kind: FixtureKind): readonly string[] {
  if (kind === 'environments') return (target.fixtures.environments ?? []).map(entry => entry.name);
  const entries: readonly (string | { id: string })[] = target.fixtures[kind] ?? [];
  return entries.map(entry => (typeof entry === 'string' ? entry : entry.id));
}

/**
 * Returns the fixture that an endpoint's checks use: the first in the target file, or the last. A disposable one is used
 * only if there is no other.
 */
export function subjectOf(target: Target, endpoint: EndpointId): string | undefined {
  const { fixture: kind, lastFixture } = endpointRow(endpoint);
  if (kind === null) return undefined;
  const all = fixtureNames(target, kind);
  const spared = kind === 'experiments' || kind === 'qualifyingEvents' ? disposableNames(target, kind) : [];
  const lasting = all.filter(name => !spared.includes(name));
  const names = lasting.length > 0 ? lasting : all;
  return lastFixture ? names.at(-1) : names[0];
}
