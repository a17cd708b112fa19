import type { EndpointId } from '../../../contracts/endpoints.ts';
import type { JsonObject } from '../../../contracts/json.ts';
import { putMember } from '../../../contracts/pointer.ts';
import { present } from '../../../contracts/present.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { linesIn, type NearChange, type NearChanges, references, schemaAt, takesNull } from '../../generators/index.ts';
import { isCircumstantial, isClientError } from '../../judge/outcome.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import { inWords } from '../../judge/words.ts';
import type { Answer, ApiRequest, RequestDescription } from '../../protocol/answer.ts';
import type { Change } from '../../protocol/base.ts';
import {
  type CheckContext,
  type CheckResult,
  covering,
  type Session,
  unproved,
  violation,
} from '../../protocol/check.ts';
import { unlessWithheld } from '../../protocol/stop.ts';
import { isBlockedRequest, minimalRequest } from '../../sut/minimal-request.ts';
import { parts, type SendChanged } from '../../sut/nearest.ts';
import { fixtureNames, subjectOf } from '../../sut/target.ts';
import { createsForGood } from './dry-run.ts';

/** The operations with an open requirement of their own about what a request must have. */
const openRequirement: Partial<Record<EndpointId, RequirementId>> = {
  'update-environments': 'open.environment-required',
  'create-prompt-version': 'open.prompt-required',
};

/** Returns the OPEN requirement about whether a request must have part of a field, or a field that another may need. */
export const openRequirementOf = (endpoint: EndpointId): RequirementId =>
  openRequirement[endpoint] ?? 'open.conditional-required';

/** A fixture, and the smallest request for it. */
export interface Subject {
  readonly param?: string | undefined;
  readonly body: JsonObject;
}

/** Returns the check's own fixture and the next one that the target file names, or its own twice. */
function subjectsOf({ target, discovered, endpoint, row, minimal }: CheckContext): readonly Subject[] {
  const own = ownSubject(minimal);
  const names = row.fixture === null ? [] : fixtureNames(target, row.fixture);
  for (const name of names) {
    const next = minimalRequest(target, discovered, endpoint, name);
    if (isBlockedRequest(next) || JSON.stringify(next) === JSON.stringify(minimal)) continue;
    return [own, ownSubject(next)];
  }
  return [own, own];
}

/** Returns the fixture of a smallest request. */
export const ownSubject = ({ param, body = {} }: CheckContext['minimal']): Subject => ({ param, body });

/** The context in which a base is searched for and judged. */
export interface Inquiry {
  readonly context: CheckContext;
  readonly session: Session;
  /** The changes that the target file declares as required. */
  readonly declared: readonly Change[];
  readonly near: NearChanges;
  /** Everything is sent as a dry run: nothing stays. */
  readonly isDry: boolean;
  send(subject: Subject, changes: readonly Change[], more?: Partial<ApiRequest>): Promise<Answer | null>;
}

/** Judges the changes of a base one by one, with the others in place. `was`: why it was looked for. */
export async function judgeAll(inquiry: Inquiry, changes: readonly NearChange[], was: string): Promise<CheckResult> {
  const results: CheckResult[] = [];
  for (const change of changes) {
    const rest = changes.filter(one => one !== change);
    results.push(await (change.was === undefined ? judgeAdded : judgeReplaced)(inquiry, change, rest, was));
  }
  return joined(results);
}

/** Returns the subject without a field. An empty gate patch would be another case: it sends the present state. */
function without({ param, body }: Subject, pointer: string, { context, session }: Inquiry): Subject {
  const rest = putMember(body, pointer, undefined);
  const isEmpty = context.endpoint === 'patch-gate' && Object.keys(rest).length === 0;
  const isEnabled = session.lastWritten(param ?? '')?.isEnabled === true;
  return { param, body: isEmpty ? { isEnabled } : rest };
}

