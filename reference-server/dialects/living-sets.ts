import { alter, backwards, counting, list, type Mutable, onBody, rotated, shown, sorted } from '../decorators/index.ts';
import type { Snapshot } from '../store/store.ts';
import { type DialectTable, experiments, gates, metrics, type Remarks, sources } from './dialect.ts';

/**
 * Services that store sets without order: the members return in another order than sent, or in a new order each time.
 */

/** Begins with another member in each answer. */
const turning = (path: string) =>
  counting(next =>
    onBody(({ data }) => {
      const by = next();
      const turn = alter(
        path,
        list(items => rotated(items, by)),
      );
      for (const entity of [data].flat()) turn(entity as Mutable);
    }),
  );

/** Adds tags and target apps to gates, so that an order is visible. */
const withSets = (fixtures: Snapshot): Snapshot => ({
  ...fixtures,
  gates: fixtures.gates.map(([id, gate]) => [
    id,
    {
      ...gate,
      tags: [...(gate.tags ?? []), 'mobile', 'Web'],
      targetApps: ['web', 'ios', 'android'],
      holdoutIDs: ['holdout_b', 'holdout_a', 'holdout_c'],
      reviewSettings: { requiredReview: false, allowedReviewers: ['user-chen', 'user-ada', 'user-brice'] },
    },
  ]),
  metrics: fixtures.metrics.map(([id, metric]) => [id, { ...metric, unitTypes: ['userID', 'stableID', 'companyID'] }]),
});

const order: Remarks = { mayWarn: ['echo.order-and-space'] };
const crowded: Remarks = { ...order, holds: withSets };

// biome-ignore format: a table
export const setDialects: DialectTable = [
  ['gate-tags-alphabetical',         '2.3', gates,       'shows tags of gates in alphabetical order',                         shown('tags', sorted), crowded],
  ['gate-tags-turning',              '2.3', gates,       'shows tags of gates in another order with every answer',            turning('tags'), crowded],
  ['gate-holdouts-turning',          '2.3', gates,       'shows holdouts of gates in another order with every answer',        turning('holdoutIDs'), crowded],
  ['gate-apps-backwards',            '2.3', gates,       'shows target apps of gates in reverse',                             shown('targetApps', backwards), crowded],
  ['gate-reviewers-turning',         '2.3', gates,       'shows reviewers of gates in another order with every answer',       turning('reviewSettings.allowedReviewers'), crowded],
  ['source-tags-turning',            '2.6', sources,     'shows tags of metric sources in another order with every answer',   turning('tags'), order],
  ['source-fields-turning',          '2.6', sources,     'shows custom fields of sources in another order with every answer', turning('customFieldMapping'), order],
  ['metric-units-backwards',         '2.7', metrics,     'shows unit types of metrics in reverse',                            shown('unitTypes', backwards), crowded],
  ['metric-lineage-turning',         '2.7', metrics,     'shows the lineage of metrics in another order with every answer',   turning('lineage.events'), order],
  ['experiment-settings-backwards',  '2.5', experiments, 'shows the settings of the groups of a metric in reverse',            shown('sprtMDESettings.*.groupSettings', backwards), order],
  ['experiment-sets-turning',        '2.5', experiments, 'shows tags of experiments in another order with every answer',      turning('tags'), order],
  ['prompt-headers-backwards',       '2.9', 'create-prompt-version', 'shows the workflow headers of prompt versions in reverse',          shown('workflow_headers', backwards), { warns: ['echo.order-and-space'] }],
  ['experiment-places-alphabetical', '2.5', experiments, 'shows the environments of experiments in alphabetical order',       shown('enabledNonProdEnvironments', sorted), order],
];
