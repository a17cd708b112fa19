import { around, type Decorator, dry, refused, reserves, worksBeforeRefusing } from '../../decorators/index.ts';
import type { FaultTable } from '../fault.ts';

const source = ['sql', 'timestampColumn', 'idTypeMapping'] as const;

/** Toggles `isEnabled` of a gate when its request cannot be read. */
const turnsOnUnreadable: Decorator = around(async (work, request, store) => {
  const answer = await work();
  const gate = await store.get('gates', request.param);
  if (request.unreadable !== undefined && answer.status === 400 && gate !== undefined)
    await store.put('gates', request.param, { ...gate, isEnabled: !gate.isEnabled });
  return answer;
});

/** Requests that are refused, for the key or for an error, and carried out anyway (sections 4 and 5). */
// biome-ignore format: a table
export const effectFaults: FaultTable = [
  ['patch-gate', 'auth.no-effect', [
    ['gate-switched-without-key', worksBeforeRefusing(401, 'isEnabled')],
    ['gate-tagged-without-key',   worksBeforeRefusing(401, 'tags')],
    ['gate-retyped-without-key',  worksBeforeRefusing(401, 'type')],
  ]],
  ['gate-disabled-without-key',    'disable-gate',            'auth.no-effect', worksBeforeRefusing(401)],
  ['source-tagged-without-key',    'update-qualifying-event', 'auth.no-effect', worksBeforeRefusing(401, ...source, 'tags')],
  ['source-day-without-key',       'update-qualifying-event', 'auth.no-effect', worksBeforeRefusing(401, ...source, 'timestampAsDay')],
  ['patch-gate', 'reject.no-trace', [
    ['gate-refusal-switches',  worksBeforeRefusing(400, 'isEnabled')],
    ['gate-refusal-retypes',   worksBeforeRefusing(400, 'type')],
    ['gate-refusal-tags',      worksBeforeRefusing(400, 'tags')],
    ['gate-refusal-measures',  worksBeforeRefusing(400, 'measureMetricLifts')],
    ['gate-cut-body-switches', 'A body that cannot be read switches the gate.',                      turnsOnUnreadable],
  ]],
  ['source-refusal-tags',          'update-qualifying-event', 'reject.no-trace', worksBeforeRefusing(400, ...source, 'tags')],
  ['source-refusal-day',           'update-qualifying-event', 'reject.no-trace', worksBeforeRefusing(400, ...source, 'timestampAsDay')],
  ['metric-refusal-reserves-name', 'create-metric',           'reject.no-trace', reserves('name', refused, 'There is a metric of this name.'), 'standard'],
  ['metric-dry-run-reserves-name', 'create-metric',           'state.dry-run-metric', reserves('name', dry, 'There is a metric of this name.'), 'standard'],
];
