import type { Json, JsonObject } from '../../../contracts/json.ts';
import { at, steps } from '../../../contracts/pointer.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { validatorFor } from '../../../contracts/validation.ts';
import {
  bodyOfParts,
  fieldParts,
  oddParts,
  type Part,
  type PartsInput,
  type WideBody,
} from '../../generators/index.ts';
import { acceptanceViolations, isCircumstantial, isClientError } from '../../judge/outcome.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import type { Answer, RequestDescription } from '../../protocol/answer.ts';
import {
  type CheckContext,
  type CheckResult,
  covering,
  minimalApiRequest,
  type Session,
  unproved,
  type Violation,
} from '../../protocol/check.ts';
import { echo } from '../passive/echo.ts';
import { schema } from '../passive/schema.ts';
import type { Care } from '../scenarios/scenario.ts';
import { asDryRun, createsForGood, dryRuns, withoutLoss } from './dry-run.ts';
import { readBack } from './stored-values.ts';
import { type Culprit, type Shown, takeApart } from './taken-apart.ts';

/** What is sent together: the fields of a body at ordinary values, and odd values of some kinds in them. */
export interface Layer {
  readonly title: string;
  readonly wide: WideBody;
  /** What to make odd parts of; what is refused of the first is tried as the next. None: ordinary values alone. */
  readonly sizes: readonly PartsInput[];
  /** Really created, and read back, where each creation stays; the others are dry runs. */
  readonly real: boolean;
}

/** So many requests take apart what is refused: whether it is refused is open. */
const mostHalves = 24;

/** Parts in words, and where in the body they stand. */
function aboutParts(parts: readonly Part[], body: JsonObject): RequestDescription {
  const places = new Set(parts.map(({ leaf, field }) => leaf?.pointer ?? field.field.pointer));
  const [pointer = ''] = places.size === 1 ? places : [];
  const [first] = parts;
  const what = parts.length === 1 ? first?.what : `${parts.length} odd values together`;
  const title = `${steps(pointer).join('.') || 'the request'}: ${what}`;
  const sent: Json | undefined = pointer === '' ? undefined : at(body, pointer);
  return { title, pointer, ...(sent === undefined ? {} : { sent }) };
}

/** A place of which so many odd numbers were refused is sent no further ones: it may take but a few, all of them ordinary. */
const mostRefusedNumbers = 2;

/** The passive checks that judge what came back: they are shown the smallest part that is wrong. */
const judgedApart = [echo.id, schema.id];

/** What an accepted answer could be accused of: by what comes back, and by the types of it. */
const wrongIn = (answer: Answer, { row }: CheckContext): readonly Violation[] => [
  ...echo.observe(answer, row).violations,
  ...schema.observe(answer, row).violations,
];

/**
 * Opens an endpoint for requests that carry much at once. Whether such values are accepted is open; what is accepted
 * comes back whole, in the answer and where the API offers a way to read it back. The passive checks are shown the
 * smallest part of a request that came back wrong, and judge it.
 */
