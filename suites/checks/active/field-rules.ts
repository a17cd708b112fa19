import type { Capability } from '../../../contracts/dialect.ts';
import type { Action, Resource } from '../../../contracts/endpoint.ts';
import { type Json, type JsonObject, objectsIn } from '../../../contracts/json.ts';
import { at, putMember } from '../../../contracts/pointer.ts';
import { present } from '../../../contracts/present.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { consistentBody } from '../../generators/consistent-body.ts';
import { type AcceptCase, exampleOf, type RejectCase } from '../../generators/index.ts';
import type { CheckContext } from '../../protocol/check.ts';
import { schemaOf } from './body.ts';

/**
 * One way to break a rule: in words, where, the value sent there (absent: the member is left out), and a member at the top
 * that is left out too.
 */
type Breach = readonly [what: string, pointer: string, sent?: Json | undefined, besides?: string];

/** A rule across several fields of a body, with a request that keeps it and every way to break it. */
interface FieldRule {
  readonly resource: Resource;
  readonly action: Action;
  readonly requirement: RequirementId;
  /** The capability without which no case of the rule is sent. */
  readonly capability?: Capability;
  /** Returns the minimal request extended so that it keeps the rule; undefined if that cannot be sent. */
  readonly keeps: (minimal: JsonObject, context: CheckContext) => JsonObject | undefined;
  /** Returns variants that each differ from the kept request in one respect. */
  readonly breaches: (kept: JsonObject) => readonly Breach[];
  /** Returns the case that the kept request is accepted, if no other case shows that. */
  readonly accepted?: (kept: JsonObject) => Omit<AcceptCase, 'body' | 'value'>;
}

/**
 * A ratio over this many events counts each of them (section 2.7). The aggregations are valid words, but not for a
 * ratio.
 */
const ratio = (events: number, aggregations: readonly string[]): FieldRule => ({
  resource: 'metric',
  action: 'create',
  requirement: 'reject.ratio-aggregation',
  keeps(minimal) {
    const [event] = objectsIn(minimal.metricEvents);
    const counted = Array.from({ length: events }, () => ({ ...event, type: 'count' }));
    return event === undefined ? undefined : { ...minimal, type: 'ratio', metricEvents: counted };
  },
  breaches: () =>
    aggregations.map(one => [`${JSON.stringify(one)} for a ratio`, `/metricEvents/${events - 1}/type`, one]),
});

/**
 * A request that skips validation names the columns and a type for each (section 4.3). `isWhole` sends all columns that
 * the query needs. Otherwise it sends the first alone, where a service may fill in the rest.
 */
const unvalidated = (isWhole: boolean, more: Partial<FieldRule> & Pick<FieldRule, 'breaches'>): FieldRule => ({
  resource: 'qualifying-event',
  action: 'update',
  requirement: 'reject.skip-validation-columns',
  capability: 'skip-validation',
  keeps(minimal, context) {
    const skipping = { ...minimal, skip_validation: true, all_columns: [], column_types: ['string'] };
    const whole = consistentBody(schemaOf(context), skipping);
    const first = Array.isArray(whole.all_columns) ? whole.all_columns.slice(0, 1) : [];
    return isWhole ? whole : { ...whole, all_columns: first, column_types: ['string'] };
  },
  ...more,
});

const withoutColumns: readonly Breach[] = [
  ['skips validation without the names of columns', '/all_columns'],
  ['skips validation without the types of columns', '/column_types'],
];

/** Returns a body with a baseline of this mode and complete settings of a metric (section 2.5). */
function baseline(mode: string, minimal: JsonObject, { row, target }: CheckContext): JsonObject | undefined {
  const start = { ...minimal, analyticsType: 'sprt', defaultSPRTMDE: 0.05, sprtBaselineMode: mode };
  const settings = exampleOf(row.body?.properties?.sprtMDESettings ?? {}, { capabilities: target, root: start });
  return objectsIn(settings).length === 0 ? undefined : { ...start, sprtMDESettings: settings as Json };
}

/** Returns the body with the settings of each group changed. */
const withSettings = (body: JsonObject, change: (settings: JsonObject) => JsonObject): JsonObject => ({
  ...body,
  sprtMDESettings: objectsIn(body.sprtMDESettings).map(one => ({
    ...one,
    groupSettings: objectsIn(one.groupSettings).map(change),
  })),
});

/** Returns a baseline measured in the experiment: each group's settings need `mde` alone (section 2.5). */
function measuredBaseline(minimal: JsonObject, context: CheckContext): JsonObject | undefined {
  const whole = baseline('in_experiment_control', minimal, context);
  return whole === undefined ? undefined : withSettings(whole, ({ mean: _, stdDev: __, ...group }) => group);
}

