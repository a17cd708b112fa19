import { membersOf, objectsIn } from '../../../contracts/json.ts';
import {
  answeredFrom,
  aroundWork,
  backwards,
  cut,
  does,
  hidden,
  hiddenWhere,
  is,
  list,
  lower,
  type Mutable,
  negated,
  number,
  type Operator,
  onEntity,
  onValidBody,
  perServer,
  replaced,
  sentBy,
  shown,
  shownWith,
  sorted,
  text,
  to,
  unique,
  withTransactions,
} from '../../decorators/index.ts';
import type { Transaction } from '../../store/store.ts';
import type { FaultTable } from '../fault.ts';

const names = (groups: readonly unknown[]) =>
  [...groups].sort((a, b) => String((a as Mutable).name).localeCompare(String((b as Mutable).name)));
/** Shows a sent null as this value. */
const nullAs = (field: string, value: unknown) =>
  shownWith((_entity, sent) => sent[field] === null && { [field]: value });
/** Loses the last of ten sent quality scores from the breakdown. */
const withoutTenth = shownWith(({ qualityScore }, { manualQualityScores: sent }) => {
  const tenth = Array.isArray(sent) ? (sent[9] as Mutable | undefined) : undefined;
  const { breakdown = [] } = (qualityScore ?? {}) as { readonly breakdown?: readonly Mutable[] };
  const rest = breakdown.filter(({ criterion }) => criterion !== tenth?.criteriaDescription);
  return tenth !== undefined && { qualityScore: { ...(qualityScore as Mutable), breakdown: rest } };
});
/** Forgets the first quality scores that were written by hand, this many, where an update sends others. */
const forgetsScores = (most: number) =>
  aroundWork((work, request, store) => {
    const { manualQualityScores: sent } = sentBy(request);
    if (!Array.isArray(sent) || sent.length === 0) return work(request, store);
    const withoutScores = (transaction: Transaction): Transaction => ({
      ...transaction,
      get: async (collection, id) => {
        const entity = await transaction.get(collection, id);
        if (entity === undefined || collection !== 'experiments') return entity;
        const { manualQualityScores, qualityScore } = entity as Mutable;
        const written = objectsIn(manualQualityScores);
        const gone = written.slice(0, most).map(({ criteriaDescription }) => criteriaDescription);
        const { breakdown } = membersOf(qualityScore);
        const rest = objectsIn(breakdown).filter(({ criterion }) => !gone.includes(criterion));
        return {
          ...entity,
          manualQualityScores: written.slice(most),
          qualityScore: { ...membersOf(qualityScore), breakdown: rest },
        };
      },
    });
    return work(request, withTransactions(store, withoutScores));
  });
/** Stores metrics of a type without a field. */
const typeWithout = (type: string, field: string): Operator =>
  does(
    `Metrics of type ${type} lose their \`${field}\`.`,
    onValidBody(body =>
      body.type === type ? Object.fromEntries(Object.entries(body).filter(([name]) => name !== field)) : body,
    ),
  );
/** Leaves a sent member out of the answer. */
const withoutSent = (field: string) =>
  onEntity((entity, request) => {
    if (field in sentBy(request)) delete entity[field];
  });
/** Answers a write with the earlier value of a field. */
const answeredAsBefore = (collection: 'gates' | 'qualifyingEvents' | 'experiments', field: string): Operator =>
  does(
    `\`${field}\` is answered as it was before, and stored as it was sent.`,
    answeredFrom(collection, (before, answered, sent) => {
      const value = (before as Mutable)[field];
      return value === undefined || sent[field] === undefined ? answered : { ...answered, [field]: value };
    }),
  );
