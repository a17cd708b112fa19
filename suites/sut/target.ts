import type { Capability, ReferenceKind } from '../../contracts/dialect.ts';
import type { FixtureKind } from '../../contracts/endpoint.ts';
import { type EndpointId, endpointRow } from '../../contracts/endpoints.ts';
import { type Json, membersOf } from '../../contracts/json.ts';
import { present } from '../../contracts/present.ts';
import { specificationNaming, type TargetFile } from '../../contracts/target.ts';
import { proxyFor } from '../client/proxy.ts';
import { referenceIn, references } from '../generators/index.ts';
import type { Access, KeySource, Target } from '../protocol/sut.ts';

/** A key that never changes. */
export const fixedKey = (key: string): KeySource => ({
  current: () => key,
  watch: listener => listener(key),
  took: () => undefined,
  renew: async () => key,
});

/** A target that refuses a key right after it was asked for is not helped by another; milliseconds. */
const leastBetween = 5_000;

/**
 * Keys that live for a while only. However many requests are refused at once, one new key is asked for; and no other
 * within five seconds. A new key that is refused too, and was never taken, gives way to the one that was: what a run
 * changed has to be put back.
 *
 * @param first the key to begin with
 * @param ask resolves to a new key, or to null where there is none
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
    asking = null;
    if (next !== null && next !== key) use(next);
  }

  return {
    current: () => key,
    watch(listener) {
      listeners.push(listener);
      listener(key);
    },
    took(used) {
      // What is answered late says nothing of a key that came in between.
      if (used === key) taken = used;
    },
    async renew(refused) {
      if (key === refused && asking === null) {
        if (performance.now() - askedAt >= leastBetween) asking = askAnew();
        else if (taken !== null && taken !== key) use(taken);
      }
      if (asking !== null) await asking;
      return key;
    },
  };
}

/** The words for a reference, in the order of the target file. */
function words(kind: ReferenceKind, file: TargetFile): readonly Json[] {
  const { line } = references[kind];
  const [section, list] = (line?.split(':')[0] ?? '').split('.') as [keyof TargetFile, string];
  const entries = (membersOf(file[section])[list] ?? []) as readonly Json[];
  return entries.flatMap(entry => referenceIn(kind, entry) ?? []);
}

/** The headers of a target file, by names in lower case. */
const headersIn = ({ headers = [] }: TargetFile): Readonly<Record<string, string>> =>
  Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value]));

/** How a target is reached when nobody says otherwise: through the proxy that the environment names, if any. */
const usualAccess = (baseUrl: URL): Access => ({ headers: {}, tls: {}, proxy: proxyFor(baseUrl, process.env) });

/**
 * A target from its file; the base URL and the key are already resolved by the command line. Headers of the file are
 * sent where `access` has none of that name.
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
    ...present({ limits: file.limits, learn: file.learn, requires: file.requires }),
    references: (kind: ReferenceKind) => words(kind, file),
    has: (capability: Capability) => declared.has(capability),
  };
}

/** The names of a kind's fixtures, in the order of the target file. */
export function fixtureNames(target: Target, kind: FixtureKind): readonly string[] {
  if (kind === 'environments') return (target.fixtures.environments ?? []).map(entry => entry.name);
  const entries: readonly (string | { id: string })[] = target.fixtures[kind] ?? [];
  return entries.map(entry => (typeof entry === 'string' ? entry : entry.id));
}

/** The fixture that an endpoint's checks work on: the first that the target file names, or the last. */
export function subjectOf(target: Target, endpoint: EndpointId): string | undefined {
  const { fixture: kind, lastFixture } = endpointRow(endpoint);
  if (kind === null) return undefined;
  const names = fixtureNames(target, kind);
  return lastFixture ? names.at(-1) : names[0];
}
