import { isOperation } from '../../../contracts/endpoint.ts';
import type { JsonObject } from '../../../contracts/json.ts';
import { type RejectCase, rejectCases } from '../../generators/index.ts';
import type { ActiveCheck, CheckContext } from '../../protocol/check.ts';
import { describeRejectCase, losesTheSet, refusal, refusalRequirements } from './refusal.ts';

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

/** Bounds, closed sets and required fields before wrong types, and those before the many characters of a pattern. */
const priority = ({ keyword, level, alike }: RejectCase): number =>
  keyword === 'pattern' || alike === true ? 2 : level === 'SHOULD' ? 1 : 0;

/** Sections 2 and 8: what breaks a stated constraint is refused, near misses above all. */
export const rejects: ActiveCheck<RejectCase> = {
  kind: 'active',
  id: 'rejects',
  level: 'MUST',
  title: 'A request that breaks one stated constraint is refused, and not with a 5xx',
  detects:
    'A bound off by one, a pattern that lets one character through, an enum that ignores letter case, a required field that is not missed.',
  requirements: refusalRequirements,
  appliesTo: row => row.body !== null,
  plan(context) {
    const { row, minimal, target } = context;
    if (row.body === null) return { because: 'the operation has no body' };
    const { cases: all, notExercised } = rejectCases(row.body, minimal.body ?? {}, target);
    const cases = [...all, ...ratioCases(context)].filter(one => !losesTheSet(one, context));
    return { cases, notExercised, parallel: true, priority, describe: describeRejectCase, run: refusal(context, true) };
  },
};
