import type { Schema } from '../../../contracts/dialect.ts';
import type { Endpoint } from '../../../contracts/endpoint.ts';
import { answerSchema } from '../../../contracts/endpoints.ts';
import { isObject, type Json, type JsonObject, type Members } from '../../../contracts/json.ts';
import { echoesBody } from '../../../contracts/requirements/bindings.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { validatorFor } from '../../../contracts/validation.ts';
import { type Compared, comparedIn } from '../../judge/compared.ts';
import { compareEcho, type Mismatch } from '../../judge/echo.ts';
import { keepsSchema } from '../../judge/schema.ts';
import { saidApart } from '../../judge/words.ts';
import { type Answer, isAccepted, isDryRun } from '../../protocol/answer.ts';
import { type CheckResult, covering, notJudged, type PassiveCheck, violation } from '../../protocol/check.ts';

/** True of a member documented for the answer: one that section 4 names or, if it names none, one of the resource. */
const isDocumented = (field: string, { expected, data }: Endpoint): boolean =>
  expected.length > 0 ? expected.includes(field) : Object.hasOwn(data.properties ?? {}, field);

const isAscii = (text: string): boolean => [...text].every(point => (point.codePointAt(0) ?? 0) < 0x80);

/** Returns the requirement that a mismatch breaks. */
function echoRequirement({ kind, sent, pointer }: Mismatch, row: Endpoint): RequirementId {
  if (kind === 'missing' && row.wholeEcho !== undefined) return row.wholeEcho as RequirementId;
  if (kind === 'soft') return 'echo.order-and-space';
  if (kind === 'order') return 'echo.ordered-lists';
  if (kind === 'free-form') return 'echo.free-form';
  if (pointer.endsWith('/targetApps')) return 'echo.target-apps';
  if (!isDocumented(pointer.split('/')[2] ?? '', row)) return 'echo.outside-shape';
  return typeof sent === 'string' && !isAscii(sent) ? 'echo.unicode' : 'echo.sent-field';
}

const environmentsOf = ({ environments }: Members): Members[] =>
  Array.isArray(environments) ? environments.filter(isObject) : [];

/** Returns the index of a sent environment among the returned ones, in any order, by its id or else its name. */
const placeOf = (environment: Members, back: readonly Members[]): number =>
  back.findIndex(other =>
    environment.id !== undefined ? other.id === environment.id : other.name === environment.name,
  );

/** Compares environments, which come back as the whole set. */
function environmentMismatches(sent: JsonObject, data: Members, row: Endpoint): Mismatch[] {
  const back = environmentsOf(data);
  return (environmentsOf(sent) as JsonObject[]).flatMap(environment => {
    const at = placeOf(environment, back);
    if (at < 0) return [{ pointer: '/data/environments', kind: 'missing' as const, sent: environment, got: undefined }];
    const schema = row.body?.properties?.environments?.items;
    // requiredReviewGroupID is documented for requests only.
    return compareEcho(environment, back[at], schema, `/data/environments/${at}`).filter(
      ({ pointer, kind }) => !(kind === 'missing' && pointer.endsWith('/requiredReviewGroupID')),
    );
  });
}

/** Returns the requirement that a difference in a sent field would have broken. */
function comparedRequirement(what: Compared, field: string, row: Endpoint): RequirementId {
  if (what === 'soft') return 'echo.order-and-space';
  if (what === 'order') return 'echo.ordered-lists';
  if (what === 'free-form') return 'echo.free-form';
  if (field === 'targetApps' && row.resource === 'gate') return 'echo.target-apps';
  if (!isDocumented(field, row)) return 'echo.outside-shape';
  return what === 'unicode' ? 'echo.unicode' : 'echo.sent-field';
}

/** Pairs sent values with those that came back, each with the member of the body that carried it. */
function returned(sent: JsonObject, data: Members, row: Endpoint): [string, Json, unknown, Schema][] {
  const { properties = {} } = row.body ?? {};
  if (row.resource === 'environment') {
    const back = environmentsOf(data);
    const schema = properties.environments?.items ?? {};
    return (environmentsOf(sent) as JsonObject[]).map(one => ['environments', one, back[placeOf(one, back)], schema]);
  }
  return Object.keys(sent).flatMap((field): [string, Json, unknown, Schema][] => {
    const schema = properties[field];
    return schema !== undefined && Object.hasOwn(data, field)
      ? [[field, sent[field] as Json, data[field], schema]]
      : [];
  });
}

