import { type EndpointId, endpointRow } from '../../../contracts/endpoints.ts';
import { isObject } from '../../../contracts/json.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import type { HandlerRequest } from '../../api/request.ts';
import { alter, type Mutable } from '../../decorators/members.ts';
import { sentBy } from '../../decorators/operations.ts';
import { onEntity, shown, shownWith } from '../../decorators/responses.ts';
import { type Change, cut, list, number, to, upper } from '../../decorators/values.ts';
import type { Fault, FaultTable } from '../fault.ts';

/** Lists versions of a config with another value than stored: all, or those that match `isSo`. */
const listedWith = (path: string, change: Change, isSo: (version: Mutable) => boolean = () => true) => {
  const alteration = alter(path, change);
  return onEntity((entity, { endpoint }) =>
    endpoint === 'list-config-versions' && isSo(entity) ? void alteration(entity) : undefined,
  );
};
const isDisabled = ({ isEnabled }: Mutable): boolean => isEnabled === false;
const withList = ['archive-config', 'list-config-versions'] as const;

/** Answers to disabling and archiving a config that differ from its versions, and the reverse. */
// biome-ignore format: a table
const configRows: FaultTable = [
  ['archived-config-lacks-variant',       'archive-config',       'state.config-shown', shown('rules.*.variants', cut(-1))],
  ['archived-config-value-cut',           'archive-config',       'state.config-shown', shown('rules.*.returnValueJson5', cut(8))],
  ['archived-config-without-rules',       'archive-config',       'state.config-shown', shown('rules', to([]))],
  ['ended-config-without-default',         ['disable-config', 'archive-config'], 'state.config-shown', shown('defaultValue', to({}))],
  ['ended-config-other-id-type',           ['disable-config', 'archive-config'], 'state.config-shown', shown('idType', to('other'))],
  ['config-versions-lack-condition',      withList, 'state.config-shown', 'The versions of a config lack the last condition of each rule.',              listedWith('rules.*.conditions', cut(-1))],
  ['config-versions-double-rollouts',     withList, 'state.config-shown', 'The versions of a config have each rollout twice.',                           listedWith('rules.*.completedAutomatedRollouts', list(all => [...all, ...all]))],
  ['config-versions-disabled-share',      ['disable-config', 'list-config-versions'], 'state.config-shown', 'A version that disabling has made is listed as one that nobody passes.', listedWith('rules.*.passPercentage', to(0), isDisabled)],
  ['archive-reason-as-description',      'archive-config', 'state.archive-reason', 'The reason for archiving a config is shown as its description.',       shownWith((_config, { archiveReason }) => archiveReason !== undefined && { description: archiveReason })],
  ['archive-reason-as-tag',              'archive-config', 'state.archive-reason', 'The reason for archiving a config becomes one of its tags.',           shownWith(({ tags }, { archiveReason }) => archiveReason !== undefined && { tags: [...(tags as readonly string[]), archiveReason] })],
  ['config-versions-schema-in-capitals', withList, 'state.config-shown', 'The versions of a config have their schema in capital letters.',                 listedWith('schemaJson5', upper)],
];

/** Creations whose answers differ from the lists. */
// biome-ignore format: a table
const creationRows: FaultTable = [
  ['created-metric-answered-as-earlier', 'create-metric', 'state.metric-as-answered', 'The answer to the creation of a metric says that it was created the day before.', shown('createdTime', number(time => time - 100_000_001))],
  ['created-metric-answered-as-anothers', 'create-metric', 'state.metric-as-answered', shown('owner.ownerID', to('user-brice'))],
];

/** One way in which the answers of an operation show an entity differently from what is stored. */
interface Showing {
  /** The prefix of the ids of its rows. */
  readonly id: string;
  readonly requirement: RequirementId;
  readonly endpoint: EndpointId;
  /** The fields that are shown differently, one row each. */
  readonly fields: readonly string[];
  /** The beginning of the title: when this happens. */
  readonly title: string;
  /** True if an answer shows this item differently. */
  readonly isShown: (request: HandlerRequest, field: string, index: number) => boolean;
}

/** Returns another value of the same type: another member of an enum, or a list without its last item. */
function otherThan(value: unknown, members: readonly unknown[] | undefined): unknown {
  if (members !== undefined) return members.find(one => one !== value && typeof one === typeof value) ?? value;
  if (Array.isArray(value)) return value.slice(0, -1);
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  return isObject(value) ? {} : 'something else';
}

const inKebabCase = (field: string): string => field.replace(/[A-Z]+/g, letters => `-${letters.toLowerCase()}`);

