import { isOperation, type Resource } from '../../../contracts/endpoint.ts';
import { fieldRequirementsOf } from '../../../contracts/fields.ts';
import { type RequirementId, requirementById } from '../../../contracts/requirements/index.ts';
import type { RejectCase } from '../../generators/index.ts';
import { refusalViolations } from '../../judge/outcome.ts';
import { refusalInWords } from '../../judge/refusal-words.ts';
import { bodyRequirement } from '../../judge/schema.ts';
import { type Answer, isAccepted } from '../../protocol/answer.ts';
import {
  type ActiveCheck,
  type CheckContext,
  type CheckPlan,
  covering,
  minimalApiRequest,
  unproved,
} from '../../protocol/check.ts';
import { createsForGood, inDryRun } from './prepare.ts';
import { createRecheck } from './recheck.ts';

/** Rules that the specification states in prose, beside the tables of fields. */
// biome-ignore format: a table
const proseRules: readonly { resource: Resource; pointer: RegExp; keyword?: RejectCase['keyword']; leftOut?: true; requirement: RequirementId }[] = [
  { resource: 'metric',           pointer: /^\/metricEvents\/\d+\/(name|type)$/,    leftOut: true,   requirement: 'reject.metric-event-members' },
  { resource: 'metric',           pointer: /^\/metricEvents\/\d+\/type$/,           keyword: 'allOf', requirement: 'reject.ratio-aggregation' },
  { resource: 'qualifying-event', pointer: /^\/(all_columns|column_types)$/,         leftOut: true,   requirement: 'reject.skip-validation-columns' },
];

/** True of a field with a stated type, unless only a check of its own sends it. */
const isJudged = (id: RequirementId): boolean => {
  const { level, unverified } = requirementById(id);
  return level !== 'OPEN' && unverified === undefined;
};

/** The requirements that a broken request can show at an operation. */
export const refusalRequirements: ActiveCheck['requirements'] = ({ body, resource }) => [
  'reject.never-5xx',
  'reject.wrong-type',
  ...(body === null ? [] : fieldRequirementsOf(body).filter(isJudged)),
  ...(body === null ? [] : proseRules.filter(one => one.resource === resource).map(one => one.requirement)),
];

/** The requirement that the acceptance of a case breaks: that of the field, or one for all wrong types in requests. */
function requirementOfRejectCase({ level, pointer, keyword, sent }: RejectCase, { row }: CheckContext): RequirementId {
  if (level === 'SHOULD') return 'reject.wrong-type';
  const rule = proseRules.find(
    one =>
      one.resource === row.resource &&
      one.pointer.test(pointer) &&
      (one.keyword === undefined || one.keyword === keyword) &&
      (one.leftOut === undefined || sent === undefined),
  );
  return rule?.requirement ?? bodyRequirement(row, pointer);
}

/** True of a case without all environments: the endpoint may replace the whole set, so it is sent only in full. */
export const losesTheSet = ({ pointer }: RejectCase, { row }: CheckContext): boolean =>
  isOperation(row, 'environment', 'update') && /^(\/environments(\/\d+)?)?$/.test(pointer);

/** A case in words: what was sent, where, and what its control has there. */
export const describeRejectCase = ({ title, pointer, sent, controlValue }: RejectCase) => ({
  title,
  pointer,
  sent,
  control: controlValue,
});

/** So many controls are sent again at most where each creates something that stays. */
const mostCreated = 2;

/**
 * Sends a broken request, and the control from which it differs in one respect: only where the control is accepted does
 * the refusal prove anything, and only while it goes on being accepted (see `createRecheck`). Sends each control once.
 * Where the operation works only once, the endpoint's minimal request is the control, and comes at the end of the lane.
 */
export function refusal(context: CheckContext): CheckPlan<RejectCase>['run'] {
  const controls = new Map<string, Promise<Answer>>();
  const recheck = createRecheck(createsForGood(context, context.minimal.body ?? {}) ? mostCreated : undefined);
  return async (input, session) => {
    const control = inDryRun(input.control, context);
    const key = JSON.stringify(control);
    const sendControl = () => session.send(minimalApiRequest(context, control));
    if (!context.oneShot && !controls.has(key)) controls.set(key, sendControl());
    const paired = await controls.get(key);
    const answer = await session.send(minimalApiRequest(context, inDryRun(input.body, context)));
    const requirement = requirementOfRejectCase(input, context);
    const violations = refusalViolations(answer, requirement, input.title);
    // The refusal of a wrong type shows that the type of the field is checked, beside the rule itself.
    const covers = [requirement, bodyRequirement(context.row, input.pointer), 'reject.never-5xx' as const];
    if (violations.length > 0) return covering(violations, []);
    if (paired !== undefined && !isAccepted(paired))
      return unproved(
        `the valid control of the broken request was not accepted either (${refusalInWords(paired)}), so a refusal proves nothing`,
      );
    const lost = context.oneShot ? null : await recheck(answer, sendControl);
    if (lost !== null) return unproved(lost);
    return { ...covering([], covers), onlyIfAccepted: context.oneShot };
  };
}
