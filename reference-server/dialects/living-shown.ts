import { urlText } from '../../contracts/url-text.ts';
import { parameterOf } from '../api/page.ts';
import {
  type Decorator,
  isEmptyPatch,
  onEntity,
  onQuery,
  onValidBody,
  refusing,
  without,
} from '../decorators/index.ts';
import { type Collections, type EventLog, keyOf } from '../entities.ts';
import type { Snapshot } from '../store/store.ts';
import {
  type DialectTable,
  experiments,
  gates,
  metrics,
  pagesMove,
  type Remarks,
  sources,
  unproven,
} from './dialect.ts';

/**
 * Services that show less than they store, or store far more than a page. The suite must not lose what it cannot read.
 */

// biome-ignore format: a list
const listedFields = ['name', 'description', 'tags', 'sql', 'timestampColumn', 'timestampAsDay', 'idTypeMapping', 'tableName', 'customFieldMapping'];
const updatedFields = listedFields.map(name => (name === 'customFieldMapping' ? 'sourceType' : name));
const bare = onEntity((entity, { endpoint }) => {
  const shown = endpoint === 'list-qualifying-events' ? listedFields : updatedFields;
  return without(entity, name => !shown.includes(name));
});

const gateFields = ['id', 'name', 'isEnabled', 'type', 'tags', 'version'];
const emptyPatchBare = onEntity((entity, request) =>
  isEmptyPatch(request) ? without(entity, name => !gateFields.includes(name)) : entity,
);
const emptyPatchRefused = (status: number) =>
  refusing(status, 'There is nothing to change.', (_body, request) => isEmptyPatch(request));

/** Replaces the whole source: fields that an update does not send become empty. */
const replacesSource = onValidBody((body, { endpoint }) =>
  endpoint === 'update-qualifying-event'
    ? { description: '', tags: [], timestampAsDay: false, customFieldMapping: [], disableCURE: false, ...body }
    : body,
);

/** Adds entities to a collection, made from an existing one; at the end, or with `first` at the beginning. */
const more =
  <C extends 'qualifyingEvents' | 'segments' | 'metrics'>(
    collection: C,
    count: number,
    made: (index: number) => Partial<Collections[C]>,
    first = false,
  ) =>
  (fixtures: Snapshot): Snapshot => {
    const present = fixtures[collection] as readonly (readonly [string, Collections[C]])[];
    const model = present.at(first ? -1 : 0)?.[1];
    const others = Array.from({ length: count }, (_, index) => ({ ...(model as Collections[C]), ...made(index) }));
    const added = others.map(one => [keyOf(one), one] as const);
    return { ...fixtures, [collection]: first ? [...added, ...present] : [...present, ...added] };
  };
const sourcesBefore = (count: number) => more('qualifyingEvents', count, index => ({ name: `source_${index}` }), true);
const records =
  (count: number) =>
  (fixtures: Snapshot): Snapshot => ({
    ...fixtures,
    events: fixtures.events.map(([name, log]): readonly [string, EventLog] => {
      const [model] = log.records;
      if (model === undefined) return [name, log];
      const added = Array.from({ length: count }, (_, index) => ({
        ...model,
        timestamp: String(1_760_000_000_000 + index),
        value: `${index}`,
      }));
      return [name, { ...log, records: [...log.records, ...added] }];
    }),
  });
const thousands = Array.from({ length: 4000 }, (_, index) => `user-${100_000 + index}`);
/** Rules that name 4,000 people. */
const longRules = (fixtures: Snapshot): Snapshot => ({
  ...fixtures,
  gates: fixtures.gates.map(([id, gate]) => [
    id,
    {
      ...gate,
      rules: [
        {
          id: `rule-${id}`,
          name: 'Those',
          passPercentage: 100,
          conditions: [{ type: 'user_id', operator: 'any', targetValue: thousands }],
        },
      ],
    },
  ]),
  segments: fixtures.segments.map(([id, segment]) => [
    id,
    segment.rules === undefined
      ? segment
      : {
          ...segment,
          rules: {
            ...segment.rules,
            conditions: [{ type: 'user_id', operator: 'any', field: 'userID', targetValue: thousands }],
          },
        },
  ]),
});

/** Conditions whose values are numbers, of which section 2 speaks for configs alone. */
const numberRules = (fixtures: Snapshot): Snapshot => {
  const conditions = [{ type: 'custom_field', operator: 'any', field: 'age', targetValue: [18, 21] }];
  return {
    ...fixtures,
    experiments: fixtures.experiments.map(([id, experiment]) => [
      id,
      { ...experiment, inlineTargetingRules: [{ id: `rule-${id}`, name: 'Those', passPercentage: 100, conditions }] },
    ]),
    segments: fixtures.segments.map(([id, segment]) => [
      id,
      segment.rules === undefined ? segment : { ...segment, rules: { ...segment.rules, conditions } },
    ]),
  };
};

