import { type EndpointId, endpoints } from '../../contracts/endpoints.ts';
import { grouped } from '../../contracts/grouped.ts';
import { isObject, type Json, type Members, parsedJson } from '../../contracts/json.ts';
import { jsonAt } from '../../contracts/json-tree.ts';
import { same } from '../../contracts/pointer.ts';
import type { Exchange } from '../../contracts/report/evidence.ts';
import type { ReportedFinding } from '../text/finding-text.ts';
import { isWrite, typeOf } from '../text/symptom.ts';
import { isOfEscapes, isOfShape, operationOf, sentIn, type Trait } from './traits.ts';

/** Tells which write a finding about stored state shows to be lost, and how much of it. */

/** Returns the members of the object at a pointer into a body; undefined if the body is cut off or holds none. */
function membersOf(text: string | undefined, pointer: string): Members | undefined {
  const found = parsedJson(jsonAt(text ?? '', pointer) ?? '');
  return isObject(found) ? found : undefined;
}

const shownBy = ({ response }: Exchange, pointer: string): Members | undefined =>
  membersOf(response?.body.text, pointer);

/**
 * True if a finding shows that nothing of a write was stored: of the fields that the write changed, the accused one is
 * not the only one that is as it was before. Needs the readings before and after the write.
 */
function isLostWhole({ fault, pointer, steps = [], exchange }: ReportedFinding): boolean {
  const [, entity, member = ''] = /^(\/data(?:\/\d+)?)\/([^/]+)/.exec(pointer) ?? [];
  const write = steps.findLast(one => isWrite(one.exchange));
  const [first] = steps;
  if (fault?.kind !== 'lost' || entity === undefined || !exchange) return false;
  if (!write || !first || first === write) return false;
  const sent = membersOf(write.exchange.request.body?.text, '');
  const [before, after] = [first.exchange, exchange].map(one => shownBy(one, entity));
  if (!sent || !before || !after) return false;
  const others = Object.keys(sent).filter(
    name => name !== member && Object.hasOwn(before, name) && !same(sent[name] as Json, before[name] as Json),
  );
  return others.length > 0 && others.every(name => same(after[name] as Json, before[name] as Json));
}

/**
 * Returns the operation that set the expected value of a finding without a body, as disabling sets `isEnabled`;
 * undefined if there is none.
 */
export function undoneBy({ fault, steps = [] }: ReportedFinding): EndpointId | undefined {
  if (fault?.expected === undefined) return undefined;
  const shown = JSON.stringify(fault.expected);
  const set = steps.findLast(one => one.shown === shown && isWrite(one.exchange));
  const operation = operationOf(set?.exchange)?.endpoint;
  return operation && !endpoints[operation].body ? operation : undefined;
}

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
