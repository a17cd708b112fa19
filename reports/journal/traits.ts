import { endpoints } from '../../contracts/endpoints.ts';
import { sameThing } from '../../contracts/fields.ts';
import { membersOf, parsedJson } from '../../contracts/json.ts';
import { type OperationAt, operationAt } from '../../contracts/operation-at.ts';
import { deepestDifference } from '../../contracts/pointer.ts';
import type { Deviation, Exchange } from '../../contracts/report/evidence.ts';
import { differBeyondAscii } from '../text/beyond-ascii.ts';
import { type ReportedFinding, sameEnds } from '../text/finding-text.ts';
import { pathOf } from '../text/page.ts';
import { deviationOf, typeOf } from '../text/symptom.ts';
import type { NamedFinding } from './selections.ts';
/** The traits by which findings are compared to tell whether they have one defect in common. */

/** Families of general requirements; all others concern one field or one operation. */
export const broad = new Set(
  'service envelope echo presence identity reject accept robust auth state pagination meaning client'.split(' '),
);

const familyOf = (requirement: string): string => requirement.split('.')[0] ?? '';

/** True if a finding accuses the documented shape of a member. */
export const isOfShape = (finding: ReportedFinding): boolean =>
  deviationOf(finding) === 'value' && !broad.has(familyOf(finding.requirement));

const withoutPositions = (pointer: string): string => pointer.replace(/\/(\d+|\*)(?=\/|$)/g, '');

/** Returns the operation of a request by its method and route, whichever check sent it. */
export function operationOf(exchange: Exchange | undefined): OperationAt | undefined {
  if (!exchange) return undefined;
  const { method, url } = exchange.request;
  const path = pathOf(url).split('?')[0] ?? '';
  // Ignore the path of the base URL.
  return operationAt(method, path.slice(Math.max(0, path.lastIndexOf('/console/v1/'))));
}

/** Returns what a server does to a value: how its type, or the length of its text, changes. */
function becameOf(expected: unknown, got: unknown): string {
  const { one, other } = deepestDifference(expected, got);
  if (typeof one !== 'string' || typeof other !== 'string') return `${typeOf(one)} as ${typeOf(other)}`;
  if (one.startsWith(other)) return 'a beginning';
  return one.length === other.length
    ? 'other characters'
    : one.length > other.length
      ? 'a shorter text'
      : 'a longer text';
}

/** Returns the id of the entity that an answer shows. */
const idIn = (exchange: Exchange | undefined): unknown =>
  membersOf(membersOf(parsedJson(exchange?.response?.body.text ?? '')).data).id;

/**
 * Returns the `Age` of an answer that a cache has kept (RFC 9111, section 5.1), in seconds; undefined if the service may
 * have answered.
 */
export function ageOf(exchange: Exchange | undefined): number | undefined {
  const age = Number(exchange?.response?.headers.find(({ name }) => name.toLowerCase() === 'age')?.value);
  return age > 0 ? age : undefined;
}

/** Returns a finding with what the rules need to know of it. */
export function traitOf(one: NamedFinding) {
  const { endpoint, finding } = one;
  const at = endpoint.id;
  const { requirement, pointer, counterexample, fault, exchange, seen } = finding;
  const { resource } = endpoints[at];
  const sentTo = operationOf(exchange);
  const operation = sentTo?.endpoint ?? at;
  const place = withoutPositions(pointer);
  const field = withoutPositions(counterexample?.pointer ?? '');
  const sent = counterexample?.sent;
  return {
    one,
    at,
    requirement,
    resource,
    fault,
    sent,
    family: familyOf(requirement),
    deviation: deviationOf(finding),
    /** The field of the request that the case was about, without positions; empty: none. */
    field,
    /** The accused place in the answer, without positions. */
    place,
    /** The accused member by kind of entity, whichever operation shows it. */
    member: `${resource} ${place}`,
    /** The operation whose answer is accused. */
    operation,
    /** That operation with the name of the entity that its path has. */
    entity: `${operation} ${sentTo?.param}`,
    /** The answer shows the entity that was asked for. */
    isAsAsked: sentTo?.param !== undefined && idIn(exchange) === sentTo.param,
    status: exchange?.response?.status ?? 0,
    /** A cache answered, in the place of the service. */
    isCached: ageOf(exchange) !== undefined,
    /** What became of a value: findings of one defect have this in common. */
    became: fault?.kind === 'value' ? becameOf(fault.expected, fault.got) : fault?.kind,
    /** It was not seen each time. */
    isUnsteady: (seen?.times ?? 1) < (seen?.of ?? 1),
    /** It was seen several times, each time. */
    isSteady: seen !== undefined && seen.of > 1 && seen.times === seen.of,
    /** It came from a case about something else: a sequence, another operation, the request before it. */
    isPassing: (field === '' && Array.isArray(sent)) || operation !== at || requirement === 'robust.alive-after',
  };
}

/** A finding with what the rules need to know of it. */
export type Trait = ReturnType<typeof traitOf>;

/** True if the case of a finding sent the very member that is accused. */
export const isOfCase = ({ pointer, counterexample }: ReportedFinding): boolean =>
  counterexample !== undefined &&
  counterexample.pointer !== '' &&
  withoutPositions(pointer).endsWith(withoutPositions(counterexample.pointer));

