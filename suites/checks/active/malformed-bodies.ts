import type { ReferenceKind, Schema } from '../../../contracts/dialect.ts';
import { type Endpoint, hasDryRun, isOperation } from '../../../contracts/endpoint.ts';
import type { Json, JsonObject } from '../../../contracts/json.ts';
import { present } from '../../../contracts/present.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { unknownNames } from '../../generators/index.ts';
import { livenessViolations, refusalViolations } from '../../judge/outcome.ts';
import { type ActiveCheck, type CheckContext, minimalApiRequest } from '../../protocol/check.ts';
import { mustRefuse, schemaOf, templateOf } from './body.ts';
import { asDryRun } from './dry-run.ts';
import { citing, harmlessBody, type OddCase, planOfOddCases, robustness } from './robustness.ts';

/** A body that no client should send: another one, the usual one changed, or the usual one with one more member. */
interface RawCase {
  readonly title: string;
  readonly body?: string | ((usual: string) => string | Buffer);
  readonly member?: string;
  readonly contentType?: string | null;
  /** The OPEN requirement about which the answer tells something. */
  readonly asks?: RequirementId;
  /** Only a parser can notice the oddity, so the rest of the body may be invalid. */
  readonly parsed?: true;
}

const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
/** Returns the text of the minimal body with one more member. */
const withMember = (text: string, member: string): string =>
  text === '{}' ? `{${member}}` : `${text.slice(0, -1)},${member}}`;

/** Bodies that are not JSON, so an operation with a body must refuse them. */
// biome-ignore format: a table
const malformed: readonly RawCase[] = [
  { title: 'a body cut off before its end',              body: usual => usual.slice(0, -1) },
  { title: 'a body with something after its end',        body: usual => `${usual}}` },
  { title: 'a body with a trailing comma',               member: '' },
  { title: 'a body with a single-quoted text',           member: "'a':'b'" },
  { title: 'a body with an unquoted name',               member: 'a:1' },
  { title: 'a body with a comment',                      body: usual => `/* */${usual}` },
  { title: 'a body with NaN for a number',               member: '"a":NaN' },
  { title: 'a body with a raw line break in a text',     member: '"a":"b\nc"' },
  { title: 'a lone opening brace',                       body: '{' },
  { title: 'a word instead of JSON',                     body: 'conformance' },
  { title: 'form data instead of JSON',                  body: 'description=conformance' },
];

/** Bodies that a service may accept or refuse. */
// biome-ignore format: a table
const odd: readonly RawCase[] = [
  { title: 'a body that is not UTF-8',                   parsed: true, body: usual => Buffer.concat([Buffer.from(`${usual.slice(0, -1)},"a":"`), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]) },
  { title: 'an empty array as body',                     body: '[]' },
  { title: 'a list of objects as body',                  body: usual => `[${usual}]` },
  { title: 'a list of nulls as body',                    body: '[null,null]' },
  { title: 'a text as body',                             body: '"conformance"' },
  { title: 'a number as body',                           body: '1' },
  { title: 'null as body',                               body: 'null' },
  { title: 'an empty body',                              body: '', asks: 'open.empty-body' },
  { title: 'a body nested 100 levels deep',              parsed: true, member: `"conform_extra":${nested(100)}`, asks: 'open.extra-request-fields' },
  { title: 'a body nested 1,000 levels deep',            parsed: true, member: `"conform_extra":${nested(1000)}` },
  { title: 'a body of 1,000 nested lists',               body: '['.repeat(1000) + ']'.repeat(1000) },
  { title: 'members called __proto__ and constructor',   member: '"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}' },
  { title: 'a member named twice',                       parsed: true, member: '"conform_extra":1,"conform_extra":2' },
  { title: 'a text of NUL and lone surrogates',          parsed: true, member: '"conform_extra":"\\u0000\\ud800"', asks: 'open.undocumented-characters' },
  { title: 'valid JSON as text/plain',                   contentType: 'text/plain', asks: 'open.other-content-type' },
  { title: 'valid JSON without a content type',          contentType: null, asks: 'open.other-content-type' },
  { title: 'valid JSON under a content type that is none', parsed: true, contentType: ';;;' },
  { title: 'valid JSON said to be in an unknown charset', parsed: true, contentType: 'application/json; charset=klingon' },
];

/** Returns the first field of a body that holds free-form objects, alone or in a list. */
function freeField({ body }: Endpoint): string | undefined {
  const isFree = (schema: Schema | undefined): boolean =>
    schema?.type === 'object' && schema.properties === undefined && schema.anyOf === undefined;
  const isAny = (schema: Schema): boolean => schema.type === 'array' && schema.items === undefined;
  return Object.entries(body?.properties ?? {}).find(
    ([, schema]) => isFree(schema) || isFree(schema.items) || isAny(schema),
  )?.[0];
}

/** Nests objects deeply where any form is allowed. Another field breaks a rule, so that nothing is stored. */
function nestedInField(context: CheckContext): readonly RawCase[] {
  const { row } = context;
  const field = freeField(row);
  const broken = field && mustRefuse(context).find(({ pointer }) => !pointer.startsWith(`/${field}`));
  if (!broken) return [];
  const { [field]: _, ...rest } = broken.body;
  const value = row.body?.properties?.[field]?.type === 'array' ? `[${nested(200)}]` : nested(200);
  const body = withMember(JSON.stringify(rest), `${JSON.stringify(field)}:${value}`);
  return [{ title: `${field} nested 200 levels deep`, parsed: true, body }];
}

/** A number that no type of a common language holds: read as infinity, it comes back as null. */
const tooLarge = '1e400';

