import { hasDryRun, isOperation, writesApart } from '../../../contracts/endpoint.ts';
import type { JsonObject } from '../../../contracts/json.ts';
import { type AcceptCase, acceptCases, takesNull } from '../../generators/index.ts';
import {
  type ActiveCheck,
  type CheckContext,
  type CheckPlan,
  minimalApiRequest,
  type NothingToDo,
  unproved,
} from '../../protocol/check.ts';
import { shortPlaceholder } from '../../protocol/created-names.ts';
import { groupsOf } from '../../state/entity-kinds.ts';
import { fixtureNames } from '../../sut/target.ts';
import { contextFor } from '../stimuli/sequence-subjects.ts';
import { acceptance, describeAcceptCase, requirementOfAcceptCase, requirementsOfFields } from './acceptance.ts';
import { templateOf } from './body.ts';
import { ruleInstances, ruleRequirements } from './field-rules.ts';
import { judgeUnlisted } from './unlisted.ts';
import { judgeUnserved } from './unserved.ts';

/** The minimal request: the only case of an operation that has no body or works only once. */
const minimalCase = (body: JsonObject): AcceptCase => ({
  title: 'the minimal request',
  pointer: '',
  value: body,
  body,
  level: 'MUST',
  keyword: 'template',
});

/** A documented null that is sent to another fixture than the endpoint's own. */
type NullElsewhere = AcceptCase & { readonly at: CheckContext };

/**
 * Returns documented nulls that must not be sent to the patch's own fixture. Each goes to a fixture whose field was
 * read as empty, so that nothing is lost (section 2.3). A field that was read exists, whatever capability its other
 * values need.
 */
function nullsElsewhere(context: CheckContext): readonly NullElsewhere[] {
  const { row, endpoint, minimal, target, discovered } = context;
  if (row.action !== 'patch' || row.fixture === null) return [];
  const names = fixtureNames(target, row.fixture);
  const mayBeNull = (name: string | undefined, field: string): boolean =>
    discovered.writable?.field(endpoint, name, field, null) === undefined;
  const isSent = (field: string): boolean => discovered.writable?.field(endpoint, minimal.param, field) === undefined;
  return Object.entries(row.body?.properties ?? {}).flatMap(([field, schema]): readonly NullElsewhere[] => {
    const name = takesNull(schema) && !isSent(field) ? names.find(one => mayBeNull(one, field)) : undefined;
    const at = name === undefined ? undefined : contextFor(context, endpoint, name);
    if (at === undefined) return [];
    const title = `${field}: documented null where there is none`;
    return [{ title, pointer: `/${field}`, value: null, body: { [field]: null }, level: 'MUST', keyword: 'null', at }];
  });
}

/**
 * Plans what can be sent if nothing may be written. An empty gate patch shows whether the operation is served; the
 * update of a qualifying event shows whether it finds what its list omits.
 */
function servedAtAll(
  context: CheckContext,
  unwritable: NonNullable<CheckContext['unwritable']>,
): CheckPlan<AcceptCase> | NothingToDo {
  const isGate = isOperation(context.row, 'gate', 'patch');
  if (!isGate && !isOperation(context.row, 'qualifying-event', 'update')) return unwritable;
  return {
    cases: [minimalCase({})],
    remedy: unwritable.remedy,
    parallel: false,
    describe: describeAcceptCase,
    run: async ({ body }, session) => {
      if (!isGate) return judgeUnlisted(context, session, unwritable.because);
      return (
        (await judgeUnserved(context, session, await session.send(minimalApiRequest(context, body)))) ??
        unproved(unwritable.because)
      );
    },
  };
}

/**
 * Returns the case that names all groups of the experiment (section 4.8): the minimal request names one. A service may
 * have a rule for them together.
 */
function everyGroup(context: CheckContext): readonly AcceptCase[] {
  const { row, minimal } = context;
  const value = isOperation(row, 'experiment', 'enable') ? [...groupsOf(context, minimal.param ?? '')] : [];
  if (value.length < 2) return [];
  const title = 'group_names: every group';
  const requirement = 'accept.combination';
  return [
    {
      title,
      pointer: '/group_names',
      value,
      body: { group_names: value },
      level: 'SHOULD',
      keyword: 'items',
      requirement,
    },
  ];
}

/** Sections 4 and 8: a request within the specification is accepted, field by field, at every stated boundary. */
export const accepts: ActiveCheck<AcceptCase> = {
  kind: 'active',
  id: 'accepts',
  role: 'minimal-request',
  level: 'MUST',
  title: 'The minimal request is accepted, and each plain field on top of it at every stated boundary',
  detects:
    'A bound that is one too strict, an enum without one of its values, a pattern that forgets a character, an optional field that is refused.',
  requirements: row => [
    'service.route',
    'accept.smallest',
    'accept.optional-absent',
    ...ruleRequirements(row, true),
    ...(isOperation(row, 'qualifying-event', 'update') ? ['state.qualifying-event-visible' as const] : []),
    ...(row.body === null ? [] : requirementsOfFields),
  ],
  appliesTo: () => true,
  readsUnwritable: true,
  plan(context) {
    const { row, oneShot, target, unwritable } = context;
    const template = templateOf(context);
    const describe = describeAcceptCase;
    if (unwritable !== undefined) return servedAtAll(context, unwritable);
    if (row.body === null || oneShot) {
      const { run } = acceptance(context, requirementOfAcceptCase);
      return { cases: [minimalCase(template)], parallel: false, describe, run };
    }
    const { cases: ofFields, notExercised } = acceptCases(row.body, template, target);
    // The types of metrics have a check of their own.
    const isOfMetric = isOperation(row, 'metric', 'create');
    const cases = [
      ...ofFields.filter(({ pointer }) => !(isOfMetric && pointer === '/type')),
      ...ruleInstances(context),
      ...everyGroup(context),
    ];
    // A name too short for the run's token may exist already. Do not create it if a dry run can show it.
    const packable = cases.filter(({ body }) => !(hasDryRun(row) && body.name === shortPlaceholder));
    const sent = acceptance(context, requirementOfAcceptCase, { packable, judgesDryRuns: true });
    return {
      cases: [...cases, ...nullsElsewhere(context)],
      notExercised,
      parallel: writesApart(row),
      describe,
      ...sent,
      run: (input, session) =>
        'at' in input
          ? acceptance((input as NullElsewhere).at, requirementOfAcceptCase).run(input, session)
          : sent.run(input, session),
    };
  },
};
