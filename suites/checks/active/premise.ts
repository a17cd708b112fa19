import { hasDryRun } from '../../../contracts/endpoint.ts';
import type { EndpointId } from '../../../contracts/endpoints.ts';
import type { JsonObject } from '../../../contracts/json.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { type NearChange, nearChanges, schemaAt, takesNull } from '../../generators/index.ts';
import { isCircumstantial, isClientError } from '../../judge/outcome.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import type { Answer, ApiRequest, RequestDescription } from '../../protocol/answer.ts';
import { changed } from '../../protocol/base.ts';
import {
  type CheckContext,
  type CheckResult,
  covering,
  type Session,
  unproved,
  type Violation,
  violation,
} from '../../protocol/check.ts';
import { unlessWithheld } from '../../protocol/stop.ts';
import { isBlockedRequest, minimalRequest } from '../../sut/minimal-request.ts';
import { oneByOne, seekAccepted } from '../../sut/nearest.ts';
import { fixtureNames } from '../../sut/target.ts';
import { asDryRun, createsForGood } from './dry-run.ts';

/** Refusals that say nothing of what was sent: of the key, the method, the size, the form of the body. */
const otherwise: ReadonlySet<number> = new Set([401, 405, 410, 411, 413, 414, 415, 426, 431, 451]);

/** So many changes of a base are judged one by one. */
const mostJudged = 3;

/** Requirements that leave open what a request must have, where it is not a field of the body that anything may need. */
const openRequirement: Partial<Record<EndpointId, RequirementId>> = {
  'update-environments': 'open.environment-required',
  'create-prompt-version': 'open.prompt-required',
};

/** True of the refusal of a smallest request for which there may be a nearest request that is accepted. */
export const isSought = (answer: Answer, { row, oneShot }: CheckContext, { bases }: Session): boolean =>
  bases !== undefined &&
  row.body !== null &&
  !oneShot &&
  isClientError(answer) &&
  !isCircumstantial(answer) &&
  !otherwise.has(answer.status);

/** A fixture, and the smallest request about it. */
interface Subject {
  readonly param?: string | undefined;
  readonly body: JsonObject;
}

/** The fixture that a check is about, and the next one where the target file names another. */
function subjectsOf({ target, discovered, endpoint, row, minimal }: CheckContext): readonly Subject[] {
  const own = { param: minimal.param, body: minimal.body ?? {} };
  const names = row.fixture === null ? [] : fixtureNames(target, row.fixture);
  for (const name of names) {
    const next = minimalRequest(target, discovered, endpoint, name);
    if (isBlockedRequest(next) || JSON.stringify(next) === JSON.stringify(minimal)) continue;
    return [own, { param: next.param, body: next.body ?? {} }];
  }
  return [own, own];
}

/** What the refusal of a smallest request came to. */
interface Premise {
  /** What the case of the smallest request shows. */
  readonly result: CheckResult;
  /** True where the requests of the operation are accepted now, with what was found. */
  readonly isFound: boolean;
}

/**
 * Looks for the nearest request that is accepted where the smallest was refused, makes it the base of all that the run
 * sends to the operation, and judges what it differs in: a field that is demanded although the section does not require
 * it, a plain value that is refused although it is stated. What only one fixture refuses, and what goes away, is a
 * circumstance.
 */