export function valueRequests(
  context: CheckContext,
  care: Care,
): (layer: Layer, session: Session) => Promise<CheckResult> {
  const { row, minimal } = context;
  const creates = createsForGood(context);
  /** So many requests of a layer may be accepted, where each leaves something. */
  const mostCreating = context.amounts.creations === 1 ? 1 : 2;
  const askDryRun = dryRuns(context);
  const refusedFields = new Set<string>();
  /** How many odd numbers of a place were refused, by its pointer. */
  const refusedNumbers = new Map<string, number>();
  const takesNumbers = ({ leaf, piece }: Part): boolean =>
    typeof piece !== 'number' || (refusedNumbers.get(leaf?.pointer ?? '') ?? 0) < mostRefusedNumbers;
  /** What refusals said after which the minimal request was accepted, where each acceptance leaves something. */
  const survived = new Set<string>();
  let enough: string | null = null;
  let isOpened = false;

  return async (layer, session) => {
    if (enough !== null) return unproved(enough);
    const isDry = (await askDryRun(session)) !== undefined;
    const isSparing = creates && !isDry;
    if (isSparing && !layer.real)
      return unproved('not sent, as it would leave something that the API cannot take away');
    const covers = new Set<RequirementId>();
    const violations: Violation[] = [];
    let words = 'nothing of it could be sent';
    let last: Answer | undefined;

    const request = (parts: readonly Part[], dry: boolean) => {
      const body = bodyOfParts(parts, layer.wide);
      return minimalApiRequest(context, dry ? asDryRun(body) : withoutLoss(body, context));
    };

    async function sendQuietly(parts: readonly Part[], dry = isDry): Promise<Shown> {
      const answer = await session.send({ ...request(parts, dry), judgedApart });
      last = answer;
      isOpened ||= answer.success;
      if (!answer.success) words = refusalInWords(answer);
      else for (const id of echo.observe(answer, row).covers ?? []) covers.add(id);
      return { answer, wrong: answer.success ? wrongIn(answer, context) : [] };
    }

    /** True where the target refuses its minimal request too. */
    async function isOver(refused: Answer): Promise<boolean> {
      // A minimal request that is accepted may leave something.
      if ((isOpened || (creates && !isDry)) && !isCircumstantial(refused)) return false;
      if (isSparing && survived.has(refusalInWords(refused))) return false;
      const answer = await session.send(
        minimalApiRequest(context, isDry ? asDryRun(minimal.body ?? {}) : minimal.body),
      );
      isOpened ||= answer.success;
      if (answer.success) survived.add(refusalInWords(refused));
      if (isClientError(answer)) enough = `the minimal request is refused (${refusalInWords(answer)})`;
      return enough !== null;
    }

    /** The field that came back wrong, as the answer showed it: what stands there before a write must not be what it sends. */
    function wrongly({ pointer }: Violation, { value }: Answer): JsonObject {
      const [data, field = '', member] = steps(pointer);
      const documented = row.body?.properties?.[field];
      const got = at(value, pointer);
      if (data !== 'data' || member !== undefined || documented === undefined || got === undefined) return {};
      return validatorFor(documented)(got).length === 0 ? { [field]: got as Json } : {};
    }

    /** Shows the passive checks the smallest request that was wrong; what they do not see again is a doubt. */
    async function show({ parts, violation, shown, isSure = true }: Culprit): Promise<void> {
      const sent = request(parts, isDry);
      const about = aboutParts(parts, sent.body as JsonObject);
      const told = { ...shown.answer, request: { ...shown.answer.request, about } };
      if (isSparing && violation?.requirement.startsWith('echo.')) {
        violations.push({ ...violation, answer: told, seen: { times: 2, of: 2 } });
        return;
      }
      if (isSparing && !isSure) return;
      // What was stored of it is brought back, before and afterwards: a write that changes nothing would show nothing.
      const bringBack = async () =>
        violation === null || creates
          ? undefined
          : session.send({
              ...minimalApiRequest(context, { ...layer.wide.template, ...wrongly(violation, shown.answer) }),
              judgedApart,
            });
      await bringBack();
      const answer = await session.send({ ...sent, about });
      await bringBack();
      if (violation === null) {
        const again = isClientError(answer) || answer.success ? told : answer;
        violations.push(...acceptanceViolations(again, 'accept.combination', about.title));
      } else if (answer.success && wrongIn(answer, context).length === 0)
        violations.push({
          ...violation,
          answer: told,
          doubt: 'not seen when it was sent again',
        });
    }

    let right: readonly Part[] = [];
    let first: Answer | undefined;
    const ordinary = fieldParts(layer.wide).filter(({ field }) => !refusedFields.has(field.name));
    for (let size = 0, waiting: ReadonlySet<string> | null = null; size < Math.max(1, layer.sizes.length); size += 1) {
      const input = layer.sizes[size];
      const odd = input === undefined ? [] : oddParts(layer.wide, input);
      const own = odd.filter(
        part =>
          !refusedFields.has(part.field.name) &&
          takesNumbers(part) &&
          (waiting === null || waiting.has(part.leaf?.pointer ?? '')),
      );
      const parts = waiting === null ? [...ordinary, ...own] : own;
      if (parts.length === 0) break;
      const taken = await takeApart(parts, sendQuietly, mostHalves, isSparing ? mostCreating : undefined, isOver);
      for (const culprit of taken.culprits) await show(culprit);
      first = taken.right.length === parts.length && size === 0 && !isDry ? last : undefined;
      right = [...right, ...taken.right];
      if (input === undefined) for (const { field } of taken.refused) refusedFields.add(field.name);
      for (const { leaf, piece } of taken.refused)
        if (leaf !== undefined && typeof piece === 'number')
          refusedNumbers.set(leaf.pointer, (refusedNumbers.get(leaf.pointer) ?? 0) + 1);
      const leaves = taken.refused.flatMap(({ leaf }) => (leaf === undefined ? [] : [leaf.pointer]));
      if (leaves.length === 0) break;
      waiting = new Set(leaves);
      if (enough !== null) break;
    }
    if (enough !== null && right.length === 0) return unproved(enough);
    if (right.length === 0 && violations.length === 0 && covers.size === 0)
      return unproved(`no such value is accepted (${words})`);
    if (layer.real || !creates) {
      const stored = await readBack(context, session, care, {
        parts: right,
        first,
        send: parts => sendQuietly(parts, false),
        about: parts => aboutParts(parts, bodyOfParts(parts, layer.wide)),
      });
      for (const id of stored.covers ?? []) covers.add(id);
      violations.push(...stored.violations);
    }
    return covering(violations, covers);
  };
}