/** Returns the requirements that an answer could have shown to be broken, by the sent fields that it contains. */
function coveredIn(sent: JsonObject, data: Members, row: Endpoint): Set<RequirementId> {
  const found = new Set<RequirementId>();
  for (const [field, value, got, schema] of returned(sent, data, row)) {
    // If a value differs, its order or its non-ASCII characters cannot be judged.
    if (compareEcho(value, got, schema, '').length > 0) continue;
    for (const what of comparedIn(value, got, schema)) found.add(comparedRequirement(what, field, row));
  }
  if (found.size > 0 && row.wholeEcho !== undefined) found.add(row.wholeEcho as RequirementId);
  return found;
}

function bodyMismatches(sent: JsonObject, data: Members, row: Endpoint): Mismatch[] {
  const properties = row.body?.properties ?? {};
  return Object.entries(sent).flatMap(([key, value]) => {
    if (!Object.hasOwn(properties, key)) return [];
    const got = Object.hasOwn(data, key) ? data[key] : undefined;
    if (got === undefined && !isDocumented(key, row)) return [];
    return compareEcho(value, got, properties[key], `/data/${key}`);
  });
}

/** Leaves values of a wrong type to the schema check, if that sees them. */
function withoutSchemaProblems(mismatches: readonly Mismatch[], answer: Answer): readonly Mismatch[] {
  if (!mismatches.some(({ kind }) => kind === 'type')) return mismatches;
  const seen = new Set(validatorFor(answerSchema(answer.request.endpoint))(answer.value).map(({ pointer }) => pointer));
  return mismatches.filter(({ kind, pointer }) => kind !== 'type' || !seen.has(pointer));
}

/** Returns the fields of a body that no concurrent request sends. */
const uncontested = (sent: JsonObject, { contested = [] }: Answer['request']): JsonObject =>
  contested.length === 0
    ? sent
    : (Object.fromEntries(Object.entries(sent).filter(([field]) => !contested.includes(field))) as JsonObject);

/** Judges whether sent values came back in the answer to an accepted write; ignores a body that breaks a rule. */
export function observeEcho(answer: Answer, row: Endpoint): CheckResult {
  const { data, request } = answer;
  if (!answer.success || !answer.own || request.raw !== undefined || row.body === null) return notJudged;
  if (!isObject(answer.sent) || !isObject(data)) return notJudged;
  const sent = uncontested(answer.sent, request);
  // An invalid body that was accepted all the same may come back in any well-typed form.
  if (!keepsSchema(answer.sent, row)) return notJudged;
  // Nothing was updated, so the content of the answer is open.
  if (isDryRun(answer) && row.action === 'update') return notJudged;
  const mismatchesOf = row.resource === 'environment' ? environmentMismatches : bodyMismatches;
  const violations = withoutSchemaProblems(mismatchesOf(sent, data, row), answer).map(mismatch => {
    const requirement = echoRequirement(mismatch, row);
    const [expected, actual] = saidApart(mismatch.sent, mismatch.got);
    return violation(answer, requirement, mismatch.pointer, expected, actual);
  });
  const covers = isAccepted(answer) ? coveredIn(sent, data, row) : new Set<RequirementId>();
  return violations.length > 0 || covers.size > 0 ? covering(violations, covers) : notJudged;
}

/** Section 4: every answer to an accepted write repeats the sent values unchanged. */
export const echo: PassiveCheck = {
  kind: 'passive',
  id: 'echo',
  level: 'MUST',
  title: 'Every sent field comes back as it was sent',
  detects:
    'A field dropped, rounded, trimmed, cut, lower-cased or turned into a string; text that loses its emoji or its combining marks; a list sorted or thinned out.',
  requirements: row => [
    'echo.sent-field',
    'echo.order-and-space',
    'echo.unicode',
    'echo.ordered-lists',
    'echo.free-form',
    'echo.outside-shape',
    'echo.target-apps',
    ...(row.wholeEcho === undefined ? [] : [row.wholeEcho as RequirementId]),
  ],
  appliesTo: echoesBody,
  // The `spellings` check judges a request in another spelling, and compares it with a usual one.
  observe: (answer, row) => (answer.request.spelling === undefined ? observeEcho(answer, row) : notJudged),
};
