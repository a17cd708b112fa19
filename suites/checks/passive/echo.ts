import type { Schema } from '../../../contracts/dialect.ts';
import type { Endpoint } from '../../../contracts/endpoint.ts';
import { answerSchema } from '../../../contracts/endpoints.ts';
import { openedBy } from '../../../contracts/fields.ts';
import { isObject, type Json, type JsonObject, type Members, objectsIn } from '../../../contracts/json.ts';
import { echoesBody } from '../../../contracts/requirements/bindings.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { validatorFor } from '../../../contracts/validation.ts';
import { type Compared, comparedIn } from '../../judge/compared.ts';
import { compareEcho, type Mismatch } from '../../judge/echo.ts';
import { keepsSchema } from '../../judge/schema.ts';
import { inWords, saidApart } from '../../judge/words.ts';
import { type Answer, isAccepted, isDryRun } from '../../protocol/answer.ts';
import { type CheckResult, covering, notJudged, type PassiveCheck, violation } from '../../protocol/check.ts';

/** True of a member documented for the answer: one that section 4 names or, if it names none, one of the resource. */
const isDocumented = (field: string, { expected, data }: Endpoint): boolean =>
  expected.length > 0 ? expected.includes(field) : Object.hasOwn(data.properties ?? {}, field);

const beyondAscii = /[^\0-\x7f]/;

/** Returns the requirement that a difference of this kind in a sent field breaks. */
function requirementOf(what: Compared, field: string, row: Endpoint): RequirementId {
  if (what === 'soft') return 'echo.order-and-space';
  if (what === 'order') return 'echo.ordered-lists';
  if (what === 'free-form') return 'echo.free-form';
  if (field === 'targetApps' && row.resource === 'gate') return 'echo.target-apps';
  if (!isDocumented(field, row)) return 'echo.outside-shape';
  return what === 'unicode' ? 'echo.unicode' : 'echo.sent-field';
}

/** A sent value of a field, and what came back at a place of the answer; undefined if nothing did. */
interface Returned {
  readonly field: string;
  readonly sent: Json;
  readonly got: unknown;
  readonly schema: Schema | undefined;
  readonly pointer: string;
}

const environmentsOf = ({ environments }: Members): readonly Members[] => objectsIn(environments);

/**
 * Pairs environments, which come back as the whole set in any order, by their id or else their name. A service that
 * knows them by their names makes another one of a new name, with an id that nobody sent.
 */
function environmentsReturned(sent: JsonObject, data: Members, row: Endpoint): Returned[] {
  const back = environmentsOf(data);
  const all = environmentsOf(sent) as JsonObject[];
  const ids = new Set(all.map(({ id }) => id));
  const schema = row.body?.properties?.environments?.items;
  return all.map(one => {
    const { id, ...rest } = one;
    const named = back.findIndex(({ name }) => one.name === name);
    const known = back.findIndex(other => id === other.id);
    const isNew = id !== undefined && known >= 0 && named >= 0 && !ids.has(back[named]?.id as Json);
    const at = id === undefined || isNew ? named : known;
    const pointer = at < 0 ? '/data/environments' : `/data/environments/${at}`;
    return { field: 'environments', sent: isNew ? rest : one, got: back[at], schema, pointer };
  });
}

/** Pairs the documented sent fields with those that came back. */
function fieldsReturned(sent: JsonObject, data: Members, { body }: Endpoint): Returned[] {
  const properties = body?.properties ?? {};
  const opened = openedBy(sent, body);
  return Object.entries(sent).flatMap(([field, value]) => {
    const got = Object.hasOwn(data, field) ? data[field] : undefined;
    return Object.hasOwn(properties, field) && !opened.includes(field)
      ? [{ field, sent: value, got, schema: properties[field], pointer: `/data/${field}` }]
      : [];
  });
}

