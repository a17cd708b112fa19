import { endpoints } from '../../contracts/endpoints.ts';
import { grouped } from '../../contracts/grouped.ts';
import { isObject } from '../../contracts/json.ts';
import { compact } from '../../contracts/present.ts';
import { typeOf } from '../text/symptom.ts';
import { type Broken, brokenIn, isAtOnce, refusedAround, shownAt, undoneBy } from './broken.ts';
import { disjoint } from './disjoint.ts';
import type { NamedFinding } from './selections.ts';
import {
  breachOf,
  broad,
  carrierOf,
  isGarbled,
  isOfBlanks,
  isOfEscapes,
  losesEscapes,
  rewritten,
  sentIn,
  shapesIn,
  storedAlone,
  type Trait,
  traitOf,
} from './traits.ts';

/**
 * Tells which findings have one defect in common. Rules give each finding names; findings that share a name are joined.
 * The others are defects of their own.
 */

/** Requirements that say the same about different requests. */
const sameHeaders = /^auth\.header-case$|^robust\.same-headers$/;

/** Every write must be stored. If it is lost in sequence, it is lost among concurrent writes too. */
const isLost = /^state\.(patch-every-sent|qualifying-event-visible|metric-listed|concurrent-answers)$/;

/** Places at which a key must not count. A server that takes it from one does not take it from the others. */
const isElsewhere = /^auth\.(key-in-(query|body)|bearer|other-carrier)$/;

const isDry = /^state\.dry-run-/;

/** True if an entity was created by a request that must not create any: it is shown, and conflicts with others. */
const isCreatedAnyway = ({ at, requirement }: Trait): boolean =>
  isDry.test(requirement) || (requirement === 'reject.no-trace' && endpoints[at].effect === 'additive');

/** Which entities a list holds: a list of wrong entities lacks the right ones. */
const isListed = /^state\.(lineage-truth|metric-listed)$/;

/** Returns a finding with the facts of the others. */
function factsOf(trait: Trait, broken: Broken) {
  const { family, deviation, fault } = trait;
  return {
    ...trait,
    ...broken,
    kind: fault?.kind,
    /** A value is shown that breaks a rule of state. */
    isStale: family === 'state' && deviation === 'value',
    /** It is an earlier value, of the right type. */
    isEarlier: fault?.kind === 'lost' && typeOf(fault.expected) === typeOf(fault.got),
  };
}

type Facts = ReturnType<typeof factsOf>;

/** Returns the names that a finding shares with others of the same defect; `false` for a rule that does not apply. */
type Rules = (facts: Facts) => readonly (string | false)[];

/** Rules about stored state: a member, an entity, a sequence. */
const ofState: Rules = facts => {
  const { requirement, at, deviation, kind, family, place, resource, member, mixedUp, isStale, operation } = facts;
  const { fault, isUnsteady } = facts;
  const undone = family === 'state' && kind !== 'trace' ? undoneBy(facts.one.finding) : undefined;
  const expected = shownAt(member, fault?.expected);
  const shown = `${member} ${JSON.stringify(fault?.got)}`;
  return [
    // A rule about a sequence concerns one operation, however it is found.
    family === 'state' && deviation !== 'value' && `sequence ${at} ${requirement} ${deviation}`,
    isLost.test(requirement) && `lost ${at} ${place} ${deviation}`,
    kind === 'lost' && `lost ${member}`,
    // A write of which nothing is stored loses every field that it carries.
    kind === 'lost' && facts.losing.has(at) && `lost whole ${at}`,
    // A value that an operation sets by itself is gone, whichever request shows it.
    undone !== undefined && `undone ${undone} ${place}`,
    // An unsteady value, or a later write to the member, has the same cause.
    (isAtOnce.test(requirement) ||
      (deviation === 'value' && isUnsteady && mixedUp.has(resource)) ||
      (family === 'state' &&
        (facts.isSteady ? [`${at} ${member}`, shown] : [member]).some(name => mixedUp.has(name)))) &&
      `at once ${resource}`,
    isListed.test(requirement) && `listed ${resource}`,
    // One rule about one member is one defect, whichever operation shows it.
    isStale && `member ${requirement} ${member}`,
    // A refused request that is carried out changes everything that it carries.
    kind === 'trace' && `trace ${at} ${requirement}`,
    // A value that one operation shows wrongly is expected in the next reading.
    family === 'state' && expected !== false && facts.shownInstead.has(expected) && expected,
    family === 'state' && shownAt(member, fault?.got),
    isCreatedAnyway(facts) && `created ${requirement}`,
    family === 'state' && place.startsWith('/pagination/') && `pages ${operation}`,
    // A cache that does not count the key, or keeps what writes have changed, is one cause.
    facts.isCached && (family === 'auth' || family === 'state') && 'cached',
  ];
};

