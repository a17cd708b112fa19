import { type EndpointId, endpointRow } from '../../../contracts/endpoints.ts';
import { isObject } from '../../../contracts/json.ts';
import type { RequirementId } from '../../../contracts/requirements/index.ts';
import type { HandlerRequest } from '../../api/request.ts';
import {
  alter,
  type Change,
  cut,
  list,
  type Mutable,
  number,
  onEntity,
  sentBy,
  shown,
  shownWith,
  to,
  upper,
} from '../../decorators/index.ts';
import type { FaultTable } from '../fault.ts';

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
  ['archive-config', 'state.config-shown', [
    ['archived-config-lacks-variant', shown('rules.*.variants', cut(-1))],
    ['archived-config-value-cut',     shown('rules.*.returnValueJson5', cut(8))],
    ['archived-config-without-rules', shown('rules', to([]))],
  ]],
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

type IsShown = (request: HandlerRequest, field: string, index: number) => boolean;

/**
 * One way in which the answers of an operation show an entity differently from what is stored: the prefix of the ids of
 * its rows, its requirement and operation, when it happens (the beginning of the title), which items of an answer are
 * shown differently, and the fields, one row each.
 */
type Showing = readonly [
  prefix: string,
  requirement: RequirementId,
  endpoint: EndpointId,
  title: string,
  isShown: IsShown,
  fields: readonly string[],
];

/** Returns another value of the same type: another member of an enum, a list without its last item, other members. */
function otherThan(value: unknown, members?: readonly unknown[]): unknown {
  if (members !== undefined) return members.find(one => one !== value && typeof one === typeof value) ?? value;
  if (Array.isArray(value)) return value.slice(0, -1);
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  if (!isObject(value)) return 'something else';
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, otherThan(member)]));
}

const inKebabCase = (field: string): string => field.replace(/[A-Z]+/g, letters => `-${letters.toLowerCase()}`);

const groupOf = ([prefix, requirement, endpoint, title, isShown, fields]: Showing): FaultTable[number] => [
  endpoint,
  requirement,
  fields.map(field => {
    const { enum: members } = endpointRow(endpoint).data.properties?.[field] ?? {};
    const decorator = onEntity((entity, request, index) => {
      if (Object.hasOwn(entity, field) && isShown(request, field, index))
        entity[field] = otherThan(entity[field], members);
    });
    return [`${prefix}-${inKebabCase(field)}`, `${title} another \`${field}\`.`, decorator];
  }),
];

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
const always: IsShown = () => true;
const isFifth: IsShown = (request, _field, index) => hasLimit(request) && index === 4;
const carries =
  (sent: string): IsShown =>
  (request, field) =>
    Object.hasOwn(sentBy(request), sent) && !Object.hasOwn(sentBy(request), field);

/** Answers that show correctly stored values differently: sections 3, 4.6, 4.7, 4.11 and 4.14. */
// biome-ignore format: a table
export const shownFaults: FaultTable = [...configRows, ...creationRows, ...([
  ['disable-shows-other',                'state.disable-gate-frame',       'disable-gate',           'Disabling a gate answers',                               always, [...ofGates, 'reviewSettings']],
  ['patch-of-description-shows-other',   'state.patch-only-sent',          'patch-gate',             'A patch of the description answers',                     carries('description'), ofGates.filter(field => field !== 'description')],
  ['patch-of-tags-shows-other',          'state.patch-only-sent',          'patch-gate',             'A patch of the tags answers',                            carries('tags'), ofGates.filter(field => !['tags', 'creatorID'].includes(field))],
  ['patch-of-is-enabled-shows-other',    'state.patch-only-sent',          'patch-gate',             'A patch of `isEnabled` answers',                         carries('isEnabled'), ofGates.filter(field => !['idType', 'team', 'name'].includes(field))],
  ['fifth-source-shown-with-other',      'state.qualifying-event-visible', 'list-qualifying-events', 'Where a limit is sent, the fifth source is listed with', isFifth, ofSources],
  ['sources-with-limit-show-other',      'state.qualifying-event-visible', 'list-qualifying-events', 'Where a limit is sent, sources are listed with',         hasLimit, ['tableName', 'datePartitionColumn', 'isReadOnly', 'isVerified']],
  ['later-page-shows-source-with-other', 'state.qualifying-event-visible', 'list-qualifying-events', 'From the second page on sources are listed with',        ({ query }) => Number(query.page) > 1, ['sql', 'description', 'tags', 'timestampColumn', 'sourceType', 'isVerified', 'disableCURE', 'team']],
  ['segments-with-limit-show-other',     'pagination.same-items',          'list-segments',          'Where a limit is sent, segments are listed with',        hasLimit, ['description', 'isEnabled', 'tags', 'rules']],
  ['later-page-shows-segment-with-other', 'pagination.same-items',         'list-segments',          'From the second page on segments are listed with',       ({ query }) => Number(query.page) > 1, ['description']],
  ['metrics-with-limit-show-other',      'state.metric-as-created',        'list-event-metrics',     'Where a limit is sent, metrics are listed with',         hasLimit, ['isVerified', 'isReadOnly', 'creatorName', 'creatorEmail', 'createdTime', 'directionality', 'description']],
  ['created-metric-shown-with-other',    'state.metric-as-answered',       'create-metric',          'A created metric is answered with',                      always, ['creatorName', 'creatorEmail']],
  ['fifth-metric-shown-with-other',      'state.metric-as-created',        'list-event-metrics',     'Where a limit is sent, the fifth metric is listed with', isFifth, ['directionality', 'isPermanent', 'unitTypes', 'tags', 'description', 'createdTime', 'creatorName', 'isVerified']],
] satisfies readonly Showing[]).map(groupOf)];