const rowsOf = ({ id, requirement, endpoint, fields, title, isShown }: Showing): readonly Fault[] =>
  fields.map(field => {
    const { enum: members } = endpointRow(endpoint).data.properties?.[field] ?? {};
    return {
      id: `${id}-${inKebabCase(field)}`,
      requirement,
      endpoints: [endpoint],
      title: `${title} another \`${field}\`.`,
      decorator: onEntity((entity, request, index) => {
        if (Object.hasOwn(entity, field) && isShown(request, field, index))
          entity[field] = otherThan(entity[field], members);
      }),
    };
  });

const ofGates = [
  'idType',
  'type',
  'rules',
  'tags',
  'creatorID',
  'creatorEmail',
  'team',
  'measureMetricLifts',
  'name',
  'description',
  'targetApps',
  'createdTime',
  'creatorName',
  'store0100Exposures',
  'owner',
  'permalink',
];
const ofSources = [
  'sql',
  'timestampColumn',
  'idTypeMapping',
  'description',
  'tags',
  'timestampAsDay',
  'sourceType',
  'customFieldMapping',
  'isReadOnly',
  'isVerified',
  'disableCURE',
  'team',
  'teamID',
];

const hasLimit = ({ query }: HandlerRequest): boolean => query.limit !== undefined;
const carries =
  (sent: string): Showing['isShown'] =>
  (request, field) =>
    Object.hasOwn(sentBy(request), sent) && !Object.hasOwn(sentBy(request), field);

/** Answers that show correctly stored values differently: sections 3, 4.6, 4.7, 4.11 and 4.14. */
// biome-ignore format: a table
export const shownFaults: FaultTable = [...configRows, ...creationRows, ...([
  { id: 'disable-shows-other',              requirement: 'state.disable-gate-frame',       endpoint: 'disable-gate',           fields: [...ofGates, 'reviewSettings'], title: 'Disabling a gate answers', isShown: () => true },
  { id: 'patch-of-description-shows-other', requirement: 'state.patch-only-sent',          endpoint: 'patch-gate',             fields: ofGates.filter(field => field !== 'description'), title: 'A patch of the description answers', isShown: carries('description') },
  { id: 'patch-of-tags-shows-other',        requirement: 'state.patch-only-sent',          endpoint: 'patch-gate',             fields: ofGates.filter(field => !['tags', 'creatorID'].includes(field)), title: 'A patch of the tags answers', isShown: carries('tags') },
  { id: 'patch-of-is-enabled-shows-other',  requirement: 'state.patch-only-sent',          endpoint: 'patch-gate',             fields: ofGates.filter(field => !['idType', 'team', 'name'].includes(field)), title: 'A patch of `isEnabled` answers', isShown: carries('isEnabled') },
  { id: 'fifth-source-shown-with-other',    requirement: 'state.qualifying-event-visible', endpoint: 'list-qualifying-events', fields: ofSources, title: 'Where a limit is sent, the fifth source is listed with', isShown: (request, _field, index) => hasLimit(request) && index === 4 },
  { id: 'sources-with-limit-show-other',    requirement: 'state.qualifying-event-visible', endpoint: 'list-qualifying-events', fields: ['tableName', 'datePartitionColumn', 'isReadOnly', 'isVerified'], title: 'Where a limit is sent, sources are listed with', isShown: hasLimit },
  { id: 'later-page-shows-source-with-other', requirement: 'state.qualifying-event-visible', endpoint: 'list-qualifying-events', fields: ['sql', 'description', 'tags', 'timestampColumn', 'sourceType', 'isVerified', 'disableCURE', 'team'], title: 'From the second page on sources are listed with', isShown: ({ query }) => Number(query.page) > 1 },
  { id: 'metrics-with-limit-show-other',    requirement: 'state.metric-as-created',        endpoint: 'list-event-metrics',     fields: ['isVerified', 'isReadOnly', 'creatorName', 'creatorEmail', 'createdTime', 'directionality', 'description'], title: 'Where a limit is sent, metrics are listed with', isShown: hasLimit },
  { id: 'created-metric-shown-with-other',  requirement: 'state.metric-as-answered',       endpoint: 'create-metric',          fields: ['creatorName', 'creatorEmail'], title: 'A created metric is answered with', isShown: () => true },
  { id: 'fifth-metric-shown-with-other',    requirement: 'state.metric-as-created',        endpoint: 'list-event-metrics',     fields: ['directionality', 'isPermanent', 'unitTypes', 'tags', 'description', 'createdTime', 'creatorName', 'isVerified'], title: 'Where a limit is sent, the fifth metric is listed with', isShown: (request, _field, index) => hasLimit(request) && index === 4 },
] satisfies readonly Showing[]).flatMap(rowsOf)];