/** Answers a creation with the description of the one before. */
const ofTheLast = perServer(() => {
  let last: unknown;
  return onEntity(entity => {
    const own = entity.description;
    if (last !== undefined && own !== undefined) entity.description = last;
    last = own;
  });
});
const isFilled = (value: unknown): boolean => Array.isArray(value) && value.length > 0;
const latin1 = (value: string) => Buffer.from(value, 'latin1').toString('latin1');
const escaped = (value: string) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Sent values come back (section 4): texts, numbers, lists, free-form objects, at every depth. */
// biome-ignore format: a table
export const echoFaults: FaultTable = [
  ['gate-description-lost',           'patch-gate',              'echo.sent-field',           'The description of a gate is not answered to the patch that carries it.', withoutSent('description'), 'echo.unicode'],
  ['gate-first-app-alone',            'patch-gate',              'echo.target-apps',          'Of several apps the first is stored.', onValidBody(({ targetApps, ...body }) => (targetApps === undefined ? body : { ...body, targetApps: Array.isArray(targetApps) ? targetApps.slice(0, 1) : targetApps })), 'standard', 'state.patch-every-sent'],
  ['gate-description-zero-ignored',   'patch-gate',              'echo.sent-field',           'A description that is the text 0 is taken for none.', onValidBody(body => Object.fromEntries(Object.entries(body).filter(([name, value]) => name !== 'description' || value !== '0'))), 'standard', 'state.patch-every-sent'],
  ['metric-name-cut-at-colons',       'create-metric',           'echo.sent-field',           'A name is answered up to its first two colons.', onEntity(metric => { metric.name = String(metric.name).split('::')[0]; }), 'identity.metric-id', 'standard'],
  ['gate-type-answered-as-before',    'patch-gate',              'echo.sent-field', answeredAsBefore('gates', 'type')],
  ['source-flag-answered-as-before',  'update-qualifying-event', 'echo.sent-field', answeredAsBefore('qualifyingEvents', 'timestampAsDay')],
  ['experiment-duration-as-before',   'update-experiment',       'echo.sent-field', answeredAsBefore('experiments', 'duration')],
  ['patch-gate', 'echo.sent-field', [
    ['gate-description-cut-at-255', shown('description', cut(255)), 'state.patch-every-sent', 'echo.unicode'],
    ['gate-measure-always-false',   shown('measureMetricLifts', to(false))],
    ['gate-type-always-permanent',  shown('type', to('PERMANENT'))],
  ]],
  ['experiment-allocation-rounded',   'update-experiment',       'echo.sent-field',           'The allocation is rounded to a whole number.',                            shown('allocation', number(Math.round)), 'standard'],
  ['experiment-allocation-as-text',   'update-experiment',       'experiment.allocation',     'The allocation comes back as a text.',                                    shown('allocation', number(String))],
  ['update-experiment', 'echo.sent-field', [
    ['experiment-flag-lost',            shown('sequentialTesting', to(false))],
    ['experiment-archived-is-abandoned', 'An archived experiment is shown as abandoned.', shown('status', (value: unknown) => (value === 'archived' ? 'abandoned' : value)), 'standard'],
    ['experiment-group-highlight-lost', hidden('groups.*.highlighted')],
    ['experiment-bucket-rounded',       'User buckets are rounded down.',                                          shown('userBuckets.*', number(Math.floor)), 'standard'],
    ['experiment-prior-deviation-zero', shown('bayesianPriors.*.priorStdDev', to(0)), 'standard'],
    ['experiment-link-title-lost',      hidden('links.*.title'), 'standard', 'echo.unicode'],
  ]],
  ['experiment-scores-of-checks-alone', 'update-experiment',     'meaning.quality-scores-added', 'Of the quality scores none that was written by hand is answered.',      shown('manualQualityScores', to([{ criteriaDescription: 'POWER_ANALYSIS', score: 100, weight: 100 }]))],
  ['experiment-scores-replaced',      'update-experiment',       'meaning.quality-scores-added', 'Quality scores that are sent take the place of those before.',          forgetsScores(Infinity)],
  ['experiment-oldest-score-lost',    'update-experiment',       'meaning.quality-scores-added', 'Quality scores that are sent take the place of the oldest one.',        forgetsScores(1)],
  ['experiment-tenth-score-lost',     'update-experiment',       'meaning.quality-scores-added', 'The tenth of the quality scores that are sent is missing from the breakdown.', withoutTenth, 'meaning.quality-weights'],
  ['experiment-last-group-lost',      'update-experiment',       'echo.sent-field', shown('groups', cut(-1))],
  ['experiment-null-gate-as-empty',   'update-experiment',       'echo.sent-field',           'A null targeting gate comes back as the empty text.',                     nullAs('targetingGateID', '')],
  ['gate-rule-share-whole',           'patch-gate',              'echo.sent-field',           'The share of a rule of a gate is cut to a whole number.',                 shown('rules.*.passPercentage', number(Math.trunc)), 'standard'],
  ['gate-null-team-as-none',          'patch-gate',              'echo.sent-field',           'A null team of a gate comes back as "none".',                             nullAs('team', 'none')],
  ['metric-null-team-as-text',        'create-metric',           'echo.sent-field',           'A null team of a metric comes back as the text null.',                    nullAs('team', 'null')],
  ['source-flag-lost',                'update-qualifying-event', 'echo.sent-field', shown('timestampAsDay', to(false))],
  ['source-sql-in-lower-case',        'update-qualifying-event', 'echo.sent-field', shown('sql', lower)],
  ['metric-read-only-if-permanent',   'create-metric',           'echo.sent-field',           'A metric that is permanent is read-only, too.',                           onValidBody(body => (body.isPermanent === true ? { ...body, isReadOnly: true } : body))],
  ['metric-event-type-lost',          'create-metric',           'echo.sent-field', hidden('metricEvents.*.type')],
  ['metric-name-in-lower-case',       'create-metric',           'echo.sent-field',           'The name of a metric comes back in lower case.',                          shownWith(({ name, type }) => ({ name: String(name).toLowerCase(), id: `${String(name).toLowerCase()}::${type}` }))],
  ['environment-review-always-false', 'update-environments',     'echo.sent-field', shown('environments.*.requiresReview', to(false))],
  ['prompt-description-of-the-last',  'create-prompt-version',   'echo.unicode',              'The answer has the description of the version before.',                   ofTheLast, 'echo.sent-field'],
  ['prompt-temperature-rounded',      'create-prompt-version',   'echo.sent-field',           'The temperature is kept with single precision.',                          shown('temperature', number(Math.fround))],
  ['prompt-zero-left-out',            'create-prompt-version',   'state.prompt-fields', hiddenWhere(is(0), 'temperature', 'frequency_penalty', 'presence_penalty'), 'standard'],
  ['prompt-headers-confused',         'create-prompt-version',   'echo.sent-field',           'Where both lists of headers are sent, the second shows the first.',       shownWith((_entity, { workflow_headers: first, auth_workflow_headers: second }) => isFilled(first) && isFilled(second) && { auth_workflow_headers: first }), 'state.prompt-fields', 'echo.unicode', 'standard'],
  ['prompt-headers-left-out',         'create-prompt-version',   'state.prompt-fields', hidden('auth_workflow_headers'), 'standard'],
  ['prompt-content-prefixed',         'create-prompt-version',   'echo.sent-field',           'The role stands before the content of a prompt.',                         shown('prompts.*.content', text(value => `system: ${value}`)), 'echo.unicode'],
  ['environment-last-not-listed',     'update-environments',     'state.environments-listed', shown('environments', cut(-1))],

  ['gate-emoji-lost',                 'patch-gate',              'echo.unicode',              'Characters beyond the basic plane are lost.',                             shown('description', replaced(/\p{Extended_Pictographic}|[\u{10000}-\u{10ffff}]/gu))],
  ['gate-combining-composed',         'patch-gate',              'echo.unicode',              'Combining marks are composed (NFC).',                                     shown('description', text(value => value.normalize('NFC')))],
  ['experiment-beyond-latin-1-lost',  'update-experiment',       'echo.unicode',              'Characters beyond Latin-1 come back as others.',                          shown('hypothesis', text(latin1)), 'standard'],
  ['prompt-beyond-ascii-question',    'create-prompt-version',   'echo.unicode',              'Characters beyond ASCII come back as question marks.',                    shown('description', replaced(/[^\0-\x7f]/gu, '?')), 'standard'],
  ['metric-decomposed',               'create-metric',           'echo.unicode',              'Letters with marks are decomposed (NFD).',                                shown('description', text(value => value.normalize('NFD'))), 'standard'],
  ['source-right-to-left-reversed',   'update-qualifying-event', 'echo.unicode',              'Right-to-left letters come back in reverse.',                             shown('description', text(value => value.replace(/[\u0590-\u06ff]+/gu, run => [...run].reverse().join(''))))],
  ['gate-zero-width-lost',            'patch-gate',              'echo.unicode',              'Zero-width characters are stripped.',                                     shown('description', replaced(/[\u200b-\u200f\u2060\ufeff]/gu))],
  ['experiment-html-escaped',         'update-experiment',       'echo.sent-field',           'Descriptions come back escaped for HTML.',                                shown('description', text(escaped)), 'standard'],
  ['prompt-line-breaks-lost',         'create-prompt-version',   'echo.sent-field',           'Line breaks in a description become blanks.',                             shown('description', replaced('\n', ' ')), 'standard', 'echo.unicode'],

  ['create-metric', 'echo.sent-field', [
    ['metric-sum-without-tags',           typeWithout('sum', 'tags'), 'standard'],
    ['metric-mean-without-description',   typeWithout('mean', 'description'), 'standard'],
    ['metric-composite-always-increases', typeWithout('composite', 'directionality'), 'standard'],
    ['metric-percentile-without-tags',    typeWithout('percentile', 'tags'), 'standard'],
  ]],
  ['update-experiment', 'echo.free-form', [
    ['experiment-parameters-as-text',  'Values of parameters come back as texts.',                                shown('groups.*.parameterValues.*', String), 'standard'],
    ['experiment-parameters-dropped',  'The parameters of a group come back empty.',                              shown('groups.*.parameterValues', () => ({})), 'standard'],
    ['experiment-parameters-extended', 'The parameters of a group gain one.',                                     shown('groups.*.parameterValues', (value: Mutable) => ({ ...value, _group: true }))],
  ]],

  ['experiment-groups-sorted',        'update-experiment',       'echo.ordered-lists',        'Groups come back sorted by name.',                                        shown('groups', list(names)), 'standard'],
  ['experiment-links-reversed',       'update-experiment',       'echo.ordered-lists', shown('links', backwards), 'standard'],
  ['prompt-prompts-reversed',         'create-prompt-version',   'echo.ordered-lists', shown('prompts', backwards), 'standard'],
  ['metric-events-reversed',          'create-metric',           'echo.ordered-lists', shown('metricEvents', backwards)],
  ['source-mapping-reversed',         'update-qualifying-event', 'echo.ordered-lists', shown('idTypeMapping', backwards)],

  ['gate-app-split-in-letters',       'patch-gate',              'echo.target-apps',          'A target app sent as one text comes back letter by letter.',              shownWith((_gate, { targetApps }) => typeof targetApps === 'string' && { targetApps: [...targetApps] })],
  ['update-qualifying-event', 'echo.outside-shape', [
    ['source-cure-turned-round', shown('disableCURE', negated)],
    ['source-verified-lost',     shown('isVerified', to(false)), 'standard'],
    ['source-custom-field-lost', shown('customFieldMapping.*.formula', to(''))],
  ]],

  ['gate-description-trimmed',        'patch-gate',              'echo.order-and-space',      'White space at the ends of a description is trimmed.',                    shown('description', text(value => value.trim())), 'standard'],
  ['gate-tags-in-lower-case',         'patch-gate',              'echo.order-and-space', shown('tags.*', lower)],
  ['source-tags-sorted',              'update-qualifying-event', 'echo.order-and-space', shown('tags', sorted)],
  ['metric-tags-without-duplicates',  'create-metric',           'echo.order-and-space', shown('tags', unique), 'standard'],
  ['experiment-dimensions-reversed',  'update-experiment',       'echo.order-and-space', shown('preComputedUserDimensions', backwards), 'standard'],
];
