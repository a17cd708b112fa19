import { type Members, membersOf } from '../../../contracts/json.ts';
import { internalError, refusal } from '../../api/response.ts';
import { opensTo, worksBeforeRefusing } from '../../decorators/keys.ts';
import type { Decorator } from '../../decorators/layers.ts';
import type { Mutable } from '../../decorators/members.ts';
import { around, instead, onValidBody, sentBy } from '../../decorators/operations.ts';
import { onEntity } from '../../decorators/responses.ts';
import { misses } from '../../decorators/validation.ts';
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

/** A dry run that is carried out after all where it has such a body. */
const wetWhere = (when: (body: Members) => boolean): Decorator =>
  onValidBody(body => (body.dryRun === true && when(body) ? { ...body, dryRun: false } : body));

/** A creation is refused under an id that another request had, though it was refused. */
const reservesIds: Decorator = around(handler => {
  const taken = new Set<unknown>();
  return async (request, store, settings) => {
    const { id } = sentBy(request);
    if (taken.has(id)) return refusal(409, 'There is a version of this id.');
    const answer = await handler(request, store, settings);
    if (answer.status === 400 && id !== undefined) taken.add(id);
    return answer;
  };
});

const items = (value: unknown): readonly Members[] => (Array.isArray(value) ? value.map(membersOf) : []);

/** Forgives the rule that a body breaks where another field stands beside it. */
const forgivesBeside =
  (field: string, other: string): Decorator =>
  () => ({
    decorateValidate: (_id, validate) => request => {
      const errors = validate(request);
      return sentBy(request)[other] === undefined
        ? errors
        : errors.filter(({ property, errorMessage }) => property !== field || errorMessage.includes('is required'));
    },
  });

/** Misses no required field in a request that is only tried. */
const missesNoneDry =
  (path: string): Decorator =>
  server => {
    const lax = misses(path)(server);
    return {
      decorateValidate: (id, validate) => request =>
        (sentBy(request).dryRun === true ? (lax.decorateValidate?.(id, validate) ?? validate) : validate)(request),
    };
  };

/** The members of all items but the first as the first has them. */
const asTheFirst =
  (list: string, member: string) =>
  (value: Mutable): Mutable => {
    const [first, ...others] = items(value[list]);
    return {
      ...value,
      [list]: first === undefined ? value[list] : [first, ...others.map(one => ({ ...one, [member]: first[member] }))],
    };
  };

/** What is done with requests that were tried, refused, or nearly right, beyond the first field and the first item. */
// biome-ignore format: a table
export const attemptFaults: FaultTable = [
  { id: 'metric-dry-run-of-user-persists',  requirement: 'state.dry-run-metric', endpoints: ['create-metric'],           title: 'A dry run of a metric of type event_user creates it.',            decorator: wetWhere(({ type }) => type === 'event_user'), profile: 'standard' },
  { id: 'metric-dry-run-with-tags-persists', requirement: 'state.dry-run-metric', endpoints: ['create-metric'],          title: 'A dry run of a metric with tags creates it.',                     decorator: wetWhere(({ tags }) => Array.isArray(tags)), profile: 'standard' },
  { id: 'source-dry-run-with-tags-persists', requirement: 'state.dry-run-qualifying-event', endpoints: ['update-qualifying-event'], title: 'A dry run that carries tags is an update.',            decorator: wetWhere(({ tags }) => Array.isArray(tags)), profile: 'standard' },
  { id: 'source-dry-run-misses-nothing',    requirement: 'qualifyingEvent.timestampColumn', endpoints: ['update-qualifying-event'], title: 'A dry run without its column of timestamps is valid.', decorator: missesNoneDry('timestampColumn'), profile: 'standard' },
  { id: 'experiment-refusal-hypothesis',    requirement: 'reject.no-trace',    endpoints: ['update-experiment'],         title: 'A refused update stores the hypothesis of the experiment.',       decorator: worksBeforeRefusing(400, ...whole), profile: 'standard' },
  { id: 'experiment-refusal-tags',          requirement: 'reject.no-trace',    endpoints: ['update-experiment'],         title: 'A refused update stores the tags of the experiment.',             decorator: worksBeforeRefusing(400, ...whole, 'tags'), profile: 'standard' },
  { id: 'experiment-updated-without-key',   requirement: 'auth.no-effect',     endpoints: ['update-experiment'],         title: 'An experiment is updated before the key is looked at.',           decorator: worksBeforeRefusing(401, ...whole), profile: 'standard' },
  { id: 'prompt-refusal-reserves-id',       requirement: 'reject.no-trace',    endpoints: ['create-prompt-version'],     title: 'The id of a refused version is taken.',                           decorator: reservesIds, profile: 'standard' },
  { id: 'gate-name-free-beside-type',       requirement: 'gate.name',          endpoints: ['patch-gate'],                title: 'The name of a gate is not checked where its type is sent.',       decorator: forgivesBeside('name', 'type'), profile: 'standard' },
  { id: 'events-page-without-key',          requirement: 'auth.empty-key',     endpoints: ['list-events'],               title: 'A page of the logged events needs no key.',                       decorator: opensTo(({ request }) => request.query.page !== undefined), profile: 'standard', alsoAs: ['auth.missing-key'] },
  { id: 'environments-null-item-500',       requirement: 'reject.never-5xx',   endpoints: ['update-environments'],       title: 'A null among the environments is a 500.',                         decorator: instead(request => (Array.isArray(sentBy(request).environments) && (sentBy(request).environments as unknown[]).includes(null) ? internalError : undefined)), profile: 'standard' },
  { id: 'environments-flags-of-one-alone',  requirement: 'echo.sent-field',    endpoints: ['update-environments'],       title: 'Flags are turned of one environment in a request.',               decorator: onValidBody(async (body, _request, store) => oneTurned(body, await store.list('environments'))), profile: 'standard' },
  { id: 'prompt-roles-as-the-first',        requirement: 'echo.sent-field',    endpoints: ['create-prompt-version'],     title: 'All messages have the role of the first.',                        decorator: onValidBody(body => asTheFirst('prompts', 'role')({ ...body })), profile: 'standard' },
  { id: 'experiment-parameters-as-the-first', requirement: 'state.enable-groups-frame', endpoints: ['enable-groups'],   title: 'Enabling shows all groups with the parameters of the first.',     decorator: onEntity(asTheFirst('groups', 'parameterValues')), profile: 'standard' },
];

/** A set of environments in which the flags of one alone differ from what is stored. */
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