/** Breaks the first and the last metric: each lacks in one group what the other lacks in another group. */
function incompleteBaselines(kept: JsonObject): readonly Breach[] {
  const settings = objectsIn(kept.sprtMDESettings);
  const metrics = [...new Set([0, settings.length - 1])];
  return metrics.flatMap((metric, turn) => {
    const groups = [...new Set([0, objectsIn(settings[metric]?.groupSettings).length - 1])];
    const names = turn === 0 ? ['mean', 'stdDev'] : ['stdDev', 'mean'];
    return groups.flatMap((group, place) =>
      // A single metric lacks both at each group; each of two metrics lacks one.
      (metrics.length > 1 ? [names[place] ?? ''] : names).map((name): Breach => {
        const pointer = `/sprtMDESettings/${metric}/groupSettings/${group}/${name}`;
        return [`a manual baseline without ${name}`, pointer];
      }),
    );
  });
}

const rules: readonly FieldRule[] = [
  ratio(1, ['sum', 'mean', 'value']),
  ratio(2, ['sum']),
  ratio(3, ['mean']),
  unvalidated(false, { breaches: () => withoutColumns }),
  unvalidated(true, {
    breaches: ({ column_types: types }) => [
      ['skips validation without any columns', '/all_columns', undefined, 'column_types'],
      ['a column without its type', '/column_types', (types as Json[]).slice(1)],
      ['a type without its column', '/column_types', [...(types as Json[]), 'string']],
    ],
    accepted: () => ({
      title: 'skip_validation: true, with the names and types of all columns',
      pointer: '/skip_validation',
      level: 'MUST',
      keyword: 'allOf',
      requirement: 'accept.skip-validation',
    }),
  }),
  {
    resource: 'qualifying-event',
    action: 'update',
    requirement: 'reject.skip-validation-columns',
    capability: 'skip-validation',
    keeps: minimal => ({ ...minimal, skip_validation: false }),
    breaches: () => [],
    accepted: ({ skip_validation: _, ...rest }) => ({
      title: 'skip_validation: false, with no columns',
      pointer: '/skip_validation',
      level: 'MUST',
      keyword: 'boolean',
      requirement: 'accept.plain-value',
      controls: [rest],
    }),
  },
  {
    resource: 'experiment',
    action: 'update',
    requirement: 'reject.sprt-baseline',
    keeps: (minimal, context) => baseline('manual', minimal, context),
    breaches: incompleteBaselines,
    accepted: ({ sprtBaselineMode: _, ...rest }) => ({
      title: 'sprtBaselineMode: "manual", with complete settings',
      pointer: '/sprtBaselineMode',
      level: 'SHOULD',
      keyword: 'enum',
      controls: [rest],
    }),
  },
  {
    resource: 'experiment',
    action: 'update',
    requirement: 'reject.sprt-baseline',
    keeps: measuredBaseline,
    breaches: () => [],
    accepted: kept => ({
      title: 'sprtBaselineMode: "in_experiment_control", with mde alone',
      isComplete: true,
      pointer: '/sprtMDESettings',
      level: 'SHOULD',
      keyword: 'enum',
      controls: [withSettings(kept, group => ({ ...group, mean: 1, stdDev: 1 }))],
    }),
  },
];

/** Returns the operation's rules, each with the request that keeps it, if that may be sent. */
function keptRules(context: CheckContext): readonly { readonly rule: FieldRule; readonly kept: JsonObject }[] {
  const { row, minimal, target } = context;
  return rules.flatMap(rule => {
    if (rule.resource !== row.resource || rule.action !== row.action) return [];
    if (rule.capability !== undefined && !target.has(rule.capability)) return [];
    const kept = rule.keeps(minimal.body ?? {}, context);
    const isWithheld = Object.keys(kept ?? {}).some(name => target.withheld?.(name) !== undefined);
    return kept === undefined || isWithheld ? [] : [{ rule, kept }];
  });
}

/** Returns cases that keep the operation's rules and that no other case sends. */
export const ruleInstances = (context: CheckContext): readonly AcceptCase[] =>
  keptRules(context).flatMap(({ rule, kept }) => {
    const one = rule.accepted?.(kept);
    return one === undefined ? [] : [{ ...one, body: kept, value: at(kept, one.pointer) ?? null }];
  });

/** Returns every way to break the operation's rules, each with the request that keeps the rule. */
export const ruleBreaches = (context: CheckContext): readonly RejectCase[] =>
  keptRules(context).flatMap(({ rule: { requirement, breaches }, kept: control }) =>
    breaches(control).map(
      ([what, pointer, sent, besides]): RejectCase => ({
        title: `${pointer.slice(1).replaceAll('/', '.')}: ${what}`,
        pointer,
        keyword: 'allOf',
        level: 'MUST',
        body: putMember(besides === undefined ? control : putMember(control, `/${besides}`, undefined), pointer, sent),
        control,
        requirement,
        ...present({ sent, controlValue: at(control, pointer) }),
      }),
    ),
  );

/** Returns the requirements that the breaches of an operation's rules show or, with `kept`, the kept requests. */
export const ruleRequirements = ({ resource, action }: Pick<FieldRule, 'resource' | 'action'>, kept: boolean) =>
  rules
    .filter(rule => rule.resource === resource && rule.action === action)
    .flatMap(rule => (kept ? (rule.accepted?.({})?.requirement ?? []) : rule.requirement));
