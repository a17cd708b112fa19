import { isOperation, type Resource } from '../../../contracts/endpoint.ts';
import { fieldRowsOf } from '../../../contracts/fields.ts';
import type { JsonObject } from '../../../contracts/json.ts';
import { type RequirementId, requirementById } from '../../../contracts/requirements/index.ts';
import { type RejectCase, rejectArbitrary, rejectCases } from '../../generators/index.ts';
import { fieldRequirement } from '../../judge/field-requirement.ts';
import { refusalViolations } from '../../judge/outcome.ts';
import { type ActiveCheck, type CheckContext, type CheckResult, minimalApiRequest } from '../../protocol/check.ts';
import type { Session } from '../../protocol/session.ts';
import { inDryRun } from './dry-run.ts';

/** A field of which nothing but the name is given has no type to refuse; one that only its own check sends is not broken here. */
const isJudged = (id: RequirementId): boolean => {
  const { level, unverified } = requirementById(id);
  return level !== 'OPEN' && unverified === undefined;
};

/** Rules that the specification states in prose, beside the tables of fields. */
// biome-ignore format: a table
const proseRules: readonly { resource: Resource; pointer: RegExp; keyword?: RejectCase['keyword']; leftOut?: true; requirement: RequirementId }[] = [
  { resource: 'metric',           pointer: /^\/metricEvents\/\d+\/(name|type)$/,    leftOut: true,   requirement: 'reject.metric-event-members' },
  { resource: 'metric',           pointer: /^\/metricEvents\/\d+\/type$/,           keyword: 'allOf', requirement: 'reject.ratio-aggregation' },
  { resource: 'qualifying-event', pointer: /^\/(all_columns|column_types)$/,         leftOut: true,   requirement: 'reject.skip-validation-columns' },
];

/** The row that a violation breaks: that of the field whose constraint it is; a wrong type in a request is one row for all. */
function requirementOf(input: RejectCase, context: CheckContext): RequirementId {
  if (input.level === 'SHOULD') return 'reject.wrong-type';
  const rule = proseRules.find(
    one =>
      one.resource === context.row.resource &&
      one.pointer.test(input.pointer) &&
      (one.keyword === undefined || one.keyword === input.keyword) &&
      (one.leftOut === undefined || input.sent === undefined),
  );
  if (rule !== undefined) return rule.requirement;
  return fieldRequirement(context.endpoint, 'body', input.pointer);
}

/**
 * Sends a broken request, and the control from which it differs in one respect: only where the control is accepted does the refusal prove anything. Controls are sent
 * once each. Where the operation works only once, the endpoint's minimal request is the control, and comes at the end of the lane.
 */
function refusal(context: CheckContext) {
  const controls = new Map<string, Promise<boolean>>();
  const controlAccepted = (input: RejectCase, session: Session): Promise<boolean> => {
    const body = inDryRun(input.control, context);
    const key = JSON.stringify(body);
    const known = controls.get(key) ?? session.send(minimalApiRequest(context, body)).then(answer => answer.success);
    controls.set(key, known);
    return known;
  };
  return async (input: RejectCase, session: Session): Promise<CheckResult> => {
    const accepted = context.oneShot || (await controlAccepted(input, session));
    const answer = await session.send(minimalApiRequest(context, inDryRun(input.body, context)));
    const requirement = requirementOf(input, context);
    const violations = refusalViolations(answer, requirement, input.title);
    // A wrong type that is refused shows that the type of the field is minded, beside the rule itself.
    const field = fieldRequirement(context.endpoint, 'body', input.pointer);
    const covers = [requirement, field, 'reject.never-5xx' as const];
    if (violations.length > 0) return { violations, proved: true, covers };
    if (!accepted) {
      return {
        violations,
        proved: false,
        because: 'the valid control of every broken request was refused too, so a refusal proves nothing',
      };
    }
    return { violations, proved: true, covers, onlyIfAccepted: context.oneShot };
  };
}

/** Aggregations that exist, but not for a ratio (section 2.7): other words than a misspelling. */
function ratioCases({ row, minimal }: CheckContext): readonly RejectCase[] {
  const event = (minimal.body?.metricEvents as readonly JsonObject[] | undefined)?.[0];
  if (!isOperation(row, 'metric', 'create') || event === undefined) return [];
  const control = { ...minimal.body, type: 'ratio', metricEvents: [{ ...event, type: 'count' }] };
  return ['sum', 'mean', 'value'].map(type => ({
    title: `metricEvents.0.type: "${type}" for a ratio`,
    pointer: '/metricEvents/0/type',
    keyword: 'allOf',
    level: 'MUST',
    body: { ...control, metricEvents: [{ ...event, type }] },
    control,
    sent: type,
    controlValue: 'count',
  }));
}

/** The endpoint may replace the whole set of environments, so it is sent only full sets: a broken member, never a missing one. */
const losesTheSet = ({ pointer }: RejectCase, { row }: CheckContext): boolean =>
  isOperation(row, 'environment', 'update') && /^(\/environments(\/\d+)?)?$/.test(pointer);

/** Bounds, closed sets and required fields before the wrong types, and those before the many characters of a pattern. */
const priority = ({ keyword, level }: RejectCase): number => (keyword === 'pattern' ? 2 : level === 'SHOULD' ? 1 : 0);

const describe = ({ title, pointer, sent, controlValue }: RejectCase) => ({
  title,
  pointer,
  sent,
  control: controlValue,
});

/** Sections 2 and 8: what breaks a stated constraint is refused, near misses above all. */
export const rejects: ActiveCheck<RejectCase> = {
  kind: 'active',
  id: 'rejects',
  level: 'MUST',
  title: 'A request that breaks one stated constraint is refused, and not with a 5xx',
  detects:
    'A bound off by one, a pattern that lets one character through, an enum that ignores letter case, a required field that is not missed.',
  requirements: row => [
    'reject.never-5xx',
    'reject.wrong-type',
    ...(row.body === null ? [] : fieldRowsOf(row.body).filter(isJudged)),
    ...(row.body === null ? [] : proseRules.filter(one => one.resource === row.resource).map(one => one.requirement)),
  ],
  reportsCoverage: true,
  appliesTo: row => row.body !== null,
  plan(context) {
    const { row, minimal, target } = context;
    if (row.body === null) return { because: 'the operation has no body' };
    const { cases: all, notExercised } = rejectCases(row.body, minimal.body ?? {}, target);
    const cases = [...all, ...ratioCases(context)].filter(one => !losesTheSet(one, context));
    return { cases, notExercised, parallel: true, priority, describe, run: refusal(context) };
  },
};

/** Random violations of one constraint, shrunk to the smallest. */
export const violations: ActiveCheck<RejectCase> = {
  kind: 'active',
  id: 'violations',
  level: 'MUST',
  title: 'Random requests that break one stated constraint are refused, and not with a 5xx',
  detects:
    'A constraint that is checked on the usual values only: by a prefix, after rounding, on the first item of a list.',
  requirements: rejects.requirements,
  reportsCoverage: true,
  appliesTo: row => row.body !== null,
  draws: 'fuzz',
  plan(context) {
    const { row, minimal, target } = context;
    if (row.body === null) return { because: 'the operation has no body' };
    return {
      arbitrary: rejectArbitrary(row.body, minimal.body ?? {}, target).filter(one => !losesTheSet(one, context)),
      parallel: true,
      describe,
      run: refusal(context),
    };
  },
};
