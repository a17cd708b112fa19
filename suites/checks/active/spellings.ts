import { hasDryRun } from '../../../contracts/endpoint.ts';
import type { JsonObject } from '../../../contracts/json.ts';
import { steps } from '../../../contracts/pointer.ts';
import { present } from '../../../contracts/present.ts';
import { type RequirementId, requirementById } from '../../../contracts/requirements/index.ts';
import { urlText } from '../../../contracts/url-text.ts';
import { type AcceptCase, acceptCases, mergedBody } from '../../generators/index.ts';
import { type JsonSpelling, spelledJson } from '../../generators/spelled-json.ts';
import { acceptanceViolations, isClientError } from '../../judge/outcome.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import {
  type Answer,
  type ApiRequest,
  isAccepted,
  type RequestDescription,
  type Spelling,
} from '../../protocol/answer.ts';
import {
  type ActiveCheck,
  type CheckContext,
  type CheckResult,
  covering,
  minimalApiRequest,
  type Session,
  unproved,
  type Violation,
  violation,
} from '../../protocol/check.ts';
import { unlessWithheld } from '../../protocol/stop.ts';
import { observeEcho } from '../passive/echo.ts';
import { schemaOf, templateOf } from './body.ts';
import { prepare, sendPersistently } from './controls.ts';
import { asDryRun, createsForGood, dryRuns } from './dry-run.ts';
import { elsewhere } from './other-fixtures.ts';

/** One way to write a request without changing its meaning. */
interface Part {
  readonly title: string;
  readonly requirement: RequirementId;
  readonly json?: JsonSpelling;
  readonly headers?: Readonly<Record<string, string>>;
  readonly spelling?: Spelling;
  /** The part needs an operation with a path parameter, with a body, or a body with a number. */
  readonly needs?: 'param' | 'body' | 'number';
  /** True of an open refusal: 411 asks for a length, and a service may insist on digits for whole numbers. */
  readonly mayRefuse?: (answer: Answer) => boolean;
}

/** Two requests, each with several ways, taken apart only if something is wrong. */
// biome-ignore format: a table
const requests: readonly { readonly title: string; readonly parts: readonly Part[] }[] = [
  {
    title: 'written in other ways',
    parts: [
      { title: 'with header names in upper case',          requirement: 'robust.same-headers', spelling: { header: name => name.toUpperCase() } },
      { title: 'without `Accept`',                         requirement: 'robust.same-headers', spelling: { noAccept: true } },
      { title: 'with `Accept-Encoding: gzip`',             requirement: 'robust.same-headers', headers: { 'Accept-Encoding': 'gzip' } },
      { title: 'with an encoded letter in its path',       requirement: 'robust.same-path',    spelling: { encodesMore: 'upper' }, needs: 'param' },
      { title: 'with white space between all tokens',      requirement: 'robust.same-json',    json: { space: true },    needs: 'body' },
      { title: 'with members in another order',            requirement: 'robust.same-json',    json: { turned: true },   needs: 'body' },
      { title: 'with escaped characters',                  requirement: 'robust.same-json',    json: { escaped: true },  needs: 'body' },
      { title: 'with a line break after its end',          requirement: 'robust.same-json',    json: { trailing: true }, needs: 'body' },
      { title: 'in chunks',                                requirement: 'robust.chunked',      spelling: { chunked: true }, needs: 'body', mayRefuse: ({ status }) => status === 411 },
    ],
  },
  {
    title: 'written in further ways',
    parts: [
      { title: 'with header names in lower case',          requirement: 'robust.same-headers', spelling: { header: name => name.toLowerCase() } },
      { title: 'with `Accept: */*`',                       requirement: 'robust.same-headers', headers: { accept: '*/*' } },
      { title: 'with lower-case percent-encoding (`%6c`) in its path', requirement: 'robust.same-path', spelling: { encodesMore: 'lower' }, needs: 'param' },
      { title: 'with `Accept-Encoding: gzip, deflate, br`', requirement: 'robust.same-headers', headers: { 'Accept-Encoding': 'gzip, deflate, br' } },
      { title: 'with fractions of zero and exponents',     requirement: 'robust.same-number',  json: { numbers: true },  needs: 'number', mayRefuse: isClientError },
    ],
  },
];