/** Works the permalink of a gate out from its name, so that a patch of the name changes it. */
const permalinkOfName = onEntity(({ name, ...entity }) =>
  typeof name === 'string' ? { ...entity, name, permalink: `https://console.example/gates/${urlText(name)}` } : entity,
);

const legacy = 'Legacy: do not touch.';
/** Refuses descriptions that an older version of the service accepted and stored. */
const legacyRefused = refusing(422, 'Descriptions must not begin with "Legacy".', ({ description }) =>
  String(description ?? '').startsWith('Legacy'),
);
const described =
  (collection: 'gates' | 'qualifyingEvents') =>
  (fixtures: Snapshot): Snapshot => ({
    ...fixtures,
    [collection]: fixtures[collection].map(([id, entity]) => [id, { ...entity, description: legacy }]),
  });
/** Refuses a tag that was stored before tags were checked, even if it is sent back unchanged. */
const oldTagsRefused = refusing(
  422,
  'The tag "Core" is reserved.',
  ({ tags }) => Array.isArray(tags) && tags.includes('Core'),
);

/** Differs only in what it holds. */
const asEver: Decorator = () => ({});
const updateUnproven: Remarks = { mayBeUntested: { checks: ['update-qualifying-event/*'] } };

// biome-ignore format: a table
export const shownDialects: DialectTable = [
  ['source-list-bare',         '4.11',      sources,                                 'lists of metric sources the fields that 4.11 names, and no others',                onEntity((entity, { endpoint }) => endpoint === 'list-qualifying-events' ? without(entity, name => !listedFields.includes(name)) : entity), updateUnproven],
  ['source-answers-bare',      '4.3, 4.11', sources,                                 'shows of metric sources the fields that 4.3 and 4.11 name, and no others',         bare, updateUnproven],
  ['source-replaced-whole',    '4.3',       sources,                                 'replaces a whole metric source: what is not sent is gone',                         replacesSource],
  ['source-far-down',          '4.11',      sources,                                 'lists seven hundred sources before those that are fixtures',                       asEver, { ...unproven, holds: sourcesBefore(700) }],
  ['source-far-down-in-tens',  '4.11',      sources,                                 'lists a hundred and thirty sources before those that are fixtures, ten on a page', onQuery(query => (Number(parameterOf(query, 'limit')) > 10 ? { ...query, limit: '10' } : query)), { ...unproven, holds: sourcesBefore(130) }],
  ['source-old-value-refused', '4.3',       sources,                                 'refuses the description that its sources have (422)',                              legacyRefused, { ...updateUnproven, holds: described('qualifyingEvents') }],
  ['gate-old-value-refused',   '4.6',       gates,                                   'refuses the description that its gates have (422)',                                legacyRefused, { mayBeUntested: { checks: ['patch-gate/*'] }, holds: described('gates') }],
  ['gate-old-tag-refused',     '4.6',       gates,                                   'refuses a tag that some of its gates have (422)',                                  oldTagsRefused, { mayBeUntested: { checks: ['patch-gate/*'] } }],
  ['gate-empty-patch-bare',    '4.6',       gates,                                   'answers the empty patch with few fields, and any other with all',                  emptyPatchBare, unproven],
  ['gate-empty-patch-422',     '4.6',       gates,                                   'refuses a patch that changes nothing (422)',                                       emptyPatchRefused(422), { warns: ['state.patch-empty-reads'] }],
  ['gate-empty-patch-409',     '4.6',       gates,                                   'refuses a patch that changes nothing (409)',                                       emptyPatchRefused(409), { warns: ['state.patch-empty-reads'] }],
  ['segments-six-thousand',    '4.12',      'list-segments',                         'has six thousand segments',                                                        asEver, { ...pagesMove('list-segments'), holds: more('segments', 6000, index => ({ id: `segment_${index}` })) }],
  ['events-six-thousand',      '4.15',      'list-events',                           'has six thousand records of every event',                                          asEver, { ...pagesMove('list-events'), holds: records(6000) }],
  ['metrics-nine-hundred',     '4.14',      metrics, 'has nine hundred metrics over an event',                                           asEver, { ...pagesMove('list-event-metrics'), holds: more('metrics', 900, index => ({ name: `views_${index}`, id: `views_${index}::event_count` })) }],
  ['rules-of-four-thousand',   '2.3, 2.8',  [...gates, 'list-segments'],             'has rules with four thousand values',                                              asEver, { ...pagesMove('list-segments'), holds: longRules }],
  ['rules-of-numbers',         '2.1',       [...experiments, 'list-segments'],       'has rules of experiments and segments with numbers for values',                    asEver, { holds: numberRules }],
  ['gate-permalink-of-name',   '2.3',       gates,                                   'has in the permalink of a gate its name, which a patch may change',                permalinkOfName],
];