/** Returns the requirements that an answer could have shown to be broken, by the sent fields that it contains. */
function coveredIn(returned: readonly Returned[], row: Endpoint): Set<RequirementId> {
  const found = new Set<RequirementId>();
  for (const { field, sent, got, schema } of returned) {
    // If a value differs, its order or its non-ASCII characters cannot be judged.
    if (got === undefined || compareEcho(sent, got, schema, '').length > 0) continue;
    for (const what of comparedIn(sent, got, schema)) found.add(requirementOf(what, field, row));
  }
  if (found.size > 0 && row.wholeEcho !== undefined) found.add(row.wholeEcho as RequirementId);
  return found;
}

/** Returns the differences of a field; none of an undocumented one that did not come back. */
const mismatchesOf = ({ field, sent, got, schema, pointer }: Returned, row: Endpoint): Mismatch[] =>
  got === undefined && !isDocumented(field, row) ? [] : compareEcho(sent, got, schema, pointer);

/** Returns the requirement that a mismatch breaks. */
function brokenBy({ kind, sent, pointer }: Mismatch, row: Endpoint): RequirementId {
  if (kind === 'missing' && row.wholeEcho !== undefined) return row.wholeEcho as RequirementId;
  const ofValue = typeof sent === 'string' && beyondAscii.test(sent) ? 'unicode' : 'value';
  const what = kind === 'soft' || kind === 'order' || kind === 'free-form' ? kind : ofValue;
  return requirementOf(what, pointer.split('/')[2] ?? '', row);
}

/** Returns what to say of an environment that the answer does not list; undefined of any other mismatch. */
function unlisted(
  { kind, sent, pointer }: Mismatch,
  data: Members,
): readonly [expected: string, got: string] | undefined {
  if (kind !== 'missing' || pointer !== '/data/environments') return undefined;
  const nameOf = ({ id, name }: Members): unknown => id ?? name;
  return [`the environment ${inWords(nameOf(sent as Members))}`, inWords(environmentsOf(data).map(nameOf))];
}

/** Leaves values of a wrong type to the schema check, if that sees them. */
function withoutSchemaProblems(mismatches: readonly Mismatch[], answer: Answer): readonly Mismatch[] {
  if (!mismatches.some(({ kind }) => kind === 'type')) return mismatches;
  const seen = new Set(validatorFor(answerSchema(answer.request.endpoint))(answer.value).map(({ pointer }) => pointer));
  return mismatches.filter(({ kind, pointer }) => kind !== 'type' || !seen.has(pointer));
}

/** Returns the fields of a body whose effect is certain: no concurrent request sends them, and none is left out. */
const certain = (sent: JsonObject, { contested = [], onlyJudged }: Answer['request']): JsonObject =>
  contested.length === 0 && onlyJudged === undefined
    ? sent
    : (Object.fromEntries(
        Object.entries(sent).filter(([field]) => !contested.includes(field) && onlyJudged?.includes(field) !== false),
      ) as JsonObject);

/** Judges whether sent values came back in the answer to an accepted write; ignores a body that breaks a rule. */
export function observeEcho(answer: Answer, row: Endpoint): CheckResult {
  const { data, request } = answer;
  if (!answer.success || !answer.own || request.raw !== undefined || row.body === null) return notJudged;
  if (!isObject(answer.sent) || !isObject(data)) return notJudged;
  const sent = certain(answer.sent, request);
  // An invalid body that was accepted all the same may come back in any well-typed form.
  if (!keepsSchema(answer.sent, row)) return notJudged;
  // Nothing was updated, so the content of the answer is open.
  if (isDryRun(answer) && row.action === 'update') return notJudged;
  const returned = (row.resource === 'environment' ? environmentsReturned : fieldsReturned)(sent, data, row);
  const mismatches = returned.flatMap(one => mismatchesOf(one, row));
  const violations = withoutSchemaProblems(mismatches, answer).map(one => {
    const [expected, got] = unlisted(one, data) ?? saidApart(one.sent, one.got);
    return violation(answer, brokenBy(one, row), one.pointer, expected, got);
  });
  const covers = isAccepted(answer) ? coveredIn(returned, row) : new Set<RequirementId>();
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