/** Returns the length of a text that is refused: one operation may refuse the shortest, and another the longest. */
const boundOf = ({ deviation, sent }: Trait): number | string =>
  deviation === 'refused' && typeof sent === 'string' ? Array.from(sent).length : '';

/** Rules about requests: a field, a whole request, a key. */
const ofRequests: Rules = facts => {
  const { requirement, at, deviation, family, field, sent, alone, operation, isStale } = facts;
  // A member that is missing from other answers, or misshapen in them, is not so because of this request.
  const { member, absent, misshapen, place } = facts;
  const isOfAll = (facts.kind === 'missing' ? absent : misshapen).has(member) && !place.startsWith(`/data${field}`);
  const elsewhere =
    isElsewhere.test(requirement) && !facts.unguarded.has(facts.entity) ? carrierOf(facts.one.finding) : '';
  return [
    sameHeaders.test(requirement) && `same header names ${deviation}`,
    // The effects of a request that was wrongly accepted.
    field !== '' &&
      (deviation === 'accepted' || isStale || (requirement === 'reject.well-typed-if-accepted' && !isOfAll)) &&
      `came of ${at} ${field} ${JSON.stringify(sent)}`,
    // A value that is refused is refused in every request that holds it. A field that takes one wrong value takes others.
    (deviation === 'refused' || deviation === 'accepted') && field !== '' && `${deviation} ${at} ${field}`,
    // A whole request is refused because of its content; a combination, because of the field that is refused alone.
    ...(deviation !== 'value' && field === '' && isObject(sent)
      ? [
          sentIn(facts, '', sent),
          ...Object.entries(sent)
            .map(([name, value]) => sentIn(facts, `/${name}`, value))
            .filter(name => alone.has(name)),
        ]
      : []),
    // A value that is refused within a field may be why the whole field is.
    deviation === 'refused' && field !== '' && refusedAround(facts),
    // A server that takes one wrong key takes others. What a refused request leaves behind comes of one handler.
    family === 'auth' && `auth ${requirement} ${deviation} ${deviation === 'value' ? facts.resource : ''}`,
    family === 'auth' && `auth at ${at} ${deviation} ${elsewhere}`,
    // A request that is wrongly let in has an effect, whichever check reads it.
    family === 'auth' && deviation !== 'refused' && `let in at ${operation} ${elsewhere}`,
    // The same code handles the same field of one or several operations.
    broad.has(family) && field !== '' && `field ${requirement} ${deviation} ${field} ${boundOf(facts)}`,
    field !== '' && deviation !== 'value' && sentIn(facts, field, sent),
  ];
};

/** Sets apart a server that does not know a method (501): it does not fail at it. */
const ofMethod = ({ status }: Trait): string => (status === 501 ? ' unknown' : '');