/** Sends such a number in a field that may hold a fraction, one without a bound if possible; otherwise in an unknown one. */
function overflowing(context: CheckContext): RawCase {
  const fields = Object.entries(context.row.body?.properties ?? {}).filter(
    ([, { type, annotation }]) => type === 'number' && !annotation?.beside && !annotation?.semantics,
  );
  const [field] = fields.find(([, { maximum }]) => maximum === undefined) ?? fields[0] ?? [];
  if (field === undefined)
    return { title: 'a number beyond every type', parsed: true, member: `"conform_extra":${tooLarge}` };
  const { [field]: _, ...rest } = templateOf(context);
  const body = withMember(JSON.stringify(rest), `${JSON.stringify(field)}:${tooLarge}`);
  return { title: `${field} beyond every type`, body };
}

/**
 * Sends a dry run with the members that only its answer has, each of another type. A service that answers the request
 * as it came, with its own members where the request has none, shows them.
 */
function answerMembers(context: CheckContext): readonly RawCase[] {
  const { data, body } = context.row;
  const members = Object.entries('properties' in data ? (data.properties ?? {}) : {})
    .filter(([name]) => !Object.hasOwn(body?.properties ?? {}, name))
    .map(([name, { type }]) => [name, [type].flat().includes('string') ? 5 : 'conform'] as const);
  if (!hasDryRun(context.row) || members.length === 0) return [];
  const whole = { ...asDryRun(templateOf(context)), ...Object.fromEntries(members) };
  return [{ title: 'members that only the answer has', body: JSON.stringify(whole) }];
}

/** From this creation budget on, bodies that a service may accept or refuse are sent with valid content. */
const manyCreations = 14;

/** Makes a case from a body: a malformed one must be refused, the others must get an answer. */
function oddCase(one: RawCase, context: CheckContext): OddCase {
  const { title, body, member, contentType, asks, parsed } = one;
  const isMalformed = malformed.includes(one);
  const { body: valid = {}, ...minimal } = minimalApiRequest(context);
  const mayLeave = !isMalformed && parsed !== true && context.amounts.creations >= manyCreations;
  const content = mayLeave && !hasDryRun(context.row) ? valid : (harmlessBody(context) ?? valid);
  const usual = JSON.stringify(content);
  const whole = member === undefined ? usual : withMember(usual, member);
  const raw = typeof body === 'function' ? body(usual) : (body ?? whole);
  return {
    title,
    request: { ...minimal, raw, ...present({ contentType, asks: asks && { requirement: asks, subject: title } }) },
    ...(isMalformed && { covers: ['robust.malformed-json'] }),
    judge: answer =>
      isMalformed
        ? citing(refusalViolations(answer, 'robust.malformed-json', title), 'reject.never-5xx', 'robust.never-5xx')
        : livenessViolations(answer),
  };
}

/**
 * Returns the body that puts a field back, if an answer shows or the schema says what it may be: of a gate its present
 * value, of an experiment that of the template, or else the documented null or an empty list.
 */
function puttingBack(field: string, template: JsonObject, { row, minimal, discovered }: CheckContext) {
  if (isOperation(row, 'gate', 'patch')) {
    const held = discovered.gates?.get(minimal.param ?? '');
    return held !== undefined && Object.hasOwn(held, field) ? { [field]: (held[field] ?? null) as Json } : undefined;
  }
  if (Object.hasOwn(template, field)) return template;
  const { type } = row.body?.properties?.[field] ?? {};
  if (type === 'array') return { ...template, [field]: [] };
  return Array.isArray(type) && type.includes('null') ? { ...template, [field]: null } : undefined;
}

/**
 * Sends well-formed references that name nothing: in dry runs, or in fields that can be put back. A failed lookup must
 * not crash the service.
 */
function namelessCases(context: CheckContext): readonly OddCase[] {
  const { row, endpoint, minimal, target, token, discovered } = context;
  const isPatch = isOperation(row, 'gate', 'patch');
  const isPutBack = isPatch || isOperation(row, 'experiment', 'update');
  if (!isPutBack && !hasDryRun(row)) return [];
  const word = (kind: ReferenceKind | undefined): string =>
    kind === 'email' ? `conform-${token}@example.invalid` : `conform-${token}-none`;
  const template = isPatch ? {} : templateOf(context);
  return unknownNames(schemaOf(context), template, target, word).flatMap(({ field, body }) => {
    // A group of another name is a new group.
    if (row.body?.properties?.[field]?.annotation?.formatHint === 'groups') return [];
    const back = puttingBack(field, template, context);
    const isWritable = discovered.writable?.field(endpoint, minimal.param, field) === undefined;
    if (isPutBack && (back === undefined || !isWritable)) return [];
    return {
      title: `${field} that names nothing`,
      request: minimalApiRequest(context, isPutBack ? body : asDryRun(body)),
      judge: livenessViolations,
      ...(isPutBack && { putBack: minimalApiRequest(context, back) }),
    };
  });
}

/**
 * Section 7, RFC 8259 section 2, RFC 9110 section 15: odd bodies are refused or tolerated, and the endpoint keeps
 * working.
 */
export const malformedBodies: ActiveCheck<OddCase> = {
  kind: 'active',
  id: 'malformed-bodies',
  level: 'MUST',
  title: 'A malformed body is never a success, and no body brings the endpoint down',
  detects:
    'A lenient parser, an unguarded JSON.parse, a recursion without a bound, a prototype polluted, a worker that dies and does not come back.',
  requirements: () => ['robust.malformed-json', ...robustness],
  appliesTo: row => row.body !== null,
  plan(context) {
    // If the effect cannot be undone, send only bodies that must be refused.
    const cases = context.oneShot
      ? malformed
      : [...malformed, ...odd, ...answerMembers(context), overflowing(context), ...nestedInField(context)];
    return planOfOddCases(context, [...cases.map(one => oddCase(one, context)), ...namelessCases(context)]);
  },
};
