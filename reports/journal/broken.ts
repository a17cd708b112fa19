import { grouped } from '../../contracts/grouped.ts';
import { isObject } from '../../contracts/json.ts';
import { typeOf } from '../text/symptom.ts';
import { isLostWhole } from './lost-writes.ts';
import { isOfEscapes, isOfShape, sentIn, type Trait } from './traits.ts';

/** Requirements on the frame of an answer: if one is broken, nothing in the answer can be right. */
const ruins = /^envelope\.(json|object|data|data-shape|pagination|success-2xx)$/;

/** Concurrent writes: one defect mixes up a member, whichever rule reports it. */
export const isAtOnce = /^state\.concurrent-/;

/** Names the outermost refused field that holds the field of a finding, or that field itself; `false` if it is alone. */
export const refusedAround = ({ at, field, refused }: Trait & Pick<Broken, 'refused'>): string | false => {
  const parts = field.split('/');
  const around = parts
    .map((_, index) => parts.slice(0, index + 1).join('/'))
    .find(name => refused.has(`${at} ${name}`));
  return around !== undefined && `refused within ${at} ${around}`;
};

/** Names a distinctive value of a member. Flags, numbers and empty values are excluded: they may be equal by chance. */
export const shownAt = (member: string, value: unknown): string | false =>
  (typeof value === 'string' ? value !== '' : isObject(value)) && `value ${member} ${JSON.stringify(value)}`;

/**
 * Returns the facts of some findings that explain others: endpoints with a broken frame, endpoints that rename members,
 * and so on.
 */
export function brokenIn(traits: readonly Trait[]) {
  const namesOf = (isOne: (trait: Trait) => boolean, ...names: readonly ((trait: Trait) => string)[]) =>
    new Set(traits.filter(isOne).flatMap(trait => names.map(name => name(trait))));
  const endpointOf = ({ at }: Trait): string => at;
  const failing = traits.filter(({ deviation, isPassing }) => deviation === 'failed' && !isPassing);
  const misshapen = traits.filter(({ one, family }) => isOfShape(one.finding) || family === 'presence');
  return {
    ruined: namesOf(({ requirement }) => ruins.test(requirement), endpointOf),
    misnamed: namesOf(({ family }) => family === 'identity', endpointOf),
    /** Places of sent fields, each after its endpoint, that an endpoint does not show. */
    unshown: namesOf(
      ({ family, fault }) => family === 'echo' && fault?.kind === 'missing',
      ({ at, place }) => `${at} ${place}`,
    ),
    /** Members that are missing from answers in which they must be. */
    absent: namesOf(
      ({ requirement }) => requirement === 'presence.must',
      ({ member }) => member,
    ),
    /** Endpoints that answer one request with what belongs to another. */
    swapped: namesOf(({ fault }) => fault?.kind === 'swapped', endpointOf),
    /** Operations whose body cannot be read. */
    unreadable: namesOf(
      ({ fault }) => fault?.kind === 'body',
      ({ operation }) => operation,
    ),
    /** The first endpoint that renames a member, by kind of entity. */
    misnamedAt: new Map(
      traits
        .flatMap(({ family, resource, at }) => (family === 'identity' ? [[resource, at] as const] : []))
        .toReversed(),
    ),
    /** Members with an undocumented shape, and the types that are shown instead. */
    misshapen: new Map(
      [...grouped(misshapen, ({ member }) => member)].map(([member, own]) => [
        member,
        new Set(own.map(({ fault }) => typeOf(fault?.got))),
      ]),
    ),
    /** Endpoints that lose whole writes. */
    losing: namesOf(({ one }) => isLostWhole(one.finding), endpointOf),
    /** Endpoints that read escapes otherwise than JSON does. */
    misreading: namesOf(({ one }) => isOfEscapes(one.finding), endpointOf),
    /** Values shown in place of others, by `shownAt`. Later readings may be judged against them. */
    shownInstead: namesOf(
      ({ family }) => family === 'state',
      ({ member, fault }) => shownAt(member, fault?.got) || '',
    ),
    /** Entities that an operation gives or changes without a key. */
    unguarded: namesOf(
      ({ requirement }) => requirement === 'auth.missing-key',
      ({ entity }) => entity,
    ),
    /** Operations that fail only sometimes. */
    unsteady: namesOf(
      ({ deviation, isUnsteady }) => deviation === 'failed' && isUnsteady,
      ({ operation }) => operation,
    ),
    /** Kinds of entities that concurrent writes mix up, their members, and these with the endpoint and the value. */
    mixedUp: namesOf(
      ({ requirement }) => isAtOnce.test(requirement),
      ({ resource }) => resource,
      ({ member }) => member,
      ({ at, member }) => `${at} ${member}`,
      ({ member, fault }) => `${member} ${JSON.stringify(fault?.got)}`,
    ),
    /** Values of single fields that have a finding of their own, by `sentIn`. */
    alone: namesOf(
      ({ field }) => field !== '',
      trait => sentIn(trait, trait.field, trait.sent),
    ),
    /** Fields, each after its endpoint, of which a value is refused. */
    refused: namesOf(
      ({ deviation, field }) => deviation === 'refused' && field !== '',
      ({ at, field }) => `${at} ${field}`,
    ),
    /** The first finding of each operation that shows by itself that the operation fails. */
    failing: new Map(failing.map(trait => [trait.operation, trait] as const).toReversed()),
  };
}

/** The facts of some findings that explain others. */
export type Broken = ReturnType<typeof brokenIn>;
