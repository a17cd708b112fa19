import { type Members, membersOf } from '../../../contracts/json.ts';
import { internalError } from '../../api/response.ts';
import {
  any,
  type Decorator,
  forgives,
  instead,
  isDry,
  laxWhere,
  type Mutable,
  misses,
  onEntity,
  onValidBody,
  opensTo,
  refused,
  reserves,
  sentBy,
  worksBeforeRefusing,
} from '../../decorators/index.ts';
import type { FaultTable } from '../fault.ts';

const whole = [
  'description',
  'idType',
  'hypothesis',
  'groups',
  'allocation',
  'targetingGateID',
  'bonferroniCorrection',
  'defaultConfidenceInterval',
  'status',
] as const;

/** Carries out a dry run if `when` holds for its body. */
const wetWhere = (when: (body: Members) => boolean): Decorator =>
  onValidBody(body => (body.dryRun === true && when(body) ? { ...body, dryRun: false } : body));

const items = (value: unknown): readonly Members[] => (Array.isArray(value) ? value.map(membersOf) : []);

/** Gives all items the first item's value of a member. */
const asTheFirst =
  (list: string, member: string) =>
  (value: Mutable): Mutable => {
    const [first, ...others] = items(value[list]);
    return {
      ...value,
      [list]: first === undefined ? value[list] : [first, ...others.map(one => ({ ...one, [member]: first[member] }))],
    };
  };

/** Effects of requests that were dry runs, refused or nearly right, beyond the first field and the first item. */
// biome-ignore format: a table
export const attemptFaults: FaultTable = [
  ['metric-dry-run-of-user-persists',    'create-metric',           'state.dry-run-metric',            'A dry run of a metric of type event_user creates it.',        wetWhere(({ type }) => type === 'event_user'), 'standard'],
  ['metric-dry-run-with-tags-persists',  'create-metric',           'state.dry-run-metric',            'A dry run of a metric with tags creates it.',                 wetWhere(({ tags }) => Array.isArray(tags)), 'standard'],
  ['source-dry-run-with-tags-persists',  'update-qualifying-event', 'state.dry-run-qualifying-event',  'A dry run that carries tags is an update.',                   wetWhere(({ tags }) => Array.isArray(tags)), 'standard'],
  ['source-dry-run-misses-nothing',      'update-qualifying-event', 'qualifyingEvent.timestampColumn', 'A dry run without its column of timestamps is valid.',        laxWhere(isDry, misses('timestampColumn')), 'standard'],
  ['experiment-refusal-hypothesis',      'update-experiment',       'reject.no-trace',                 'A refused update stores the hypothesis of the experiment.',   worksBeforeRefusing(400, ...whole), 'standard'],
  ['experiment-refusal-tags',            'update-experiment',       'reject.no-trace',                 'A refused update stores the tags of the experiment.',         worksBeforeRefusing(400, ...whole, 'tags'), 'standard'],
  ['experiment-updated-without-key',     'update-experiment',       'auth.no-effect',                  'An experiment is updated before the key is looked at.',       worksBeforeRefusing(401, ...whole), 'standard'],
  ['prompt-refusal-reserves-id',         'create-prompt-version',   'reject.no-trace',                 'The id of a refused version is taken.',                       reserves('id', answered => refused(answered) && answered.body.id !== undefined, 'There is a version of this id.'), 'standard'],
  ['gate-name-free-beside-type',         'patch-gate',              'gate.name',                       'The name of a gate is not checked where its type is sent.',   laxWhere(request => sentBy(request).type !== undefined, forgives('name', any)), 'standard'],
  ['events-page-without-key',            'list-events',             'auth.empty-key',                  opensTo('A request for a page needs no key.', ({ request }) => request.query.page !== undefined), 'standard', 'auth.missing-key'],
  ['environments-null-item-500',         'update-environments',     'reject.never-5xx',                'A null among the environments is a 500.',                     instead(request => (Array.isArray(sentBy(request).environments) && (sentBy(request).environments as unknown[]).includes(null) ? internalError : undefined)), 'standard'],
  ['environments-flags-of-one-alone',    'update-environments',     'echo.sent-field',                 'Flags are turned of one environment in a request.',           onValidBody(async (body, _request, store) => oneTurned(body, await store.list('environments'))), 'standard'],
  ['prompt-roles-as-the-first',          'create-prompt-version',   'echo.sent-field',                 'All messages have the role of the first.',                    onValidBody(body => asTheFirst('prompts', 'role')({ ...body })), 'standard'],
  ['experiment-parameters-as-the-first', 'enable-groups',           'state.enable-groups-frame',       'Enabling shows all groups with the parameters of the first.', onEntity(asTheFirst('groups', 'parameterValues')), 'standard'],
];

/** Changes the review flag of only the first environment in which it differs from the stored one. */
function oneTurned(body: Members, stored: readonly object[]): Members {
  let turned = false;
  const environments = items(body.environments).map(one => {
    const old = membersOf(stored.find(({ id }: { id?: unknown }) => id === one.id));
    const isOther = old.requiresReview !== undefined && one.requiresReview !== old.requiresReview;
    const stays = isOther && turned;
    turned ||= isOther;
    return stays ? { ...one, requiresReview: old.requiresReview } : one;
  });
  return { ...body, environments };
}