/** Returns the request written in all these ways. */
function spelledAs(request: ApiRequest, parts: readonly Part[]): ApiRequest {
  const json: JsonSpelling = Object.assign({}, ...parts.map(part => part.json));
  const spelling: Spelling = Object.assign(
    { write: (body: never) => spelledJson(body, json) },
    ...parts.map(part => part.spelling),
  );
  return { ...request, headers: Object.assign({}, ...parts.map(part => part.headers)), spelling };
}

/** Returns the minimal body with one more plain field of each JSON type. */
function richBody(context: CheckContext): JsonObject {
  const template = templateOf(context);
  const chosen = new Map<string, AcceptCase>();
  for (const one of acceptCases(schemaOf(context), template, context.target).cases) {
    const { pointer, body, value, level } = one;
    const [field = '', deeper] = steps(pointer);
    const kind = Array.isArray(value) ? 'list' : typeof value;
    const isNew = deeper === undefined && field !== '' && template[field] === undefined && !chosen.has(kind);
    const isAlone = Object.keys(body).every(
      name => name === field || JSON.stringify(body[name]) === JSON.stringify(template[name]),
    );
    if (isNew && isAlone && level === 'MUST' && value !== null) chosen.set(kind, one);
  }
  return mergedBody([...chosen.values()], template);
}

const hasNumber = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'object' && Object.values(value ?? {}).some(hasNumber));

type Input = (typeof requests)[number];

const titleOf = (parts: readonly Part[]): string => parts.map(({ title }) => title).join(', ');

/** Returns what is wrong with the answer to a request written in another way, citing this requirement. */
function wrongWith(
  answer: Answer,
  title: string,
  requirement: RequirementId,
  context: CheckContext,
): readonly Violation[] {
  if (!answer.success) return acceptanceViolations(answer, requirement, `the request ${title} is the same request`);
  if (!isAccepted(answer)) {
    const { body } = answer.reply;
    const actual = body.kind === 'broken' ? `a body that ${body.why}` : 'another answer';
    return [violation(answer, requirement, 'body', `the answer that the request has otherwise, ${title}`, actual)];
  }
  // A mere warning about the answer is not caused by the spelling: the order of tags, for example.
  return observeEcho(answer, context.row)
    .violations.filter(one => one.doubt === undefined && requirementById(one.requirement).level === 'MUST')
    .map(one => ({ ...one, requirement, expected: `${one.expected}, sent ${title}` }));
}