/** Judges a field without which the request is refused. */
async function judgeAdded(inquiry: Inquiry, change: NearChange, rest: readonly Change[], was: string) {
  const { context, session, declared, near, isDry, send } = inquiry;
  const { endpoint, row } = context;
  const { field, pointer, becomes, isFree } = change;
  const first = pointer.replaceAll('*', '0');
  const { semantics } = schemaAt(row.body ?? {}, {}, first)?.annotation ?? {};
  const another = isDry || semantics !== 'guarded' ? change.another : undefined;
  const about: RequestDescription = { title: `without ${field}`, pointer: first };
  const [own, other] = subjectsOf(context).map(one => without(one, pointer, inquiry)) as [Subject, Subject];
  if (!isFree || openRequirement[endpoint] !== undefined) {
    const asks = { requirement: openRequirementOf(endpoint), subject: `a request without ${field}` };
    await send(own, rest, { asks });
    return { ...covering([], ['service.route']), because: `${was}; with ${field} it is accepted` };
  }
  let shown: Answer | undefined;
  // Once the field is stored as null, a second refusal cannot be about a value that the first null removed.
  const isKeptNull = becomes === null && !isDry && !createsForGood(context);
  for (const subject of createsForGood(context) && !isDry ? [own] : [own, other]) {
    for (const value of [becomes, another ?? becomes]) {
      const absent = await send(subject, rest, { about });
      if (absent?.success === true && shown === undefined) {
        session.bases?.set(endpoint, { changes: [...declared, ...rest], isJudged: true });
        return { ...covering([], []), because: `${was}; without ${field} too it is accepted now` };
      }
      if (absent?.success === true)
        return unproved(
          `without ${field} it is refused for ${own.param}, and accepted for ${subject.param}: it is about that fixture`,
        );
      const accepted = await send(subject, [...rest, { pointer, ...present({ becomes: value }) }]);
      if (!isRefusal(absent) || accepted?.success !== true)
        return unproved(`${was}; with ${field} it is accepted at times`);
      shown ??= absent;
    }
  }
  const others = near.more.filter(one => one.field !== field && one.isFree);
  const isAnyOfSeveral = await isAcceptedWithSome(others, some => send(own, [...rest, ...some]));
  const expected = `a success: section ${sectionOf[endpoint]} does not require ${field}; a service that demands it says so in its target file, "requires": { "${endpoint}": ["${field}"] }`;
  const actual = `${refusalInWords(shown as Answer)}; accepted with ${field}`;
  const found = violation(shown as Answer, 'accept.optional-absent', 'status', expected, actual);
  const doubt = isAnyOfSeveral
    ? 'other optional fields do as well: it wants at least one of several'
    : another === undefined && !isKeptNull
      ? 'it could be sent with one value only'
      : row.param !== null && own.param === other.param
        ? `it could be seen of ${own.param} only`
        : undefined;
  return covering([{ ...found, seen: twice, ...present({ doubt }) }], asAccepted);
}

/** True if any of these fields makes the request accepted: tries all, then halves, since one may be refused. */
async function isAcceptedWithSome(fields: readonly NearChange[], send: SendChanged): Promise<boolean> {
  for (const count of [1, 2, 4]) for (const some of parts(fields, count)) if ((await send(some))?.success) return true;
  return false;
}

/** The line of the target file that names logged events. */
const eventLine = references.event.line?.split(':')[0];

/** True if a list shows something of the event that the smallest request names. */
async function isEventShown({ context: { target, endpoint }, session }: Inquiry): Promise<boolean> {
  const param = subjectOf(target, endpoint);
  for (const list of ['list-events', 'list-event-metrics'] as const) {
    const answer = await unlessWithheld(session.send({ endpoint: list, param }));
    if (answer?.success === true && Array.isArray(answer.data) && answer.data.length > 0) return true;
  }
  return false;
}

