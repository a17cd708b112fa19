import { type EndpointId, endpoints } from '../../contracts/endpoints.ts';
import { grouped } from '../../contracts/grouped.ts';
import { isObject } from '../../contracts/json.ts';
import { compact } from '../../contracts/present.ts';
import type { DiscrepancyKind } from '../../contracts/report/evidence.ts';
import { type Broken, brokenIn, isAtOnce, shownAt } from './broken.ts';
import type { NamedFinding } from './selections.ts';
import {
  breachOf,
  broad,
  isGarbled,
  isPassing,
  isUnsteady,
  memberOf,
  operationFor,
  sentIn,
  shapesIn,
  type Trait,
  traitOf,
} from './traits.ts';

/**
 * Tells which findings one defect explains. Findings are joined by what they have in common, a few rules one after
 * another; what nothing joins is a defect of its own.
 */

/** Requirements that say the same of different requests. */
const sameHeaders = /^auth\.header-case$|^robust\.same-headers$/;

/** A write is stored. A write that is lost in sequence is lost among concurrent ones as well. */
const isLost = /^state\.(patch-every-sent|qualifying-event-visible|metric-listed|concurrent-answers)$/;

const isDry = /^state\.dry-run-/;

/** Which entities a list holds: a list of wrong entities lacks the right ones. */
const isListed = /^state\.(lineage-truth|metric-listed)$/;

/** A finding, what is broken besides, and what the rules ask of both. */
interface Facts extends Trait, Broken {
  readonly at: EndpointId;
  readonly requirement: string;
  readonly kind: DiscrepancyKind | undefined;
  readonly sent: unknown;
  readonly resource: string;
  readonly member: string;
  readonly operation: string;
  /** A value is shown that breaks a rule of state. */
  readonly isStale: boolean;
}

function factsOf(trait: Trait, broken: Broken): Facts {
  const { endpoint, finding } = trait.one;
  return {
    ...trait,
    ...broken,
    at: endpoint.id,
    requirement: finding.requirement,
    kind: finding.fault?.kind,
    sent: finding.counterexample?.sent,
    resource: endpoints[endpoint.id].resource,
    member: memberOf(trait),
    operation: operationFor(trait),
    isStale: trait.family === 'state' && trait.deviation === 'value',
  };
}

/** Names what a finding has in common with others of the same defect; `false` where a rule does not apply. */
type Rules = (facts: Facts) => readonly (string | false)[];

/** Rules of what was stored: a member, an entity, a sequence. */
const ofState: Rules = facts => {
  const { requirement, at, deviation, kind, family, place, resource, member, mixedUp, isStale, operation } = facts;
  const { fault } = facts.one.finding;
  const expected = shownAt(member, fault?.expected);
  return [
    // A rule of a sequence is about one operation, however it is found.
    family === 'state' && deviation !== 'value' && `sequence ${at} ${requirement} ${deviation}`,
    isLost.test(requirement) && `lost ${at} ${deviation}`,
    kind === 'lost' && `lost ${member}`,
    // An unsteady value, or a later write to the member, has the same cause.
    (isAtOnce.test(requirement) ||
      (deviation === 'value' && isUnsteady(facts) && mixedUp.has(resource)) ||
      (family === 'state' && mixedUp.has(member))) &&
      `at once ${resource}`,
    isListed.test(requirement) && `listed ${resource}`,
    // One rule about one member, whichever operation shows it.
    isStale && `member ${requirement} ${member}`,
    // A request that is carried out though it is refused changes all that it carries.
    kind === 'trace' && `trace ${at} ${requirement}`,
    // What one operation shows wrongly, the next reading is held against.
    family === 'state' && expected !== false && facts.shownInstead.has(expected) && expected,
    family === 'state' && shownAt(member, fault?.got),
    // An entity that a dry run stored is found, and conflicts with others.
    isDry.test(requirement) && `dry ${requirement}`,
    family === 'state' && place.startsWith('/pagination/') && `pages ${operation}`,
  ];
};

/** Rules of what was sent: a field, a whole request, a key. */
const ofRequests: Rules = facts => {
  const { requirement, at, deviation, family, field, sent, alone, operation, isStale } = facts;
  return [
    sameHeaders.test(requirement) && `same header names ${deviation}`,
    // The effect of a request that was accepted and must not be.
    field !== '' &&
      (deviation === 'accepted' || isStale || requirement === 'reject.well-typed-if-accepted') &&
      `came of ${at} ${field} ${JSON.stringify(sent)}`,
    // A value that is refused is refused in whatever holds it.
    deviation === 'refused' && field !== '' && `refused ${at} ${field}`,
    // A whole request is refused for what it holds, and a combination for the field that is refused alone.
    ...(deviation !== 'value' && field === '' && isObject(sent)
      ? [
          sentIn(facts, '', sent),
          ...Object.entries(sent)
            .map(([name, value]) => sentIn(facts, `/${name}`, value))
            .filter(name => alone.has(name)),
        ]
      : []),
    // A server that takes one wrong key takes others.
    family === 'auth' && `auth ${requirement} ${deviation}`,
    family === 'auth' && `auth at ${at} ${deviation}`,
    // A request that is let in has an effect, whichever check reads it.
    family === 'auth' && deviation !== 'refused' && `let in at ${operation}`,
    // The same field of several operations, or of one: the same code.
    broad.has(family) && field !== '' && `field ${requirement} ${deviation} ${field}`,
    field !== '' && deviation !== 'value' && sentIn(facts, field, sent),
  ];
};

