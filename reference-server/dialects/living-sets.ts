import type { EndpointId } from '../../contracts/endpoints.ts';
import { isSuccess } from '../api/response.ts';
import type { Decorator } from '../decorators/layers.ts';
import { alter, type Mutable } from '../decorators/members.ts';
import { around } from '../decorators/operations.ts';
import { onEntity } from '../decorators/responses.ts';
import type { Snapshot } from '../store/store.ts';
import type { Dialect } from './dialect.ts';

/** Services that keep sets as sets: their members come in another order than they were sent, or in a new one each time. */

const turned = (list: unknown, by: number): unknown => {
  if (!Array.isArray(list) || list.length === 0) return list;
  const at = by % list.length;
  return [...list.slice(at), ...list.slice(0, at)];
};

const inOrder = (path: string, order: (list: unknown[]) => unknown[]) =>
  onEntity(entity => alter(path, list => (Array.isArray(list) ? order([...(list as unknown[])]) : list))(entity));
const alphabetical = (path: string) => inOrder(path, list => list.sort());
const backwards = (path: string) => inOrder(path, list => list.reverse());

/** Each answer begins with another member. */
const turning =
  (path: string): Decorator =>
  server => {
    let answers = 0;
    return around(handler => async (request, store, settings) => {
      const response = await handler(request, store, settings);
      if (!isSuccess(response)) return response;
      answers += 1;
      const body = structuredClone(response.body) as Mutable;
      for (const entity of Array.isArray(body.data) ? body.data : [body.data])
        alter(path, list => turned(list, answers))(entity as Mutable);
      return { ...response, body };
    })(server);
  };

const gates: readonly EndpointId[] = ['patch-gate', 'disable-gate'];
const sources: readonly EndpointId[] = ['update-qualifying-event', 'list-qualifying-events'];
const metrics: readonly EndpointId[] = ['create-metric', 'list-event-metrics'];
const experiments: readonly EndpointId[] = ['update-experiment', 'enable-groups'];

/** Gates with more than one of each, so that an order can be seen. */
const crowded = (fixtures: Snapshot): Snapshot => ({
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

const order = ['echo.order-and-space'] as const;

// biome-ignore format: a table
export const setDialects: readonly Dialect[] = [
  { id: 'gate-tags-alphabetical',    section: '2.3', title: 'shows tags of gates in alphabetical order',                            endpoints: gates, mayWarn: order, holds: crowded, decorator: alphabetical('tags') },
  { id: 'gate-tags-turning',         section: '2.3', title: 'shows tags of gates in another order with every answer',               endpoints: gates, mayWarn: order, holds: crowded, decorator: turning('tags') },
  { id: 'gate-holdouts-turning',     section: '2.3', title: 'shows holdouts of gates in another order with every answer',           endpoints: gates, mayWarn: order, holds: crowded, decorator: turning('holdoutIDs') },
  { id: 'gate-apps-backwards',       section: '2.3', title: 'shows target apps of gates in reverse',                                endpoints: gates, mayWarn: order, holds: crowded, decorator: backwards('targetApps') },
  { id: 'gate-reviewers-turning',    section: '2.3', title: 'shows reviewers of gates in another order with every answer',          endpoints: gates, mayWarn: order, holds: crowded, decorator: turning('reviewSettings.allowedReviewers') },
  { id: 'source-tags-turning',       section: '2.6', title: 'shows tags of metric sources in another order with every answer',      endpoints: sources, mayWarn: order, decorator: turning('tags') },
  { id: 'source-fields-turning',     section: '2.6', title: 'shows custom fields of sources in another order with every answer',    endpoints: sources, mayWarn: order, decorator: turning('customFieldMapping') },
  { id: 'metric-units-backwards',    section: '2.7', title: 'shows unit types of metrics in reverse',                               endpoints: metrics, mayWarn: order, holds: crowded, decorator: backwards('unitTypes') },
  { id: 'metric-lineage-turning',    section: '2.7', title: 'shows the lineage of metrics in another order with every answer',      endpoints: metrics, mayWarn: order, decorator: turning('lineage.events') },
  { id: 'experiment-sets-turning',   section: '2.5', title: 'shows tags of experiments in another order with every answer',         endpoints: experiments, mayWarn: order, decorator: turning('tags') },
  { id: 'experiment-places-alphabetical', section: '2.5', title: 'shows the environments of experiments in alphabetical order',     endpoints: experiments, mayWarn: order, decorator: alphabetical('enabledNonProdEnvironments') },
];
