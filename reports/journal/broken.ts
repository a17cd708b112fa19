import { endpoints } from '../../contracts/endpoints.ts';
import { grouped } from '../../contracts/grouped.ts';
import { isObject } from '../../contracts/json.ts';
import { typeOf } from '../text/symptom.ts';
import { isOfShape, isPassing, isUnsteady, memberOf, operationFor, sentIn, type Trait } from './traits.ts';

/** What is wrong with the frame of an answer: nothing in it can be right. */
const ruins = /^envelope\.(json|object|data|data-shape|pagination|success-2xx)$/;

/** Concurrent writes: one defect mixes up a member, whichever rule reports it. */
export const isAtOnce = /^state\.concurrent-/;

/** The endpoints whose answers have a broken frame, those that show things under another name, and more of the kind. */
export interface Broken {
  readonly ruined: ReadonlySet<string>;
  readonly misnamed: ReadonlySet<string>;
  /** Of each kind of entity the first endpoint that shows one under another name. */
  readonly misnamedAt: ReadonlyMap<string, string>;
  /** Members that have another shape than documented, by `memberOf`, and the types that are shown instead. */
  readonly misshapen: ReadonlyMap<string, ReadonlySet<string>>;
  /** Values that were shown in place of others, by `shownAt`: what is read later may be held against them. */
  readonly shownInstead: ReadonlySet<string>;
  /** Operations that fail only sometimes. */
  readonly unsteady: ReadonlySet<string>;
  /** Kinds of entities, and their members, of which writes at once are mixed up. */
  readonly mixedUp: ReadonlySet<string>;
  /** What was sent in one field that is told of by itself, by `sentIn`. */
  readonly alone: ReadonlySet<string>;
  /** Of each operation the first finding that tells by itself that it fails. */
  readonly failing: ReadonlyMap<string, Trait>;
}

const isMisshapen = ({ one, family }: Trait): boolean => isOfShape(one.finding) || family === 'presence';

/** Names a value of a member that is told apart from others: a flag, a number, or what is empty may be there by chance. */
export const shownAt = (member: string, value: unknown): string | false =>
  (typeof value === 'string' ? value !== '' : isObject(value)) && `value ${member} ${JSON.stringify(value)}`;

/** What of some findings explains others. */
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
    unsteady: new Set(failed.filter(isUnsteady).map(operationFor)),
    mixedUp: new Set(mixed.flatMap(trait => [endpoints[trait.one.endpoint.id].resource, memberOf(trait)])),
    alone: new Set(
      traits.flatMap(trait =>
        trait.field === '' ? [] : [sentIn(trait, trait.field, trait.one.finding.counterexample?.sent)],
      ),
    ),
    failing: new Map(
      failed.flatMap(trait => (isPassing(trait) ? [] : [[operationFor(trait), trait] as const])).toReversed(),
    ),
  };
}
