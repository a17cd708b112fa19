import type { Fields } from './checks.ts';

/**
 * What the independent server holds when it starts: enough of every list for several pages, sparse where the
 * specification allows.
 */
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

const born = 1_690_000_000;

const environment = (id: string, name: string, isReal: boolean, colour: string): Fields => {
  const rules = { isProduction: isReal, requiresReview: isReal, requiresReleasePipeline: false };
  return { id, name, ...rules, colour };
};

export const environments: readonly Fields[] = [
  environment('env-1', 'Workshop', false, 'green'),
  environment('env-2', 'Shopfront', true, 'red'),
];

export const gates: readonly Fields[] = [
  {
    id: 'gate-1',
    name: 'Quick checkout',
    isEnabled: true,
    idType: 'userID',
    type: 'PERMANENT',
    status: 'Launched',
    rules: [],
    version: 10,
  },
  {
    id: 'gate-2',
    name: 'New search',
    description: 'Search that forgives mistakes – même en français 🔎',
    isEnabled: false,
    idType: 'deviceID',
    type: 'TEMPORARY',
    status: 'In Progress',
    rules: [{ name: 'Half of all', passPercentage: 50, conditions: [] }],
    tags: ['search'],
    targetApps: ['storefront'],
    createdTime: born,
    creatorID: null,
    team: null,
    version: 40,
    archivedReason: null,
  },
  {
    id: 'gate-3',
    name: 'night_mode',
    isEnabled: true,
    idType: 'userID',
    status: 'In Progress',
    version: 20,
    temperature: 0.5,
  },
];

/** The versions of a dynamic config, the newest first; version numbers go up by ten. */
const versionsOf = (id: string, name: string): Fields[] =>
  many(17, index => ({
    id,
    name,
    description: `Edition ${17 - index}`,
    idType: 'userID',
    isEnabled: true,
    rules: [],
    defaultValue: { edition: 17 - index },
    createdTime: born,
    lastModifiedTime: born + 100 - index,
    version: (17 - index) * 10,
  }));

export const configs: readonly (readonly Fields[])[] = [
  versionsOf('conf-a', 'Banner words'),
  versionsOf('conf-b', 'Price steps'),
];

const experiment = (id: string, status: string, more: Fields): Fields => ({
  id,
  name: `Trial ${id}`,
  description: '',
  idType: 'userID',
  hypothesis: 'Blue sells more',
  status,
  groups: [
    { id: `${id}-g1`, name: 'As is', size: 50, parameterValues: {}, disabled: false },
    { id: `${id}-g2`, name: 'Blue', size: 50, parameterValues: { colour: 'blue' }, disabled: true },
  ],
  allocation: 100,
  targetingGateID: null,
  bonferroniCorrection: false,
  defaultConfidenceInterval: '95',
  primaryMetrics: [],
  secondaryMetrics: [],
  primaryMetricTags: [],
  secondaryMetricTags: [],
  tags: [],
  duration: 14,
  lastModifierName: 'Ada',
  lastModifierID: 'u-ada',
  layerID: `layer-of-${id}`,
  createdTime: born,
  version: 10,
  ...more,
});

export const experiments: readonly Fields[] = [
  experiment('trial-1', 'setup', { startTime: born + 5, moonPhase: 'full' }),
  experiment('trial-2', 'active', { targetingGateID: 'gate-1' }),
];

export const sources: readonly Fields[] = many(23, index => ({
  name: `source ${index + 1}`,
  sql: `SELECT * FROM facts_${index + 1}`,
  timestampColumn: 'at',
  idTypeMapping: [{ serviceUnitID: 'userID', column: 'user_id' }],
  description: `Facts no. ${index + 1}`,
  tags: index % 3 === 0 ? ['facts'] : [],
  timestampAsDay: index % 5 === 0,
  customFieldMapping: index % 4 === 0 ? [{ key: 'total', formula: 'a + b' }] : [],
  sourceType: 'query',
  freshness: index / 2,
}));

const oldTypes = ['event_count', 'event_dau', 'event_count_custom', 'event_user'];

export const metrics: readonly Fields[] = many(19, index => {
  const name = `bought ${index + 1}`;
  const type = oldTypes[index % oldTypes.length] ?? 'event_count';
  return {
    id: `${name}::${type}`,
    name,
    type,
    directionality: index % 5 === 0 ? 'decrease' : 'increase',
    lineage: { events: index % 2 === 0 ? ['purchase'] : ['purchase', 'page_view'], metrics: [] },
    ...(index % 3 === 0 ? { tags: ['core'], unitTypes: ['userID'], creatorName: null, createdTime: born + index } : {}),
  };
});

export const segments: readonly Fields[] = many(16, index => {
  const shared = { id: `people ${index + 1}`, isEnabled: index % 4 !== 3, count: index * 7, lastCounted: born };
  if (index % 2 === 0) return { ...shared, type: 'id_list', description: 'Kept by hand', tags: [] };
  const condition = {
    type: 'country',
    operator: 'any',
    field: null,
    targetValue: index % 3 === 0 ? 'NZ' : ['NZ', 'FR'],
  };
  const { field: _none, ...sparse } = condition;
  return {
    ...shared,
    type: 'rule_based',
    rules: { name: 'Everybody', passPercentage: 12.5, conditions: [sparse], returnValue: {} },
  };
});

export const prompts: readonly string[] = ['greeter', 'summary.v2'];

const logged = (name: string, count: number): Fields[] =>
  many(count, index => ({
    timestamp: String((born + index) * 1000),
    name,
    source: 'web',
    value: index % 3 === 0 ? '' : String(index),
    userID: `visitor-${index}`,
    metadata: index % 2 === 0 ? {} : { page: '/basket', depth: { of: [1, 2] } },
  }));

export const events: Readonly<Record<string, readonly Fields[]>> = {
  purchase: logged('purchase', 31),
  page_view: logged('page_view', 18),
};