export async function openPremise(context: CheckContext, session: Session, refused: Answer): Promise<Premise> {
  const { endpoint, row, target, minimal } = context;
  const known = session.bases?.get(endpoint)?.changes ?? [];
  const schema = row.body ?? { type: 'object' };
  const template = changed(minimal.body ?? {}, known);
  let isDry = false;

  const send = async (subject: Subject, changes: readonly NearChange[], more: Partial<ApiRequest> = {}) => {
    const body = changed(changed(subject.body, known), changes);
    const sent = isDry ? asDryRun(body) : body;
    return unlessWithheld(session.send({ endpoint, param: subject.param, body: sent, asIs: true, ...more }));
  };
  const subjects = subjectsOf(context);
  const [own, other] = subjects as [Subject, Subject];
  if (hasDryRun(row)) {
    isDry = true;
    const dry = await send(own, []);
    isDry = dry?.success !== true;
  }
  const isLasting = createsForGood(context) && !isDry;
  const near = nearChanges(schema, template, isDry ? { ...target, withheld: () => undefined } : target);
  const { changes, isLeast, tried } = await seekAccepted(
    refused,
    near,
    some => send(own, some),
    isLasting ? [oneByOne, 1] : undefined,
  );
  const again = await send(own, []);
  if (again?.success === true) {
    const passed = {
      ...covering([], []),
      because: `refused at first (${refusalInWords(refused)}), accepted when sent again`,
    };
    return { result: passed, isFound: true };
  }
  if (changes === null) {
    const lost = `the minimal request was refused (${tried})`;
    session.bases?.set(endpoint, { changes: known, lost });
    return { result: unproved(lost), isFound: false };
  }
  session.bases?.set(endpoint, { changes: [...known, ...changes] });

  /** What a change of the base shows, with all other changes of it in place. */
  async function judge(change: NearChange): Promise<CheckResult> {
    const rest = changes?.filter(one => one !== change) ?? [];
    const { field, was, becomes, isFree, pointer } = change;
    const place = schemaAt(schema, template, pointer.replaceAll('*', '0'));
    const another = isDry || place?.annotation?.semantics !== 'guarded' ? change.another : undefined;
    const isAdded = was === undefined;
    const { semantics = 'plain', refersTo, capability } = place?.annotation ?? {};
    const isNull = was === null && place !== undefined && takesNull(place);
    const isStated = isNull || (semantics === 'plain' && refersTo === undefined && capability === undefined);
    const title = isAdded ? `without ${field}` : `${field}, as the minimal request has it`;
    const about: RequestDescription = { title, pointer: pointer.replaceAll('*', '0'), sent: was };
    const isJudged = isAdded ? isFree && openRequirement[endpoint] === undefined : isStated;
    if (!isJudged) {
      const requirement = openRequirement[endpoint] ?? 'open.conditional-required';
      if (isAdded) await send(own, rest, { asks: { requirement, subject: `a request ${title}` } });
      const how = becomes === undefined ? `without ${field}` : isAdded ? `with ${field}` : `with another ${field}`;
      return { ...covering([], ['service.route']), because: `accepted only ${how} (${refusalInWords(refused)})` };
    }
    let shown: Answer | undefined;
    const withValue = (value: typeof another): NearChange => ({
      ...change,
      ...(value === undefined ? {} : { becomes: value }),
    });
    for (const [turn, subject] of (isLasting ? [own] : subjects).entries()) {
      for (const value of isAdded && another !== undefined ? [becomes, another] : [becomes, becomes]) {
        const absent = await send(subject, rest, { about });
        if (absent?.success === true && turn === 0) {
          session.bases?.set(endpoint, { changes: [...known, ...rest] });
          return {
            ...covering([], []),
            because: `${title} it was refused at first (${refusalInWords(refused)}), and is not now`,
          };
        }
        if (absent?.success === true)
          return unproved(
            `${title} it is refused for ${own.param}, and accepted for ${other.param}: it is about that fixture`,
          );
        const present = await send(subject, [...rest, withValue(value)]);
        if (
          absent === null ||
          present === null ||
          !isClientError(absent) ||
          isCircumstantial(absent) ||
          !present.success
        )
          return unproved(
            `the minimal request was refused (${refusalInWords(refused)}), and accepted with other ${field} only at times`,
          );
        shown ??= absent;
      }
    }
    if (shown === undefined) return unproved(tried);
    const seen = { times: 4, of: 4 };
    if (!isAdded) {
      const requirement: RequirementId = isNull ? 'accept.documented-null' : 'accept.plain-value';
      const expected = `a success, as ${becomes === undefined ? 'without it' : `with ${JSON.stringify(becomes)}`}`;
      return told({ ...violation(shown, requirement, 'status', expected, refusalInWords(shown)), seen });
    }
    const others = near.more.filter(one => one.field !== field && one.isFree);
    const anyOther = isDry || endpoint === 'patch-gate' ? await send(own, [...rest, ...others]) : null;
    const doubt =
      anyOther?.success === true
        ? 'other optional fields do as well: it wants at least one of several'
        : another === undefined
          ? 'it could be sent with one value only'
          : undefined;
    const expected = `a success: section ${sectionOf[endpoint]} does not require ${field}; a service that demands it says so in its target file, "requires": { "${endpoint}": ["${field}"] }`;
    const found = violation(
      shown,
      'accept.optional-absent',
      'status',
      expected,
      `${refusalInWords(shown)}; accepted with ${field}`,
    );
    return told({ ...found, seen, ...(doubt === undefined ? {} : { doubt }) });
  }
  const told = (one: Violation): CheckResult => covering([one], []);

  if (!isLeast || changes.length > mostJudged) {
    const fields = changes.map(({ field }) => field).join(', ');
    return {
      result: unproved(
        `the minimal request was refused (${refusalInWords(refused)}), and accepted with a change of ${fields}`,
      ),
      isFound: true,
    };
  }
  const results: CheckResult[] = [];
  for (const change of changes) results.push(await judge(change));
  return { result: joined(results), isFound: true };
}

/** The sections that say what a request must have. */
const sectionOf: Partial<Record<EndpointId, string>> = {
  'update-qualifying-event': '4.3',
  'update-experiment': '2.5',
  'patch-gate': '4.6',
  'create-metric': '4.9',
};

/** What several judgements of one request come to. */
function joined(results: readonly CheckResult[]): CheckResult {
  const violations = results.flatMap(one => one.violations);
  const because = results.flatMap(one => one.because ?? []).join('; ');
  const proved = results.some(one => one.proved);
  const covers = results.flatMap(one => [...(one.covers ?? [])]);
  return { violations, proved, covers, ...(because === '' ? {} : { because }) };
}