/** True if a finding shows a text whose non-ASCII characters differ from those sent. */
export function isGarbled(finding: ReportedFinding): boolean {
  const { requirement, fault, counterexample } = finding;
  if (fault?.kind !== 'value' && fault?.kind !== 'lost') return false;
  const { got, expected = isOfCase(finding) ? counterexample?.sent : undefined } = fault;
  // For long values a finding has only words: the requirement tells the kind of text.
  if (expected === undefined || got === undefined) return requirement === 'echo.unicode';
  return differBeyondAscii(expected, got);
}

/** True if a text came back with other blanks, and is the same in all else. */
export function isOfBlanks(fault: ReportedFinding['fault']): boolean {
  if (fault?.kind !== 'value' || typeof fault.expected !== 'string' || typeof fault.got !== 'string') return false;
  const [expected, got] = [fault.expected, fault.got].map(text => text.replace(/\s+/g, ''));
  return expected === got;
}

/** Minimum number of characters of a part of a text that tells a defect: any text may lose or gain a blank. */
const leastRewritten = 2;

/** Names the part of a text that came back otherwise, and what it became; `false` for other faults. */
export function rewritten(fault: ReportedFinding['fault']): string | false {
  if (fault?.kind !== 'value' && fault?.kind !== 'lost') return false;
  const { expected, got } = fault;
  if (typeof expected !== 'string' || typeof got !== 'string') return false;
  const [should, is] = [Array.from(expected), Array.from(got)];
  const { head, tail } = sameEnds(should, is);
  const [part, became] = [should, is].map(text => text.slice(head, text.length - tail)) as [string[], string[]];
  // A text that has nothing in common with the other is another value.
  const isWithin = head > 0 && tail > 0 && part.length >= leastRewritten && became.length > 0;
  return isWithin && `text ${part.join('')} ${became.join('')}`;
}

/** Matches a character that is written as an escape: `\u0041`. */
const escaped = /\\u[0-9a-f]{4}/gi;

const escapesIn = (value: unknown): number => (typeof value === 'string' ? (value.match(escaped)?.length ?? 0) : 0);

/** True if a request whose characters are written as escapes was not taken for the same as without. */
export const isOfEscapes = ({ requirement, exchange }: ReportedFinding): boolean =>
  requirement === 'robust.same-json' && escapesIn(exchange?.request.body?.text) > 0;

/** True if a text that looks like an escape came back as something else. */
export const losesEscapes = ({ fault }: ReportedFinding): boolean =>
  (fault?.kind === 'value' || fault?.kind === 'lost') && escapesIn(fault.got) < escapesIn(fault.expected);

/** Returns where a request carries a key that must not count: in one header, whatever its scheme, or as a rule says. */
export const carrierOf = ({ requirement, exchange }: ReportedFinding): string =>
  exchange?.request.headers.some(({ name }) => name.toLowerCase() === 'authorization') ? 'authorization' : requirement;

/** Number of characters from which a text is sent for its length. */
const longText = 100;

/** Names an answer by the value of a field of its request: a long text by its length, whatever it says. */
export function sentIn({ at, deviation }: Trait, field: string, value: unknown): string {
  const length = typeof value === 'string' ? Array.from(value).length : 0;
  return `sent ${at} ${deviation} ${field} ${length < longText ? JSON.stringify(value) : length}`;
}

/**
 * Returns the type of the value that was accepted or shown against the rule of a field; undefined if there was none.
 */
export function breachOf({ fault, sent, deviation, field, place }: Trait): string | undefined {
  if (deviation === 'accepted' && field !== '') return typeOf(sent);
  return deviation === 'value' && fault?.kind === 'constraint' && place !== '' ? typeOf(fault.got) : undefined;
}

/**
 * Names the field of a case about a stored value: of a body with every field each is stored by itself, and members that
 * name the same thing together.
 */
export const storedAlone = ({ family, deviation, field }: Trait): string =>
  family === 'state' && deviation === 'value'
    ? (sameThing.find(names => names.includes(field.slice(1))) ?? [field]).join()
    : '';

/**
 * Returns the misshapen members at or below the accused member. A whole list of entities does not count as their
 * parent, and a member shown with another type does not match.
 */
export const shapesIn = (
  { member, place, fault }: Trait,
  misshapen: ReadonlyMap<string, ReadonlySet<string>>,
): string[] => {
  const { got } = fault ?? {};
  const isWhole = place === '' || place === '/data';
  return [...misshapen].flatMap(([one, types]) =>
    (one === member && (got === undefined || types.has(typeOf(got)) || types.has('undefined'))) ||
    (!isWhole && one.startsWith(`${member}/`))
      ? [one]
      : [],
  );
};

/** Requirements with deviations, the most harmful first. The first row that matches counts. */
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

/** Returns how harmful the defect of a finding is: less is worse. */
export function harmOf(finding: ReportedFinding): number {
  const deviation = deviationOf(finding);
  return worstFirst.findIndex(
    ([, requirement, ...deviations]) =>
      requirement.test(finding.requirement) && (deviations.length === 0 || deviations.includes(deviation)),
  );
}
