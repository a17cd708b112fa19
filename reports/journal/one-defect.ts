import { endpoints } from '../../contracts/endpoints.ts';
import { grouped } from '../../contracts/grouped.ts';
import { operationAt } from '../../contracts/operation-at.ts';
import type { Deviation, Exchange } from '../../contracts/report/evidence.ts';
import { pathOf } from '../text/path.ts';
import { deviationOf } from '../text/symptom.ts';
import type { NamedFinding } from './causes.ts';

/**
 * Tells which findings one defect explains. Findings are joined by what they have in common, a few rules one after
 * another; what nothing joins is a defect of its own.
 */

/** Families of requirements that speak of everything; any other requirement is about one field, or one operation. */
const broad = new Set(
  'service envelope echo presence identity reject accept robust auth state pagination meaning client'.split(' '),
);

const familyOf = (requirement: string): string => requirement.split('.')[0] ?? '';

/** True of a finding that accuses the documented shape of a member: who compares it sees no more than that. */
export const isOfShape = (finding: NamedFinding['finding']): boolean =>
  deviationOf(finding) === 'value' && !broad.has(familyOf(finding.requirement));

/** A finding with what the rules ask of it. */
interface Trait {
  readonly one: NamedFinding;
  readonly family: string;
  readonly deviation: Deviation;
  /** The field of the request that the case was about, positions left out; empty: none. */
  readonly field: string;
  /** The accused place in the answer, positions left out. */
  readonly place: string;
}

const withoutPositions = (pointer: string): string => pointer.replace(/\/(\d+|\*)(?=\/|$)/g, '');

function traitOf(one: NamedFinding): Trait {
  const { requirement, pointer, counterexample } = one.finding;
  return {
    one,
    family: familyOf(requirement),
    deviation: deviationOf(one.finding),
    field: withoutPositions(counterexample?.pointer ?? ''),
    place: withoutPositions(pointer),
  };
}

/** What is wrong with the frame of an answer: nothing in it can be right. */
const ruins = /^envelope\.(json|object|data|data-shape|pagination|success-2xx)$/;

/** Requirements that say the same of different requests. */
// biome-ignore format: a table
const sameRule: readonly (readonly [name: string, requirements: RegExp])[] = [
  ['header names', /^auth\.header-case$|^robust\.same-headers$/],
];

/** That a write is stored: what is lost of writes one after another is lost of writes at once, too. */
const isLost = /^state\.(patch-every-sent|qualifying-event-visible|metric-listed|concurrent-answers)$/;

/** The endpoints whose answers have a broken frame, those that show things under another name, and more of the kind. */
interface Broken {
  readonly ruined: ReadonlySet<string>;
  readonly misnamed: ReadonlySet<string>;
  /** Members that have another shape than documented, by `memberOf`. */
  readonly misshapen: ReadonlySet<string>;
  /** Operations that fail only sometimes. */
  readonly unsteady: ReadonlySet<string>;
}

/** The operation that a request asks for, whichever check sends it: its method and route. */
function operationOf(exchange: Exchange | undefined, otherwise: string): string {
  if (exchange === undefined) return otherwise;
  const { method, url } = exchange.request;
  const path = pathOf(url).split('?')[0] ?? '';
  // Below whatever path the base URL has.
  const found = operationAt(method, path.slice(Math.max(0, path.lastIndexOf('/console/v1/'))));
  return found?.endpoint ?? otherwise;
}

/** The member of a kind of entity that a finding accuses, whichever operation shows it. */
const memberOf = ({ one, place }: Trait): string => `${endpoints[one.endpoint.id].resource} ${place}`;

