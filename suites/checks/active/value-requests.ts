import type { JsonObject } from '../../../contracts/json.ts';
import { anyPosition, at, steps } from '../../../contracts/pointer.ts';
import { present } from '../../../contracts/present.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import {
  bodyOfParts,
  fieldParts,
  oddParts,
  type Part,
  type PartsInput,
  type WideBody,
} from '../../generators/index.ts';
import { acceptanceViolations, isCircumstantial, isClientError } from '../../judge/outcome.ts';
import { refusalInWords, refusalReason } from '../../judge/refusal-words.ts';
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
import { count } from '../../protocol/entries.ts';
import { entityKinds } from '../../state/entity-kinds.ts';
import { echo } from '../passive/echo.ts';
import { schema } from '../passive/schema.ts';
import type { Care } from '../scenarios/scenario.ts';
import { templateOf } from './body.ts';
import { asDryRun, createsForGood, dryRuns, withoutLoss } from './dry-run.ts';
import { refusedValues } from './refused-values.ts';
import { readBack } from './stored-values.ts';
import { type Culprit, type Shown, takeApart } from './taken-apart.ts';
import { storedWrongly } from './wrong-value.ts';

/** A set of values to send together: all fields of a body at ordinary values, some with odd values. */
export interface Layer {
  readonly title: string;
  readonly wide: WideBody;
  /** Descriptions of the odd parts; parts refused with one are tried with the next. Empty: ordinary values alone. */
  readonly sizes: readonly PartsInput[];
  /** True if it is really created and read back where each creation stays; otherwise it is a dry run. */
  readonly real: boolean;
  /** True if it is read back even where reading is a write, as every real one is. */
  readonly isRead?: true;
}

/** Maximum number of requests that take refused parts apart: whether they are refused is OPEN. */
const mostHalves = 24;

/** Describes parts in words, with their place in the body. */
function aboutParts(parts: readonly Part[], body: JsonObject): RequestDescription {
  const places = new Set(parts.map(({ leaf, field }) => leaf?.pointer ?? field.field.pointer));
  const [pointer = ''] = places.size === 1 ? places : [];
  const [first] = parts;
  const what = parts.length === 1 ? first?.what : `${parts.length} odd values together`;
  const title = `${steps(pointer).join('.') || 'the request'}: ${what}`;
  return { title, pointer, ...present({ sent: pointer === '' ? undefined : at(body, pointer) }) };
}

/**
 * After this many refused odd numbers a place gets no more: it may take only a few ordinary ones. A single refused tame
 * one is enough.
 */
const mostRefusedNumbers = 2;

/** The passive checks that are shown only the smallest wrong part of an answer. */
const judgedApart = [echo.id, schema.id];

/** Returns the violations of an accepted answer: of the values that come back, and of their types. */
const wrongIn = (answer: Answer, { row }: CheckContext): readonly Violation[] => [
  ...echo.observe(answer, row).violations,
  ...schema.observe(answer, row).violations,
];

/**
 * Opens an endpoint for requests that carry many values at once. Whether such values are accepted is OPEN. Accepted
 * values must come back whole, in the answer and wherever the API can read them back. The passive checks see and judge
 * the smallest part that came back wrong.
 */
