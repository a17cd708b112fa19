import type { ReferenceKind, Schema } from '../../../contracts/dialect.ts';
import { type Endpoint, hasDryRun, isOperation } from '../../../contracts/endpoint.ts';
import type { Json } from '../../../contracts/json.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { rejectCases, unknownNames } from '../../generators/index.ts';
import { livenessViolations, refusalViolations } from '../../judge/outcome.ts';
import type { ApiRequest } from '../../protocol/answer.ts';
import { type ActiveCheck, type CheckContext, minimalApiRequest } from '../../protocol/check.ts';
import { asDryRun } from './dry-run.ts';
import { citing, harmlessBody, type OddCase, planOfOddCases, robustness } from './robustness.ts';

/** A body that no client should send. `malformed`: it is not JSON, so an operation with a body must refuse it. */
interface RawCase {
  readonly title: string;
  readonly malformed: boolean;
  readonly request: (text: string) => Partial<ApiRequest>;
  /** The OPEN requirement about which the answer tells something. */
  readonly asks?: RequirementId;
  /** Only a parser can notice the oddity, so the rest of the body may be invalid. */
  readonly parsed?: true;
}

const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const nestedLists = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const raw = (body: string | Buffer): Partial<ApiRequest> => ({ raw: body });
/** Returns the text of the minimal body with one more member. */
const withMember = (text: string, member: string): string =>
  text === '{}' ? `{${member}}` : `${text.slice(0, -1)},${member}}`;

// biome-ignore format: a table
const rawCases: readonly RawCase[] = [
  { title: 'a body cut off before its end',              malformed: true,  request: text => raw(text.slice(0, -1)) },
  { title: 'a body with something after its end',        malformed: true,  request: text => raw(`${text}}`) },
  { title: 'a body with a trailing comma',               malformed: true,  request: text => raw(withMember(text, '')) },
  { title: 'a body with a single-quoted text',           malformed: true,  request: text => raw(withMember(text, "'a':'b'")) },
  { title: 'a body with an unquoted name',               malformed: true,  request: text => raw(withMember(text, 'a:1')) },
  { title: 'a body with a comment',                      malformed: true,  request: text => raw(`/* */${text}`) },
  { title: 'a body with NaN for a number',               malformed: true,  request: text => raw(withMember(text, '"a":NaN')) },
  { title: 'a body with a raw line break in a text',     malformed: true,  request: text => raw(withMember(text, '"a":"b\nc"')) },
  { title: 'a lone opening brace',                       malformed: true,  request: () => raw('{') },
  { title: 'a word instead of JSON',                     malformed: true,  request: () => raw('conformance') },
  { title: 'form data instead of JSON',                  malformed: true,  request: () => raw('description=conformance') },
  { title: 'a body that is not UTF-8',                   malformed: false, parsed: true, request: text => raw(Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0x2c, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d])])) },
  { title: 'an empty array as body',                     malformed: false, request: () => raw('[]') },
  { title: 'a list of objects as body',                  malformed: false, request: text => raw(`[${text}]`) },
  { title: 'a list of nulls as body',                    malformed: false, request: () => raw('[null,null]') },
  { title: 'a text as body',                             malformed: false, request: () => raw('"conformance"') },
  { title: 'a number as body',                           malformed: false, request: () => raw('1') },
  { title: 'null as body',                               malformed: false, request: () => raw('null') },
  { title: 'true as body',                               malformed: false, request: () => raw('true') },
  { title: 'an empty body',                              malformed: false, request: () => raw(''), asks: 'open.empty-body' },
  { title: 'a body nested 100 levels deep',              malformed: false, parsed: true, request: text => raw(withMember(text, `"conform_extra":${nested(100)}`)), asks: 'open.extra-request-fields' },
  { title: 'a body nested 1,000 levels deep',            malformed: false, parsed: true, request: text => raw(withMember(text, `"conform_extra":${nested(1000)}`)) },
  { title: 'a body of 1,000 nested lists',               malformed: false, request: () => raw(nestedLists(1000)) },
  { title: 'a member called __proto__',                  malformed: false, request: text => raw(withMember(text, '"__proto__":{"isAdmin":true}')) },
  { title: 'a member called constructor',                malformed: false, request: text => raw(withMember(text, '"constructor":{"prototype":{"isAdmin":true}}')) },
  { title: 'a member named twice',                       malformed: false, parsed: true, request: text => raw(withMember(text, '"conform_extra":1,"conform_extra":2')) },
  { title: 'a text of NUL and lone surrogates',          malformed: false, parsed: true, request: text => raw(withMember(text, '"conform_extra":"\\u0000\\ud800"')), asks: 'open.undocumented-characters' },
  { title: 'a number beyond every type',                 malformed: false, parsed: true, request: text => raw(withMember(text, '"conform_extra":1e400')) },
  { title: 'valid JSON as text/plain',                   malformed: false, request: text => ({ raw: text, contentType: 'text/plain' }), asks: 'open.other-content-type' },
  { title: 'valid JSON without a content type',          malformed: false, request: text => ({ raw: text, contentType: null }), asks: 'open.other-content-type' },
  { title: 'valid JSON under a content type that is none', malformed: false, parsed: true, request: text => ({ raw: text, contentType: ';;;' }) },
  { title: 'valid JSON said to be in an unknown charset', malformed: false, parsed: true, request: text => ({ raw: text, contentType: 'application/json; charset=klingon' }) },
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
  const { row, minimal, target } = context;
  const field = freeField(row);
  if (field === undefined || row.body === null) return [];
  const broken = rejectCases(row.body, minimal.body ?? {}, target).cases.find(
    ({ level, pointer }) => level === 'MUST' && !pointer.startsWith(`/${field}`),
  )?.body;
  if (broken === undefined) return [];
  const { [field]: _, ...rest } = broken;
  const value = row.body.properties?.[field]?.type === 'array' ? `[${nested(200)}]` : nested(200);
  const text = withMember(JSON.stringify(rest), `${JSON.stringify(field)}:${value}`);
  return [{ title: `${field} nested 200 levels deep`, malformed: false, parsed: true, request: () => raw(text) }];
}