/** Rules about answers: the frame, a failure, a misshapen member. */
const ofAnswers: Rules = facts => {
  const { requirement, at, deviation, kind, family, place, operation } = facts;
  const { ruined, misnamed, misnamedAt, misshapen, unsteady, failing, one, resource, status, fault } = facts;
  const { counterexample, exchange } = one.finding;
  const hasBody = (exchange?.request.body?.bytes ?? 0) > 0;
  const breach = breachOf(facts);
  const isEarlier = facts.isEarlier && (misshapen.has(facts.member) || facts.unshown.has(`${at} ${place}`));
  // A list may lack one entity, and have another too many.
  const spot = `${at} ${place}${kind === 'present' ? ' too many' : isOfBlanks(fault) ? ' but for blanks' : ''}`;
  return [
    // A misshapen member is wrong wherever it is shown, alone or within its parent.
    ...(deviation === 'value' && !facts.isEarlier ? shapesIn(facts, misshapen).map(member => `shape ${member}`) : []),
    // A value that is accepted against a rule is shown afterwards.
    !broad.has(family) && breach !== undefined && `breach ${requirement} ${breach}`,
    // An unreadable body breaks every rule about the answer, and that of a failure says nothing of other answers.
    kind === 'body' && `unreadable ${operation}${status >= 500 ? ' failing' : ''}`,
    // An operation that fails within other cases is the one that fails alone.
    failing.has(operation) &&
      (deviation === 'failed'
        ? facts.isPassing || failing.get(operation)?.one === one
        : deviation === 'frame' && status >= 500) &&
      `failing ${operation}${ofMethod(facts)}`,
    // A failure with a status of its own comes from one place.
    (deviation === 'failed' || deviation === 'frame') && status > 500 && `status ${operation} ${status}`,
    // An operation that fails only sometimes fails for any request.
    deviation === 'failed' && unsteady.has(operation) && `unsteady ${operation}`,
    // A rule about one field or operation has one cause, wherever it is broken.
    !broad.has(family) && `rule ${requirement} ${deviation}`,
    // The figures of a page depend on one another.
    family === 'pagination' && `pages ${at}`,
    // A renamed member also fails the presence check: same defect.
    (family === 'identity' || (misnamed.has(at) && family === 'state' && !facts.isAsAsked)) && `name ${at}`,
    // An answer about another entity, or to another request, shows all values of that one.
    (family === 'identity' || (misnamed.has(at) && family === 'echo')) && `other ${at} ${counterexample?.path}`,
    (kind === 'swapped' || (facts.swapped.has(at) && family === 'echo')) && `swapped ${at}`,
    family === 'state' &&
      misnamedAt.has(resource) &&
      (kind === 'missing' || /\/(id|name)$/.test(place)) &&
      `name ${misnamedAt.get(resource)}`,
    // A body that is JSON may be right but for its content type or status; a wrong value is shown in a whole frame.
    (family === 'envelope'
      ? (requirement !== 'envelope.content-type' || facts.unreadable.has(operation)) &&
        (requirement !== 'envelope.status-200' || status === 204)
      : ruined.has(at) && deviation === 'value' && fault?.got === undefined) && `frame ${at}`,
    deviation === 'value' && kind !== 'trace' && `place ${spot}${isEarlier ? ' earlier' : ''}`,
    // What a request without effect left behind is a change of state, and no matter of how an answer shows it.
    (kind === 'trace' || (family === 'state' && deviation === 'value')) && `left ${spot}`,
    // A wrong character set garbles texts everywhere.
    isGarbled(one.finding) && 'beyond ASCII',
    // An endpoint that reads escapes otherwise changes texts that look like one.
    facts.misreading.has(at) && (isOfEscapes(one.finding) || losesEscapes(one.finding)) && `escapes ${at}`,
    // One part of a text comes back otherwise, in whatever field it stands.
    deviation === 'value' && rewritten(fault),
    // An operation without a body fails at any body.
    deviation === 'failed' && !endpoints[at].body && hasBody && `failing body ${at} ${status}`,
    // One request may violate one requirement several times.
    `case ${at} ${requirement} ${deviation} ${counterexample?.unit ?? one.check.id} ${counterexample?.path} ${storedAlone(facts)}`,
  ];
};

/** Minimum number of places of one defect: endpoints, fields of one endpoint, groups of one check. */
const everywhere = { endpoints: 3, fields: 3, ofCheck: 4 } as const;

/** Groups findings by defect, in the order of their first finding. */
export function oneDefectEach(findings: readonly NamedFinding[]): NamedFinding[][] {
  const traits = findings.map(traitOf);
  const broken = brokenIn(traits);
  const sets = disjoint(traits, trait => {
    const facts = factsOf(trait, broken);
    return compact([ofState, ofRequests, ofAnswers].flatMap(rules => rules(facts)));
  });
  /** Joins findings that are alike if they lie in at least `least` different places. */
  const joinWhere = (alike: (trait: Trait) => string, places: (trait: Trait) => unknown, least: number) => {
    for (const own of grouped(traits, alike).values()) if (new Set(own.map(places)).size >= least) sets.join(own);
  };
  const howOf = (trait: Trait) => `${trait.deviation}${ofMethod(trait)}`;
  const rule = (trait: Trait) => `${trait.requirement} ${howOf(trait)}`;
  joinWhere(
    // Values come back otherwise, and servers fail, for many reasons: one defect does the same everywhere.
    trait =>
      `${rule(trait)} ${trait.family === 'echo' ? trait.became : trait.deviation === 'failed' ? trait.status : ''}`,
    ({ at }) => at,
    everywhere.endpoints,
  );
  const atOne = (trait: Trait): string => {
    const { one, fault, at, deviation } = trait;
    // What one request changes is joined already. What others change has other causes, and so has what is missing.
    if (fault?.kind === 'changed') return one.name;
    return `${at} ${deviation === 'failed' ? howOf(trait) : rule(trait)} ${fault?.kind === 'missing'}`;
  };
  joinWhere(atOne, sets.rootOf, everywhere.fields);
  // An operation that loses several members of what is written loses all.
  joinWhere(
    ({ one, at, requirement, deviation }) => (isLost.test(requirement) ? `lost ${at} ${deviation}` : one.name),
    ({ place }) => place,
    everywhere.fields,
  );
  // Each mistake of a client is a defect of its own.
  joinWhere(
    ({ one: { check, name }, deviation }) => `${check.id} ${deviation}${check.side === 'client' ? name : ''}`,
    sets.rootOf,
    everywhere.ofCheck,
  );
  // Members missing from the answers that a rule is about.
  joinWhere(
    trait => (trait.fault?.kind === 'missing' ? `absent ${trait.at} ${rule(trait)}` : trait.one.name),
    sets.rootOf,
    2,
  );
  return [...grouped(traits, sets.rootOf).values()].map(own => own.map(({ one }) => one));
}
