import { isOperation, type Resource } from '../../../contracts/endpoint.ts';
import { fieldRequirementsOf } from '../../../contracts/fields.ts';
import type { Json, JsonObject } from '../../../contracts/json.ts';
import { memoized } from '../../../contracts/memoized.ts';
import { at, putMember, same, steps } from '../../../contracts/pointer.ts';
import { type RequirementId, requirementById } from '../../../contracts/requirements/index.ts';
import { lifted, type RejectCase, wholeControl } from '../../generators/index.ts';
import { refusalViolations } from '../../judge/outcome.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import { bodyRequirement } from '../../judge/schema.ts';
import { type Answer, type ApiRequest, isAccepted } from '../../protocol/answer.ts';
import { changed } from '../../protocol/base.ts';
import {
  type ActiveCheck,
  type CaseDescription,
  type CheckContext,
  type CheckPlan,
  covering,
  minimalApiRequest,
  type Session,
  unproved,
} from '../../protocol/check.ts';
import { entryOf, promised } from '../../protocol/entries.ts';
import { schemaOf, templateOf } from './body.ts';
import { createRecheck, sendControl } from './controls.ts';
import { asDryRun, createsForGood, dryRuns, withoutLoss } from './dry-run.ts';
import { ruleRequirements } from './field-rules.ts';

/** Rules that the specification states in prose, outside the tables of fields. */
// biome-ignore format: a table
const proseRules: readonly { resource: Resource; pointer: RegExp; keyword?: RejectCase['keyword']; leftOut?: true; requirement: RequirementId }[] = [
  { resource: 'metric',           pointer: /^\/metricEvents\/\d+\/name$/,           leftOut: true,   requirement: 'reject.metric-event-members' },
  { resource: 'metric',           pointer: /^\/metricEvents\/\d+\/type$/,           keyword: 'allOf', requirement: 'reject.ratio-aggregation' },
  { resource: 'qualifying-event', pointer: /^\/(all_columns|column_types)$/,         leftOut: true,   requirement: 'reject.skip-validation-columns' },
  { resource: 'qualifying-event', pointer: /^\/skip_validation$/,                   keyword: 'allOf', requirement: 'reject.skip-validation-columns' },
];

/** True of a requirement that is neither OPEN nor unverified. */
const isJudged = (id: RequirementId): boolean => {
  const { level, unverified } = requirementById(id);
  return level !== 'OPEN' && unverified === undefined;
};

/** Returns the requirements that a broken request can show at an operation. */
export const refusalRequirements: ActiveCheck['requirements'] = row => [
  'reject.never-5xx',
  'reject.wrong-type',
  ...fieldRequirementsOf(schemaOf({ row })).filter(isJudged),
  ...proseRules.flatMap(one => (row.body !== null && one.resource === row.resource ? one.requirement : [])),
  ...ruleRequirements(row, false),
];

/** The properties of a broken request that decide which requirement its acceptance breaks. */
type Fault = Pick<RejectCase, 'level' | 'pointer'> & { readonly keyword: string; readonly sent?: Json | undefined };

/** Returns the requirement that an acceptance breaks: the field's own, or one for all wrong types in requests. */
export function requirementOfFault(
  { level, pointer, keyword, sent }: Fault,
  { row }: Pick<CheckContext, 'row'>,
): RequirementId {
  const rule = proseRules.find(
    one =>
      one.resource === row.resource &&
      one.pointer.test(pointer) &&
      (one.keyword === undefined || one.keyword === keyword) &&
      (one.leftOut === undefined || sent === undefined) &&
      requirementById(one.requirement).level === level,
  );
  return rule?.requirement ?? (level === 'SHOULD' ? 'reject.wrong-type' : bodyRequirement(row, pointer));
}

/**
 * True of a case without all environments, since the endpoint may replace the whole set. True also of one with a
 * changed environment id, which may create an environment if accepted.
 */
export const losesTheSet = ({ pointer, sent, controlValue }: RejectCase, { row }: CheckContext): boolean =>
  isOperation(row, 'environment', 'update') &&
  /^(\/environments(\/\d+(\/id)?)?)?$/.test(pointer) &&
  !(Array.isArray(sent) && Array.isArray(controlValue) && same(sent.slice(0, controlValue.length), controlValue));

/** Returns a case in words: what is sent, where, and what its control has there. */
export const describeRejectCase = ({
  title,
  pointer,
  sent,
  controlValue,
  keyword,
  level,
}: RejectCase): CaseDescription => ({
  title,
  pointer,
  sent,
  control: controlValue,
  rule: { keyword, level },
});

/** Maximum number of repeated controls where each creates something that stays. */
const mostCreated = 2;
/** After this many accepted broken creations, only those that break a stated rule are sent. */
const mostAccepted = 4;

/** The titles of accepted broken creations per endpoint, shared by all checks of a run. */
const acceptedIn = memoized((_run: object) => new Map<string, Set<string>>());

/** The answers to the minimal requests of operations that work only once, sent when they have worked, of a run. */
const repeatedIn = memoized((_run: object) => new Map<string, Promise<Answer>>());

/** Returns the request of a broken body. What the target demands besides must not mend it. */
function brokenRequest(context: CheckContext, session: Session, { pointer }: RejectCase, body: JsonObject): ApiRequest {
  const whole = changed(body, session.bases?.get(context.endpoint)?.changes ?? []);
  const own = at(body, pointer);
  if (pointer === '' || same(at(whole, pointer), own)) return minimalApiRequest(context, body);
  return { ...minimalApiRequest(context, putMember(whole, pointer, own)), asIs: true };
}

