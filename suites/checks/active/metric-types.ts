import { isOperation } from '../../../contracts/endpoint.ts';
import { grouped } from '../../../contracts/grouped.ts';
import type { JsonObject } from '../../../contracts/json.ts';
import { present } from '../../../contracts/present.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import { type AcceptCase, acceptCases } from '../../generators/index.ts';
import { isClientError } from '../../judge/outcome.ts';
import type { ActiveCheck, CheckContext } from '../../protocol/check.ts';
import { acceptance, requirementOfAcceptCase } from './acceptance.ts';

/** A metric type that needs only events. */
interface TypeCase {
  readonly type: string;
  readonly requirement: RequirementId;
  /** Returns the members that the type needs besides the count of one event. */
  readonly more: (event: string) => JsonObject;
}

const countOf = (event: string): JsonObject => ({ name: event, type: 'count' });

/** A service may forget these fields where it treats a type apart. */
const company: JsonObject = {
  description: 'Orders of a visit.',
  tags: ['conform', 'orders'],
  directionality: 'decrease',
};

// biome-ignore format: a table
const typeCases: readonly TypeCase[] = [
  { type: 'event_count_custom', requirement: 'accept.metric-count-types', more: () => ({}) },
  { type: 'event_user',         requirement: 'accept.metric-count-types', more: () => ({}) },
  { type: 'ratio',              requirement: 'accept.metric-types',       more: event => ({ metricEvents: [countOf(event), { name: event, type: 'count_distinct' }] }) },
  { type: 'funnel',             requirement: 'accept.metric-types',       more: event => ({ funnelEventList: [{ name: event, type: 'count' }, { name: event, type: 'count' }] }) },
];

/** The types whose cases are in the table; those of others come from the contract. */
const ofEvents = new Set(typeCases.map(({ type }) => type));

/** Returns a case of each other type, with what the contract says it needs. No section says what else it may need. */
function otherTypes({ row, target, minimal }: CheckContext): readonly AcceptCase[] {
  const { cases } = acceptCases(row.body ?? { type: 'object' }, minimal.body ?? {}, target);
  const typed = grouped(cases, ({ body }) => String(body.type));
  return [...typed].flatMap(([type, [one]]) =>
    one === undefined || ofEvents.has(type) || type === minimal.body?.type ? [] : [{ ...one, level: 'SHOULD' }],
  );
}

/**
 * Section 2.7: metrics of the types that need only events can be created over the target file's events. Those of other
 * types may need more than the section says, so refusing them is a warning. All are sent with plain fields first.
 */
export const metricTypes: ActiveCheck<readonly AcceptCase[]> = {
  kind: 'active',
  id: 'metric-types',
  role: 'acceptance',
  level: 'MUST',
  title: 'A metric of each type can be created, with a description, tags and a direction',
  detects: 'A server that knows the metric types of its samples only, or forgets the tags of the others.',
  requirements: () => ['accept.metric-count-types', 'accept.metric-types', 'accept.combination'],
  appliesTo: row => isOperation(row, 'metric', 'create'),
  plan(context) {
    const event = context.target.fixtures.events?.[0] ?? '';
    const { body: minimal = {} } = context.minimal;
    const ofEvent = typeCases.map(({ type, requirement, more }): AcceptCase => {
      const title = `a metric of type ${type} over the event ${event}`;
      const body = { ...minimal, ...more(event), type };
      return { title, pointer: '/type', value: type, body, level: 'MUST', keyword: 'enum', requirement };
    });
    // Other checks send every field with the type of the minimal request.
    const cases = [...ofEvent, ...otherTypes(context)].map((bare): readonly AcceptCase[] => {
      if (bare.body.type === minimal.type) return [{ ...bare, body: minimal }];
      const { metricEvents, ...others } = bare.body;
      // The events of a funnel stand in a list of its own, and a service may forget those.
      const body = bare.body.funnelEventList === undefined ? { ...others, ...present({ metricEvents }) } : others;
      return [{ ...bare, body: { ...body, ...company } }, bare];
    });
    const real = context.amounts.creations > ofEvent.length ? cases.slice(0, ofEvent.length).flat() : [];
    const { run } = acceptance(context, requirementOfAcceptCase, { real });
    return {
      cases,
      parallel: true,
      describe: ([one]) => ({
        title: `a metric of type ${one?.body.type}`,
        pointer: one?.pointer ?? '',
        sent: one?.value,
        ...(one?.requirement === undefined && { rule: { keyword: 'enum', level: 'SHOULD' } }),
      }),
      async run([first, bare], session) {
        const whole = await run(first as AcceptCase, session);
        // The company may be what is refused: that says nothing of the type.
        const isRefused = whole.violations.every(({ answer }) => isClientError(answer));
        const isShown = whole.proved && whole.violations.length === 0;
        return bare === undefined || isShown || !isRefused ? whole : run(bare, session);
      },
    };
  },
};