/** Names what a finding has in common with others of the same defect. Two that have one of these names are joined. */
function namesOf(trait: Trait, { ruined, misnamed, misshapen, unsteady }: Broken): string[] {
  const { one, family, deviation, field, place } = trait;
  const { endpoint, finding } = one;
  const { requirement, counterexample } = finding;
  const at = endpoint.id;
  const inCase = `${counterexample?.unit ?? one.check.id} ${counterexample?.path}`;
  const sent = JSON.stringify(counterexample?.sent);
  const operation = operationOf(finding.exchange, at);
  return [
    ...sameRule.flatMap(([name, rows]) => (rows.test(requirement) ? [`same ${name} ${deviation}`] : [])),
    // A rule of a sequence is about one operation, however it is found.
    ...(family === 'state' && deviation !== 'value' ? [`sequence ${at} ${requirement} ${deviation}`] : []),
    ...(isLost.test(requirement) ? [`lost ${at} ${deviation}`] : []),
    // What has another shape has it wherever it is shown or compared.
    ...(deviation === 'value' && misshapen.has(memberOf(trait)) ? [`shape ${memberOf(trait)}`] : []),
    // What fails now and then does so whatever is asked of it.
    ...(deviation === 'failed' && unsteady.has(operation) ? [`unsteady ${operation}`] : []),
    // A rule of one field, or of one operation, is broken in the same way wherever it is.
    ...(broad.has(family) ? [] : [`rule ${requirement} ${deviation}`]),
    // Who comes in with one wrong key comes in with others.
    ...(family === 'auth' ? [`auth ${requirement} ${deviation}`, `auth at ${at} ${deviation}`] : []),
    // Who comes in has an effect, whichever check reads of it.
    ...(family === 'auth' && deviation !== 'refused' ? [`let in at ${operation}`] : []),
    // The figures of a page follow from one another.
    ...(family === 'pagination' ? [`pages ${at}`] : []),
    // What goes by another name is not found where it is looked for.
    ...(family === 'identity' || (misnamed.has(at) && family === 'state') ? [`name ${at}`] : []),
    ...(family === 'envelope' || (ruined.has(at) && deviation === 'value') ? [`frame ${at}`] : []),
    // The same field of several operations, or of one: the same code.
    ...(broad.has(family) && field !== '' ? [`field ${requirement} ${deviation} ${field}`] : []),
    ...(field !== '' && deviation !== 'value' ? [`sent ${at} ${deviation} ${field} ${sent}`] : []),
    ...(deviation === 'value' ? [`place ${at} ${place}`] : []),
    // One request that shows several breaches of one requirement.
    `case ${at} ${requirement} ${deviation} ${inCase}`,
  ];
}

/** From so many endpoints, or fields of one endpoint, on a requirement is broken everywhere by one defect. */
const everywhere = { endpoints: 3, fields: 3, ofCheck: 4 } as const;

/** Groups findings by defect, in the order of their first. */
export function oneDefectEach(findings: readonly NamedFinding[]): NamedFinding[][] {
  const traits = findings.map(traitOf);
  const where = (isBroken: (requirement: string) => boolean) =>
    new Set(traits.flatMap(({ one }) => (isBroken(one.finding.requirement) ? [one.endpoint.id] : [])));
  const isUnsteady = ({ one: { finding } }: Trait) => (finding.seen?.times ?? 1) < (finding.seen?.of ?? 1);
  const failed = traits.filter(({ deviation }) => deviation === 'failed');
  const broken: Broken = {
    ruined: where(id => ruins.test(id)),
    misnamed: where(id => id.startsWith('identity.')),
    misshapen: new Set(traits.filter(({ one }) => isOfShape(one.finding)).map(memberOf)),
    unsteady: new Set(failed.filter(isUnsteady).map(({ one }) => operationOf(one.finding.exchange, one.endpoint.id))),
  };
  const sets = disjoint(traits);
  const named = traits.flatMap(trait => namesOf(trait, broken).map(name => ({ name, trait })));
  for (const own of grouped(named, ({ name }) => name).values()) sets.join(own.map(({ trait }) => trait));
  /** Joins those that are alike where they lie in so many different places. */
  const joinWhere = (alike: (trait: Trait) => string, places: (trait: Trait) => unknown, least: number) => {
    for (const own of grouped(traits, alike).values()) if (new Set(own.map(places)).size >= least) sets.join(own);
  };
  const rule = ({ one, deviation }: Trait) => `${one.finding.requirement} ${deviation}`;
  joinWhere(rule, ({ one }) => one.endpoint.id, everywhere.endpoints);
  joinWhere(trait => `${trait.one.endpoint.id} ${rule(trait)}`, sets.rootOf, everywhere.fields);
  // What one client does wrong in many ways is many mistakes.
  joinWhere(
    ({ one, deviation }) => `${one.check.id} ${deviation}${one.check.side === 'client' ? one.name : ''}`,
    sets.rootOf,
    everywhere.ofCheck,
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