/** A broken request as it is sent, and the control from which it differs. */
interface Pair {
  readonly input: RejectCase;
  readonly body: JsonObject;
  readonly control: JsonObject;
  /** False if an acceptance leaves nothing behind. */
  readonly leaves: boolean;
}

/**
 * Sends a broken request, and its control, which differs in one respect. The refusal proves something only while the
 * control is accepted (see `createRecheck`). Sends each control once, and again to confirm a finding. If the operation
 * works only once, the endpoint's minimal request is the control: it was accepted before, and is sent once more,
 * because what is ended already may refuse everything.
 *
 * If each control would create something, a dry run is the control of a dry run. A breach of a stated rule is sent
 * `really`, on top of a control with all fields, where possible.
 */
export function refusal(context: CheckContext, really: boolean): CheckPlan<RejectCase>['run'] {
  const { row, target } = context;
  const controls = new Map<string, Promise<Answer>>();
  const keyOf = memoized((control: JsonObject) => ({ text: JSON.stringify(control) }));
  const creates = createsForGood(context);
  const recheck = createRecheck(creates ? mostCreated : undefined);
  const askDryRun = dryRuns(context);
  const schema = schemaOf(context);
  /** Controls that have all fields, the one with longer lists first. */
  let wholes: readonly JsonObject[] | undefined;

  /** Sends a control, unless this check has sent it, or another check has had it accepted. */
  const controlled = (control: JsonObject, session: Session): Promise<Answer> =>
    promised(controls, keyOf(control).text, () => sendControl(session, minimalApiRequest(context, control)));

  async function paired(input: RejectCase, session: Session): Promise<Pair> {
    const control = withoutLoss(input.control, context);
    const own = {
      input,
      body: control === input.control ? withoutLoss(input.body, context) : asDryRun(input.body),
      control,
      leaves: creates,
    };
    if (!creates) return own;
    const isDry = (await askDryRun(session)) !== undefined;
    if (!isDry || (really && input.level === 'MUST')) {
      wholes ??= [false, true].map(hasFewItems => wholeControl(schema, templateOf(context), target, hasFewItems));
      for (const whole of wholes) {
        const up = lifted(input, whole, schema) ?? (input.alone && lifted(input.alone, whole, schema));
        if (up === undefined || !(await controlled(whole, session)).success) continue;
        const { alone: _, ...together } = up;
        return { ...own, input: together, body: up.body, control: up.control };
      }
    }
    if (!isDry) return own;
    // A case about `dryRun` itself stays unchanged.
    const body = steps(input.pointer)[0] === 'dryRun' ? input.body : asDryRun(input.body);
    return { input, body, control: asDryRun(input.control), leaves: false };
  }

  /** Returns the case, or its substitute if its control is refused. */
  async function chosen(given: RejectCase, session: Session): Promise<Pair> {
    const pair = await paired(given, session);
    const { alone } = pair.input;
    if (alone === undefined || context.oneShot) return pair;
    return isAccepted(await controlled(pair.control, session)) ? pair : chosen(alone, session);
  }

  return async (given, session) => {
    const { input, body, control, leaves } = await chosen(given, session);
    const accepted = entryOf(acceptedIn(session.run ?? session), context.endpoint, () => new Set());
    const isEnough = accepted.size >= Math.min(mostAccepted, context.amounts.creations);
    // Send an accepted case again, to confirm what its answer has shown.
    if (leaves && input.level === 'SHOULD' && isEnough && !accepted.has(input.title))
      return unproved('broken requests are accepted, and each leaves something that the API cannot take away');
    // A finding may stand in the answer to the control. One that leaves something is not sent again.
    const isAnew = session.isConfirming === true && !leaves;
    const asControl = (): Promise<Answer> =>
      isAnew ? session.send(minimalApiRequest(context, control)) : controlled(control, session);
    const opened = context.oneShot ? null : await asControl();
    const answer = await session.send(brokenRequest(context, session, input, body));
    if (leaves && answer.success) accepted.add(input.title);
    const requirement = input.requirement ?? requirementOfFault(input, context);
    // An accepted broken creation is proof enough: repeated, it would leave another or collide with the first.
    const seen = leaves && answer.success && { seen: { times: 1, of: 1 } };
    const violations = refusalViolations(answer, requirement, input.title).map(one => ({ ...one, ...seen }));
    // The refusal of a wrong type also shows that the field's type is checked.
    const covers = [requirement, bodyRequirement(row, input.pointer), 'reject.never-5xx' as const];
    if (violations.length > 0) return covering(violations, []);
    if (opened !== null && !isAccepted(opened))
      return unproved(
        `the valid control of the broken request was not accepted either (${refusalInWords(opened)}), so a refusal proves nothing`,
      );
    const again = () => session.send({ ...minimalApiRequest(context, control), spare: true });
    const lost = opened === null ? null : await recheck(answer, again);
    if (lost !== null) return unproved(lost);
    if (!context.oneShot) return covering([], covers);
    const ofRun = repeatedIn(session.run ?? session);
    const repeat = () => session.send(minimalApiRequest(context));
    const { success, status } = await entryOf(ofRun, context.endpoint, repeat);
    // Refused like the sound request: no more is shown than that it is not answered with a 5xx.
    const isProved = success || status !== answer.status;
    return { ...covering([], isProved ? covers : ['reject.never-5xx']), onlyIfAccepted: true };
  };
}