/** Rules of what was answered: the frame, a failure, a member of a wrong shape. */
const ofAnswers: Rules = facts => {
  const { requirement, at, deviation, kind, family, place, operation } = facts;
  const { ruined, misnamed, misnamedAt, misshapen, unsteady, failing, one, resource } = facts;
  const { counterexample } = one.finding;
  const breach = breachOf(facts);
  return [
    // A member of a wrong shape is wrong wherever it is shown, alone or within its parent.
    ...(deviation === 'value' ? shapesIn(facts, misshapen).map(member => `shape ${member}`) : []),
    // A value that is accepted against a rule is shown afterwards.
    !broad.has(family) && breach !== undefined && `breach ${requirement} ${breach}`,
    // An unreadable body breaks every rule about the answer.
    kind === 'body' && `unreadable ${operation}`,
    // An operation that fails inside other cases is the one that fails alone.
    failing.has(operation) &&
      (deviation === 'failed'
        ? isPassing(facts) || failing.get(operation)?.one === one
        : deviation === 'frame' && (one.finding.exchange?.response?.status ?? 0) >= 500) &&
      `failing ${operation}`,
    // An operation that fails now and then fails for any request.
    deviation === 'failed' && unsteady.has(operation) && `unsteady ${operation}`,
    // A rule of one field, or of one operation, is broken in the same way wherever it is.
    !broad.has(family) && `rule ${requirement} ${deviation}`,
    // The figures of a page follow from one another.
    family === 'pagination' && `pages ${at}`,
    // A renamed member is missing where it is looked for: the same defect.
    (family === 'identity' || (misnamed.has(at) && family === 'state')) && `name ${at}`,
    family === 'state' &&
      misnamedAt.has(resource) &&
      (kind === 'missing' || /\/(id|name)$/.test(place)) &&
      `name ${misnamedAt.get(resource)}`,
    (family === 'envelope' || (ruined.has(at) && deviation === 'value')) && `frame ${at}`,
    deviation === 'value' && `place ${at} ${place}`,
    // One character set is taken for another, wherever a text stands.
    isGarbled(one.finding) && 'beyond ASCII',
    // One request that shows several breaches of one requirement.
    `case ${at} ${requirement} ${deviation} ${counterexample?.unit ?? one.check.id} ${counterexample?.path}`,
  ];
};

/** Names what a finding has in common with others of the same defect. Two that have one of these names are joined. */
function namesOf(trait: Trait, broken: Broken): string[] {
  const facts = factsOf(trait, broken);
  return compact([ofState, ofRequests, ofAnswers].flatMap(rules => rules(facts)));
}

/** From so many endpoints, or fields of one endpoint, on a requirement is broken everywhere by one defect. */
const everywhere = { endpoints: 3, fields: 3, ofCheck: 4 } as const;

/** Groups findings by defect, in the order of their first. */
export function oneDefectEach(findings: readonly NamedFinding[]): NamedFinding[][] {
  const traits = findings.map(traitOf);
  const broken = brokenIn(traits);
  const sets = disjoint(traits);
  const named = traits.flatMap(trait => namesOf(trait, broken).map(name => ({ name, trait })));
  for (const own of grouped(named, ({ name }) => name).values()) sets.join(own.map(({ trait }) => trait));
  /** Joins those that are alike where they lie in so many different places. */
  const joinWhere = (alike: (trait: Trait) => string, places: (trait: Trait) => unknown, least: number) => {
    for (const own of grouped(traits, alike).values()) if (new Set(own.map(places)).size >= least) sets.join(own);
  };
  // A server that does not know a method (501) does not fail at it.
  const rule = ({ one, deviation }: Trait) =>
    `${one.finding.requirement} ${deviation}${one.finding.exchange?.response?.status === 501 ? ' unknown' : ''}`;
  joinWhere(rule, ({ one }) => one.endpoint.id, everywhere.endpoints);
  joinWhere(trait => `${trait.one.endpoint.id} ${rule(trait)}`, sets.rootOf, everywhere.fields);
  // Each mistake of a client is a defect of its own.
  joinWhere(
    ({ one, deviation }) => `${one.check.id} ${deviation}${one.check.side === 'client' ? one.name : ''}`,
    sets.rootOf,
    everywhere.ofCheck,
  );
  // Members that are left out of the answers that a rule is about.
  joinWhere(
    trait =>
      trait.one.finding.fault?.kind === 'missing' ? `absent ${trait.one.endpoint.id} ${rule(trait)}` : trait.one.name,
    sets.rootOf,
    2,
  );
  return [...grouped(traits, trait => String(sets.rootOf(trait))).values()].map(own => own.map(({ one }) => one));
}

/** Sets of traits, each alone at first; `rootOf` is the same for all of one set. */
function disjoint(traits: readonly Trait[]) {
  const parents = traits.map((_, index) => index);
  const places = new Map(traits.map((trait, index) => [trait, index]));
  function root(index: number): number {
    let at = index;
    for (let parent = parents[at]; parent !== undefined && parent !== at; parent = parents[at]) at = parent;
    parents[index] = at;
    return at;
  }
  const rootOf = (trait: Trait): number => root(places.get(trait) ?? 0);
  return {
    rootOf,
    join(own: readonly Trait[]): void {
      const roots = own.map(rootOf);
      const lowest = Math.min(...roots);
      for (const one of roots) parents[one] = lowest;
    },
  };
}