/** From this creation budget on, bodies that a service may accept or refuse are sent with valid content. */
const manyCreations = 14;

/** Makes a case from a body: a malformed one must be refused, the others must get an answer. */
function oddCase({ title, malformed, request, asks, parsed }: RawCase, context: CheckContext): OddCase {
  const { body: valid = {}, ...minimal } = minimalApiRequest(context);
  const mayLeave = !malformed && parsed !== true && context.amounts.creations >= manyCreations;
  const body = mayLeave && !hasDryRun(context.row) ? valid : (harmlessBody(context) ?? valid);
  return {
    title,
    request: {
      ...minimal,
      ...request(JSON.stringify(body)),
      ...(asks === undefined ? {} : { asks: { requirement: asks, subject: title } }),
    },
    ...(malformed ? { covers: ['robust.malformed-json'] } : {}),
    judge: answer =>
      malformed
        ? citing(refusalViolations(answer, 'robust.malformed-json', title), 'reject.never-5xx', 'robust.never-5xx')
        : livenessViolations(answer),
  };
}

/**
 * Sends well-formed references that name nothing: in dry runs, or to a gate whose fields can be put back. A failed
 * lookup must not crash the service.
 */
function namelessCases(context: CheckContext): readonly OddCase[] {
  const { row, endpoint, minimal, target, token, discovered } = context;
  const isPatch = isOperation(row, 'gate', 'patch');
  if (row.body === null || !(isPatch || hasDryRun(row))) return [];
  const held = isPatch ? discovered.gates?.get(minimal.param ?? '') : undefined;
  const word = (kind: ReferenceKind | undefined): string =>
    kind === 'email' ? `conform-${token}@example.invalid` : `conform-${token}-none`;
  return unknownNames(row.body, isPatch ? {} : (minimal.body ?? {}), target, word).flatMap(({ field, body }) => {
    const own = { [field]: (held?.[field] ?? null) as Json };
    const canBePutBack =
      held !== undefined &&
      Object.hasOwn(held, field) &&
      discovered.writable?.field(endpoint, minimal.param, field) === undefined;
    if (isPatch && !canBePutBack) return [];
    return {
      title: `${field} that names nothing`,
      request: minimalApiRequest(context, isPatch ? body : asDryRun(body)),
      judge: livenessViolations,
      ...(isPatch ? { putBack: minimalApiRequest(context, own) } : {}),
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
    const all = [...rawCases, ...nestedInField(context)];
    const cases = all.filter(({ malformed }) => malformed || !context.oneShot);
    return planOfOddCases(context, [...cases.map(one => oddCase(one, context)), ...namelessCases(context)]);
  },
};
