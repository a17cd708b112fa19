import { grouped } from '../../../contracts/grouped.ts';
import type { Behaviour } from '../../behaviours/schema.ts';
import { clientOf, type Entry } from './request-list.ts';

/** A reason for a refusal. */
interface Reason {
  /** Path of the wrong member in dots, with `*` for array indexes; undefined if the whole request is wrong. */
  readonly property: string | undefined;
  readonly message: string;
  readonly requirement: string | undefined;
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

/**
 * Groups the refused requests by reason: the mistakes of clients, most frequent first. A request with several reasons
 * counts for each. `simulated`: the number of refusals that a behaviour may have caused.
 */
export const refusedGroups = (entries: readonly Entry[], behaviours: readonly Behaviour[]) => {
  const byId = new Map(behaviours.map(one => [one.id, one]));
  const refused = entries.filter(({ status }) => status !== null && status >= 400 && status < 500);
  const earned = refused.filter(entry => !entry.behaviours.some(id => mayRefuse(byId.get(id))));
  const mistakes = earned.flatMap(entry => {
    const { status, endpoint, method, url } = entry;
    const operation = endpoint ?? `${method} ${url.split('?', 1)[0]}`;
    const byKey = grouped(reasonsOf(entry), ({ property, requirement, message }) =>
      JSON.stringify([operation, status, property, requirement ?? message]),
    );
    return [...byKey].map(([key, [reason]]) => ({ key, operation, status, ...(reason as Reason), last: entry }));
  });
  const groups = [...grouped(mistakes, ({ key }) => key).values()].map(all => ({
    ...(all.at(-1) as (typeof mistakes)[number]),
    count: all.length,
    /** Up to three user agents that sent them. */
    clients: [...new Set(all.map(({ last }) => clientOf(last)))].filter(Boolean).slice(0, 3),
  }));
  return { groups: groups.sort((one, other) => other.count - one.count), simulated: refused.length - earned.length };
};
