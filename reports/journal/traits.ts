import { endpoints } from '../../contracts/endpoints.ts';
import { operationAt } from '../../contracts/operation-at.ts';
import type { Deviation, Exchange } from '../../contracts/report/evidence.ts';
import { differBeyondAscii } from '../text/beyond-ascii.ts';
import type { ReportedFinding } from '../text/finding-text.ts';
import { pathOf } from '../text/page.ts';
import { deviationOf, typeOf } from '../text/symptom.ts';
import type { NamedFinding } from './selections.ts';
/** What is compared of findings to tell whether one defect explains them. */

/** Families of requirements that speak of everything; any other requirement is about one field, or one operation. */
export const broad = new Set(
  'service envelope echo presence identity reject accept robust auth state pagination meaning client'.split(' '),
);

const familyOf = (requirement: string): string => requirement.split('.')[0] ?? '';

/** True of a finding that accuses the documented shape of a member: who compares it sees no more than that. */
export const isOfShape = (finding: NamedFinding['finding']): boolean =>
  deviationOf(finding) === 'value' && !broad.has(familyOf(finding.requirement));

/** A finding with what the rules ask of it. */
export interface Trait {
  readonly one: NamedFinding;
  readonly family: string;
  readonly deviation: Deviation;
  /** The field of the request that the case was about, positions left out; empty: none. */
  readonly field: string;
  /** The accused place in the answer, positions left out. */
  readonly place: string;
}

const withoutPositions = (pointer: string): string => pointer.replace(/\/(\d+|\*)(?=\/|$)/g, '');

/** What is compared of a finding. */
export function traitOf(one: NamedFinding): Trait {
  const { requirement, pointer, counterexample } = one.finding;
  return {
    one,
    family: familyOf(requirement),
    deviation: deviationOf(one.finding),
    field: withoutPositions(counterexample?.pointer ?? ''),
    place: withoutPositions(pointer),
  };
}

/** True of a finding that shows a text whose characters beyond ASCII are others than were sent. */
export function isGarbled({ requirement, fault }: NamedFinding['finding']): boolean {
  if (fault?.kind !== 'value' && fault?.kind !== 'lost') return false;
  // Long values are told in words alone: the requirement says which kind of text it is.
  if (fault.expected === undefined || fault.got === undefined) return requirement === 'echo.unicode';
  return differBeyondAscii(fault.expected, fault.got);
}

/** True of a finding that was not seen each time. */
export const isUnsteady = ({ one: { finding } }: Trait): boolean =>
  (finding.seen?.times ?? 1) < (finding.seen?.of ?? 1);

/** Names an answer by what a field of its request held. */
export const sentIn = ({ one, deviation }: Trait, field: string, value: unknown): string =>
  `sent ${one.endpoint.id} ${deviation} ${field} ${JSON.stringify(value)}`;

/** The kind of the value that was accepted, or shown, against the rule of a field; undefined where none was. */
export function breachOf({ one: { finding }, deviation, field, place }: Trait): string | undefined {
  const { fault, counterexample } = finding;
  if (deviation === 'accepted' && field !== '') return typeOf(counterexample?.sent);
  return deviation === 'value' && fault?.kind === 'constraint' && place !== '' ? typeOf(fault.got) : undefined;
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

/** The operation whose answer a finding accuses. */
export const operationFor = ({ one }: Trait): string => operationOf(one.finding.exchange, one.endpoint.id);

/** Whether a finding came of a case about something else: a sequence, another operation, what was asked before it. */
export const isPassing = (trait: Trait): boolean =>
  (trait.field === '' && Array.isArray(trait.one.finding.counterexample?.sent)) ||
  operationFor(trait) !== trait.one.endpoint.id ||
  trait.one.finding.requirement === 'robust.alive-after';

/** The member of a kind of entity that a finding accuses, whichever operation shows it. */
export const memberOf = ({ one, place }: Trait): string => `${endpoints[one.endpoint.id].resource} ${place}`;

/**
 * The misshapen members that are a member, or that it holds: a list of entities by itself is none, nor a member that is
 * shown with a value of another type.
 */
export const shapesIn = (trait: Trait, misshapen: ReadonlyMap<string, ReadonlySet<string>>): string[] => {
  const member = memberOf(trait);
  const { got } = trait.one.finding.fault ?? {};
  const isWhole = trait.place === '' || trait.place === '/data';
  return [...misshapen].flatMap(([one, types]) =>
    (one === member && (got === undefined || types.has(typeOf(got)) || types.has('undefined'))) ||
    (!isWhole && one.startsWith(`${member}/`))
      ? [one]
      : [],
  );
};

/** Requirements, and the ways in which answers deviate from them, the most harmful first. The first row counts. */
// biome-ignore format: a table
const worstFirst: readonly (readonly [what: string, requirement: RegExp, ...deviations: Deviation[]])[] = [
  ['strangers come in',         /^auth\.(?!header-case)/],
  ['its insides are shown',     /^robust\.no-leak$/],
  ['data is lost or changed',   /^state\.|^reject\.no-trace$/,                               'value'],
  ['it fails',                  /./,                                                         'failed', 'unanswered'],
  ['no client can read it',     /^service\.route$|^envelope\.(?!content-type|message-readable)/],
  ['what is right is refused',  /./,                                                         'refused'],
  ['what is wrong is accepted', /./,                                                         'accepted'],
  ['another value comes back',  /^(echo|identity|state|accept)\./],
  ['a list is not whole',       /^pagination\./],
  ['a value has another shape', /^(?!message\.|envelope\.|meaning\.)/],
  ['words differ',              /./],
];

/** Returns how harmful what a finding shows is: less is worse. */
export function harmOf(finding: ReportedFinding): number {
  const deviation = deviationOf(finding);
  return worstFirst.findIndex(
    ([, requirement, ...deviations]) =>
      requirement.test(finding.requirement) && (deviations.length === 0 || deviations.includes(deviation)),
  );
}