/** Sends a request in other spellings; if something is wrong, also in the usual one. */
function spelled(context: CheckContext): (input: Input, session: Session) => Promise<CheckResult> {
  const { row } = context;
  const askDryRun = dryRuns(context);
  const rich = richBody(context);
  let sent = 0;
  const canHave = ({ needs }: Part, body: JsonObject | undefined): boolean =>
    needs === undefined ||
    (needs === 'param' ? row.param !== null : row.body !== null && (needs === 'body' || hasNumber(body)));

  async function send(
    session: Session,
    body: JsonObject | undefined,
    parts: readonly Part[],
    about?: RequestDescription,
  ): Promise<Answer> {
    await prepare(context, session);
    sent += 1;
    // A new text each time: an unchanged value may never have been stored.
    // Beyond the basic plane a character is escaped as a pair. The smallest body is sent without, as it may be refused.
    const isRich = Object.keys(rich).every(name => Object.hasOwn(body ?? {}, name));
    const sign = isRich ? ' 🧭' : '';
    const text = { description: `Written in more than one way: ${context.token} ${sent}${sign}` };
    const isDescribed = body?.description !== undefined;
    const request = { ...minimalApiRequest(context, isDescribed ? { ...body, ...text } : body), ...present({ about }) };
    const written = parts.length === 0 ? request : spelledAs(request, parts);
    return sendPersistently(() => session.send(written));
  }

  /** Returns the violations of these parts alone; null if the result is open, or the request could not be sent. */
  async function wrongPart(session: Session, body: JsonObject | undefined, parts: readonly Part[]) {
    const about = { title: `the request ${titleOf(parts)}`, pointer: '' };
    const answer = await unlessWithheld(send(session, body, parts, about));
    if (answer === null || parts.some(one => one.mayRefuse?.(answer))) return null;
    return wrongWith(answer, titleOf(parts), parts[0]?.requirement ?? 'robust.same-json', context);
  }

  /** Judges a fixture whose id needs percent-encoding: where a path is not decoded, no request can name it. */
  async function unreachable(session: Session): Promise<readonly Violation[]> {
    const own = elsewhere(context).find(({ minimal: { param = '' } }) => urlText(param) !== param);
    if (own === undefined) return [];
    const title = `a request about ${own.minimal.param}, percent-encoded in its path`;
    const about = { title, pointer: '' };
    const answer = await unlessWithheld(session.send({ ...minimalApiRequest(own), about }));
    return answer?.status === 404 ? acceptanceViolations(answer, 'service.route', title) : [];
  }

  /** Finds the parts that are wrong by themselves: first all of one requirement, then each. */
  async function takenApart(session: Session, body: JsonObject | undefined, parts: readonly Part[], first: Answer) {
    const wrong: Violation[] = [];
    const right: RequirementId[] = [];
    let isOpen = false;
    for (const requirement of new Set(parts.map(part => part.requirement))) {
      const group = parts.filter(part => part.requirement === requirement);
      const found = await wrongPart(session, body, group);
      isOpen ||= found === null;
      if (found?.length === 0) right.push(requirement);
      if (found === null || found.length === 0) continue;
      const single: Violation[] = [];
      if (requirement === 'robust.same-path') wrong.push(...(await unreachable(session)));
      if (group.length > 1) for (const part of group) single.push(...((await wrongPart(session, body, [part])) ?? []));
      wrong.push(...(single.length > 0 ? single : found));
    }
    if (wrong.length > 0 || isOpen) return covering(wrong, right);
    const requirement = parts.some(part => part.json !== undefined) ? 'robust.same-json' : 'robust.same-headers';
    return covering(wrongWith(first, titleOf(parts), requirement, context), right);
  }

  return async ({ parts: all }, session) => {
    const isDry = (await askDryRun(session)) !== undefined;
    const bodies = row.body === null ? [undefined] : [rich, templateOf(context)];
    let because = '';
    for (const plain of bodies) {
      const body = isDry && plain !== undefined ? asDryRun(plain) : plain;
      const parts = all.filter(part => canHave(part, body));
      const answer = await send(session, body, parts);
      if (parts.length === 1 && parts[0]?.mayRefuse?.(answer)) return unproved('refused, which is open');
      const isRight = answer.reply.failure === null && wrongWith(answer, '', 'robust.same-json', context).length === 0;
      const shown = parts.map(part => part.requirement);
      if (isRight) return covering([], shown);
      const control = await send(session, body, []);
      if (isAccepted(control) && observeEcho(control, row).violations.length === 0)
        return takenApart(session, body, parts, answer);
      because = `the same request, written as most clients do, was not accepted either (${refusalInWords(control)})`;
    }
    return unproved(because);
  };
}

/**
 * RFC 3986 section 2.3, RFC 8259 sections 2, 4, 6 and 7, RFC 9110 sections 5.1 and 12.5, RFC 9112 section 7.1: a
 * request keeps its meaning when it is written in another way. All ways stand in two requests, which are taken apart if
 * something is wrong.
 */
export const spellings: ActiveCheck<Input> = {
  kind: 'active',
  id: 'spellings',
  level: 'MUST',
  title: 'A request that is written in another way is the same request',
  detects:
    'A parser made by hand, a member that is known by its bytes, a length that is required without a word, a header that is looked up in one letter case, an answer that cannot be unpacked.',
  requirements: () => [
    'robust.same-json',
    'robust.same-headers',
    'robust.same-path',
    'robust.same-number',
    'robust.chunked',
    'service.route',
  ],
  // An operation that works only once is sent in the most common spelling.
  appliesTo: row => row.oneShot !== true,
  plan(context) {
    const isCostly = createsForGood(context) && !hasDryRun(context.row);
    // If each acceptance leaves something, send a single request, without the parts that may be refused or are a SHOULD.
    const costly = requests.slice(0, 1).map(({ title, parts }) => ({
      title,
      parts: parts.filter(({ mayRefuse, needs }) => mayRefuse === undefined && needs !== 'param'),
    }));
    return {
      cases: isCostly ? costly : requests,
      parallel: false,
      describe: ({ title }) => ({ title: `the request ${title}`, pointer: '' }),
      run: spelled(context),
    };
  },
};