/** Judges a value of the smallest request that is refused while another value, or none, is accepted. */
async function judgeReplaced(inquiry: Inquiry, change: NearChange, rest: readonly Change[], was: string) {
  const { context, send } = inquiry;
  const { row, minimal } = context;
  const { field, pointer, becomes } = change;
  const own = ownSubject(minimal);
  const place = schemaAt(row.body ?? {}, own.body, pointer);
  const { semantics = 'plain', refersTo, capability } = place?.annotation ?? {};
  const isNull = change.was === null && place !== undefined && takesNull(place);
  const isPlain = semantics === 'plain' && refersTo === undefined && capability === undefined;
  const how = becomes === undefined ? `without ${field}` : `with another ${field}`;
  let shown: Answer | undefined;
  for (let time = 0; time < 2; time += 1) {
    const refused = await send(own, rest, { about: { title: field, pointer, sent: change.was } });
    const accepted = await send(own, [...rest, change]);
    if (!isRefusal(refused) || accepted?.success !== true) return unproved(`${was}; ${how} it is accepted at times`);
    shown = refused;
  }
  // The target file may misspell a name, or somebody removed what it names. A 422 may be about whatever the value refers
  // to (RFC 4918).
  const [named] = place === undefined ? [] : linesIn(place, change.was ?? null, becomes);
  const isDoubted = named !== undefined && !(named === eventLine && (await isEventShown(inquiry)));
  if (!isNull && (isDoubted || (!isPlain && shown?.status === 422))) {
    const doubt = named === undefined ? '' : `: does ${named} of the target file name what is there?`;
    return { ...covering([], ['service.route']), because: `${was}; ${how} it is accepted${doubt}` };
  }
  const requirement: RequirementId = isNull ? 'accept.documented-null' : 'accept.smallest';
  const expected = `a success, as ${becomes === undefined ? how : `with ${inWords(becomes)}`}`;
  const found = violation(shown as Answer, requirement, 'status', expected, refusalInWords(shown as Answer));
  return covering([{ ...found, seen: twice }], asAccepted);
}

/**
 * Judges a listed query that is refused unless validation is skipped (section 4.3). Tries two fixtures, each with its
 * own query; nothing else differs.
 */
export async function judgeUnvalidated({ context, send }: Inquiry, changes: readonly NearChange[], was: string) {
  const subjects = subjectsOf(context);
  const about: RequestDescription = { title: 'the sql that the list shows', pointer: '/sql' };
  let shown: Answer | undefined;
  for (const subject of subjects) {
    const refused = await send(subject, [], { about: { ...about, sent: subject.body.sql ?? null } });
    const accepted = await send(subject, changes);
    if (!isRefusal(refused) || accepted?.success !== true)
      return unproved(`${was}; with skip_validation it is accepted, ${subject.param} without it as well`);
    shown ??= refused;
  }
  const first = shown as Answer;
  // A 422 may be about what the query reads (RFC 4918).
  const doubt =
    first.status === 422
      ? 'what the query reads may not be there'
      : new Set(subjects.map(({ param }) => param)).size < 2
        ? 'it could be seen of one qualifying event only'
        : undefined;
  const expected = 'a success: the list shows this sql, and with skip_validation it is accepted';
  const found = violation(first, 'accept.smallest', 'status', expected, refusalInWords(first));
  return covering([{ ...found, seen: twice, ...present({ doubt }) }], asAccepted);
}

/** The requirements that an accepted base shows, whatever its changes. */
const asAccepted = ['service.route', 'accept.smallest'] as const;
const twice = { times: 2, of: 2 } as const;

/** True of a refusal that may be caused by what was sent. */
export const isRefusal = (answer: Answer | null): answer is Answer =>
  answer !== null && isClientError(answer) && !isCircumstantial(answer);

/** The sections that state what a request must have. */
const sectionOf: Partial<Record<EndpointId, string>> = {
  'update-qualifying-event': '4.3',
  'update-experiment': '2.5',
  'patch-gate': '4.6',
  'create-metric': '4.9',
};

/** Merges several judgements of one request. */
function joined(results: readonly CheckResult[]): CheckResult {
  const because = [...new Set(results.flatMap(one => one.because ?? []))].join('; ');
  return {
    violations: results.flatMap(one => one.violations),
    proved: results.some(one => one.proved),
    covers: results.flatMap(one => [...(one.covers ?? [])]),
    ...(because !== '' && { because }),
  };
}
