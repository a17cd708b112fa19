import type { Endpoint } from '../../contracts/endpoint.ts';
import type { RequirementId } from '../../contracts/requirements/index.ts';

/** The id of the check that holds an answer against what was written and shown before. */
export const shadowCheck = 'observed-state';

const ofResource: Partial<Record<Endpoint['resource'], readonly RequirementId[]>> = {
  gate: [
    'state.patch-only-sent',
    'state.patch-every-sent',
    'state.disable-gate-false',
    'state.disable-gate-frame',
    'state.neighbours',
    'reject.no-trace',
    'auth.no-effect',
  ],
  'qualifying-event': [
    'state.qualifying-event-visible',
    'state.qualifying-event-name-fixed',
    'state.dry-run-qualifying-event',
    'state.neighbours',
    'reject.no-trace',
    'auth.no-effect',
  ],
  experiment: ['state.enable-groups-frame', 'state.neighbours'],
  config: ['state.neighbours'],
  environment: ['state.neighbours'],
  metric: [
    'state.metric-default-directionality',
    'state.metric-listed',
    'state.metric-as-created',
    'state.dry-run-metric',
    'state.lineage-truth',
    'state.neighbours',
    'reject.no-trace',
    'auth.no-effect',
  ],
};

/** The requirements of state that the traffic of an operation can show to be broken. */
export const shadowRequirements = (row: Endpoint): readonly RequirementId[] => [
  ...(ofResource[row.resource] ?? []),
  ...(row.list ? (['pagination.complete', 'pagination.total'] as const) : []),
];