export function valueRequests(
  context: CheckContext,
  care: Care,
): (layer: Layer, session: Session) => Promise<CheckResult> {
  const { row } = context;
  const creates = createsForGood(context);
  /** Maximum number of accepted requests per layer where each leaves something. */
  const mostCreating = context.amounts.creations === 1 ? 1 : 2;
  const askDryRun = dryRuns(context);
  const ordinaryValues = refusedValues(context);
  /** The number of refused odd numbers per pointer. */
  const refusedNumbers = new Map<string, number>();
  const placeOf = ({ leaf, isTame }: Part): string => `${leaf?.pointer ?? ''}${isTame === true ? ' tame' : ''}`;
  const takesNumbers = (part: Part): boolean =>
    typeof part.piece !== 'number' ||
    (refusedNumbers.get(placeOf(part)) ?? 0) < (part.isTame === true ? 1 : mostRefusedNumbers);
  /** Refusals after which the minimal request was accepted, where each acceptance leaves something. */
  const survived = new Set<string>();
  let enough: string | null = null;
  let isOpened = false;
  /** The places that come back wrong whatever is sent there; undefined: not asked yet. */
  let everWrong: ReadonlySet<string> | undefined;

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
      return { answer, wrong: answer.success ? await ofParts(wrongIn(answer, context)) : [] };
    }

    /**
     * Returns the violations that the template alone does not show. The passive checks report those that it does; taken
     * for a part's, they would hide the violations of all parts.
     */
    async function ofParts(wrong: readonly Violation[]): Promise<readonly Violation[]> {
      if (wrong.length === 0 || creates) return wrong;
      if (everWrong === undefined) {
        const answer = await session.send(minimalApiRequest(context, layer.wide.template));
        everWrong = new Set(answer.success ? wrongIn(answer, context).map(({ pointer }) => anyPosition(pointer)) : []);
      }
      return wrong.filter(({ pointer }) => everWrong?.has(anyPosition(pointer)) !== true);
    }

    /** True if the target refuses its minimal request too. */
    async function isOver(refused: Answer): Promise<boolean> {
      // An accepted minimal request may leave something.
      if ((isOpened || (creates && !isDry)) && !isCircumstantial(refused)) return false;
      if (isSparing && survived.has(refusalReason(refused))) return false;
      const answer = await session.send(minimalApiRequest(context, isDry ? asDryRun(templateOf(context)) : undefined));
      isOpened ||= answer.success;
      if (answer.success) survived.add(refusalReason(refused));
      if (isClientError(answer)) enough = `the minimal request is refused (${refusalInWords(answer)})`;
      return enough !== null;
    }

    /** Shows the passive checks the smallest wrong request; a fault that is not seen again gets a doubt. */
    async function show({ parts, violation, shown, isSure = true }: Culprit): Promise<void> {
      const sent = request(parts, isDry);
      const about = aboutParts(parts, sent.body as JsonObject);
      const told = { ...shown.answer, request: { ...shown.answer.request, about } };
      if (isSparing && violation?.requirement.startsWith('echo.')) {
        violations.push({ ...violation, answer: told, seen: { times: 2, of: 2 } });
        return;
      }
      if (isSparing && !isSure) return;
      // Restore the wrong value before and afterwards: a write that changes nothing would show nothing.
      const bringBack = async () => {
        if (violation === null || creates) return;
        const { pointer } = violation;
        const body = { ...layer.wide.template, ...storedWrongly(row, pointer, at(shown.answer.value, pointer)) };
        await session.send({ ...minimalApiRequest(context, body), judgedApart });
      };
      await bringBack();
      const answer = await session.send({ ...sent, about });
      await bringBack();
      if (violation === null) {
        const again = isClientError(answer) || answer.success ? told : answer;
        violations.push(...acceptanceViolations(again, 'accept.combination', about.title));
      } else if (answer.success && wrongIn(answer, context).length === 0)
        violations.push({ ...violation, answer: told, doubt: 'not seen when it was sent again' });
    }

    /**
     * Leaves out what many targets refuse if the whole is refused with it, where few acceptances are allowed: halves of
     * it would use them up. Returns what to send, and how: what was accepted is not sent again.
     */
    async function withoutBold(parts: readonly Part[]) {
      if (!isSparing || !parts.some(({ isBold }) => isBold)) return { parts, send: sendQuietly };
      let known: Shown | undefined = await sendQuietly(parts);
      if (isClientError(known.answer))
        return { parts: parts.filter(({ isBold }) => isBold !== true), send: sendQuietly };
      const send = async (asked: readonly Part[]): Promise<Shown> => {
        const shown = asked === parts ? known : undefined;
        known = undefined;
        return shown ?? sendQuietly(asked);
      };
      return { parts, send };
    }

    let right: readonly Part[] = [];
    let first: Answer | undefined;
    const isSent = ({ field }: Part): boolean => !ordinaryValues.isKnown(field.name, layer.title);
    const ordinary = fieldParts(layer.wide).filter(isSent);
    for (let size = 0, waiting: ReadonlySet<string> | null = null; size < Math.max(1, layer.sizes.length); size += 1) {
      const input = layer.sizes[size];
      const odd = input === undefined ? [] : oddParts(layer.wide, input);
      const own = odd.filter(
        part => isSent(part) && takesNumbers(part) && (waiting === null || waiting.has(part.leaf?.pointer ?? '')),
      );
      const { parts, send } = await withoutBold(waiting === null ? [...ordinary, ...own] : own);
      if (parts.length === 0) break;
      const taken = await takeApart(parts, send, mostHalves, isSparing ? mostCreating : undefined, isOver);
      for (const culprit of taken.culprits) await show(culprit);
      const answers = async (some: readonly Part[]) => (await send(some)).answer;
      if (enough === null)
        violations.push(
          ...(await (isSparing
            ? ordinaryValues.judgeSparingly(parts, taken, session, answers)
            : ordinaryValues.judge(layer.title, taken, session, answers))),
        );
      first = taken.right.length === parts.length && size === 0 && !isDry ? last : undefined;
      right = [...right, ...taken.right];
      for (const part of taken.refused)
        if (part.leaf !== undefined && typeof part.piece === 'number') count(refusedNumbers, placeOf(part));
      const leaves = taken.refused.flatMap(({ leaf }) => (leaf === undefined ? [] : [leaf.pointer]));
      if (leaves.length === 0) break;
      waiting = new Set(leaves);
      if (enough !== null) break;
    }
    if (enough !== null && right.length === 0) return unproved(enough);
    if (right.length === 0 && violations.length === 0 && covers.size === 0)
      return unproved(`no such value is accepted (${words})`);
    // Reading an experiment enables its first group: the model compares what that shows with what was sent.
    if (row.resource === 'experiment' && right.length > 0 && (layer.real || layer.isRead === true))
      await entityKinds.experiment.read(context, session, context.minimal.param ?? '');
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
