import { endpoints } from '../../contracts/endpoints.ts';
import { grouped } from '../../contracts/grouped.ts';
import { isObject } from '../../contracts/json.ts';
import { typeOf } from '../text/symptom.ts';
import { entityOf, isOfShape, isPassing, isUnsteady, memberOf, operationFor, sentIn, type Trait } from './traits.ts';

/** Requirements on the frame of an answer: if one is broken, nothing in the answer can be right. */
const ruins = /^envelope\.(json|object|data|data-shape|pagination|success-2xx)$/;

/** Concurrent writes: one defect mixes up a member, whichever rule reports it. */
export const isAtOnce = /^state\.concurrent-/;

/**
 * Facts of some findings that explain others: endpoints with a broken frame, endpoints that rename members, and so on.
 */
export interface Broken {
  readonly ruined: ReadonlySet<string>;
  readonly misnamed: ReadonlySet<string>;
  /** The first endpoint that renames a member, by kind of entity. */
  readonly misnamedAt: ReadonlyMap<string, string>;
  /** Members with an undocumented shape, by `memberOf`, and the types that are shown instead. */
  readonly misshapen: ReadonlyMap<string, ReadonlySet<string>>;
  /** Values shown in place of others, by `shownAt`. Later readings may be judged against them. */
  readonly shownInstead: ReadonlySet<string>;
  /** Entities, by `entityOf`, that an operation gives or changes without a key. */
  readonly unguarded: ReadonlySet<string>;
  /** Operations that fail only sometimes. */
  readonly unsteady: ReadonlySet<string>;
  /** Kinds of entities, and their members, that concurrent writes mix up. */
  readonly mixedUp: ReadonlySet<string>;
  /** Values of single fields that have a finding of their own, by `sentIn`. */
  readonly alone: ReadonlySet<string>;
  /** Fields, each after its endpoint, of which a value is refused. */
  readonly refused: ReadonlySet<string>;
  /** The first finding of each operation that shows by itself that the operation fails. */
  readonly failing: ReadonlyMap<string, Trait>;
}

/** Names the outermost refused field that holds the field of a finding, or that field itself; `false` if it is alone. */
export const refusedAround = ({ one, field, refused }: Trait & Pick<Broken, 'refused'>): string | false => {
  const at = one.endpoint.id;
  const parts = field.split('/');
  const around = parts
    .map((_, index) => parts.slice(0, index + 1).join('/'))
    .find(name => refused.has(`${at} ${name}`));
  return around !== undefined && `refused within ${at} ${around}`;
};

const isMisshapen = ({ one, family }: Trait): boolean => isOfShape(one.finding) || family === 'presence';

/** Names a distinctive value of a member. Flags, numbers and empty values are excluded: they may be equal by chance. */
export const shownAt = (member: string, value: unknown): string | false =>
  (typeof value === 'string' ? value !== '' : isObject(value)) && `value ${member} ${JSON.stringify(value)}`;

/** Returns the facts of findings that explain others. */
export function brokenIn(traits: readonly Trait[]): Broken {
  const where = (isBroken: (requirement: string) => boolean) =>
    new Set(traits.flatMap(({ one }) => (isBroken(one.finding.requirement) ? [one.endpoint.id] : [])));
  const failed = traits.filter(({ deviation }) => deviation === 'failed');
  const mixed = traits.filter(({ one }) => isAtOnce.test(one.finding.requirement));
  return {
    ruined: where(id => ruins.test(id)),
    misnamed: where(id => id.startsWith('identity.')),
    misnamedAt: new Map(
      traits
        .filter(({ family }) => family === 'identity')
        .map(({ one: { endpoint } }) => [endpoints[endpoint.id].resource, endpoint.id] as const)
        .toReversed(),
    ),
    misshapen: new Map(
      [...grouped(traits.filter(isMisshapen), memberOf)].map(([member, own]) => [
        member,
        new Set(own.map(({ one }) => typeOf(one.finding.fault?.got))),
      ]),
    ),
    shownInstead: new Set(
      traits
        .filter(({ family }) => family === 'state')
        .map(trait => shownAt(memberOf(trait), trait.one.finding.fault?.got) || ''),
    ),
    unguarded: new Set(
      traits.flatMap(trait => (trait.one.finding.requirement === 'auth.missing-key' ? [entityOf(trait)] : [])),
    ),
    unsteady: new Set(failed.filter(isUnsteady).map(operationFor)),
    mixedUp: new Set(mixed.flatMap(trait => [endpoints[trait.one.endpoint.id].resource, memberOf(trait)])),
    alone: new Set(
      traits.flatMap(trait =>
        trait.field === '' ? [] : [sentIn(trait, trait.field, trait.one.finding.counterexample?.sent)],
      ),
    ),
    refused: new Set(
      traits.flatMap(({ one, deviation, field }) =>
        deviation === 'refused' && field !== '' ? [`${one.endpoint.id} ${field}`] : [],
      ),
    ),
    failing: new Map(
      failed.flatMap(trait => (isPassing(trait) ? [] : [[operationFor(trait), trait] as const])).toReversed(),
    ),
  };
}
