import type { Behaviour } from '../../behaviours/schema.ts';
import { clientOf, type Entry } from './request-list.ts';

/** A reason for a refusal. */
interface Reason {
  /** Path of the wrong member in dots, with `*` for array indexes; undefined if the whole request is wrong. */
  readonly property: string | undefined;
  readonly message: string;
  readonly requirement: string | undefined;
}

/** Requests refused for the same reason. */
interface RefusedGroup extends Reason {
  readonly key: string;
  /** The operation; method and path if no operation matched. */
  readonly operation: string;
  readonly status: number;
  readonly count: number;
  /** Up to three user agents that sent them. */
  readonly clients: readonly string[];
  /** The latest of them. */
  readonly last: Entry;
}

/** The groups, largest first, and the number of refusals that a behaviour caused. */
interface RefusedGroups {
  readonly groups: readonly RefusedGroup[];
  readonly simulated: number;
}

/** Behaviours that may refuse a request although nothing is wrong with it. */
const refusing = ['error', 'connection', 'rateLimit', 'fault', 'dialect'] as const;

const mayRefuse = (behaviour: Behaviour | undefined): boolean =>
  behaviour === undefined || refusing.some(name => behaviour[name] !== undefined);

const reasonsOf = ({ refused, status }: Entry): readonly Reason[] => {
  if (refused === null || refused.errors.length === 0)
    return [
      { property: undefined, message: refused?.message ?? `Status ${status}`, requirement: refused?.requirements[0] },
    ];
  return refused.errors.map(({ property, errorMessage, requirement }) => ({
    property: property.replace(/(^|\.)\d+(?=\.|$)/g, '$1*'),
    message: errorMessage,
    requirement: requirement ?? undefined,
  }));
};

/** Groups the refused requests by reason: the mistakes of clients. A request with several reasons counts for each. */
export const refusedGroups = (entries: readonly Entry[], behaviours: readonly Behaviour[]): RefusedGroups => {
  const byId = new Map(behaviours.map(one => [one.id, one]));
  const groups = new Map<string, RefusedGroup>();
  let simulated = 0;
  for (const entry of entries) {
    const { status, endpoint, method, url } = entry;
    if (status === null || status < 400 || status >= 500) continue;
    if (entry.behaviours.some(id => mayRefuse(byId.get(id)))) {
      simulated += 1;
      continue;
    }
    const operation = endpoint ?? `${method} ${url.split('?', 1)[0]}`;
    const seen = new Set<string>();
    for (const reason of reasonsOf(entry)) {
      const key = JSON.stringify([operation, status, reason.property, reason.requirement ?? reason.message]);
      if (seen.has(key)) continue;
      seen.add(key);
      const known = groups.get(key);
      const client = clientOf(entry);
      const clients = known?.clients ?? [];
      groups.set(key, {
        key,
        operation,
        status,
        ...reason,
        count: (known?.count ?? 0) + 1,
        clients: client === '' || clients.includes(client) || clients.length >= 3 ? clients : [...clients, client],
        last: entry,
      });
    }
  }
  return { groups: [...groups.values()].sort((one, other) => other.count - one.count), simulated };
};
