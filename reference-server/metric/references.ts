import type { BodyOf } from '../../contracts/endpoints.ts';
import type { Problem } from '../api/answer.ts';
import { checkEntity, checkMetrics, checkName, checkNames } from '../api/references.ts';
import type { Reader } from '../store/store.ts';

type Body = BodyOf<'create-metric'>;

const checkSource = (problems: Problem[], store: Reader, property: string, name: unknown) =>
  checkEntity(problems, store, property, 'qualifyingEvents', 'metric source', name);

const checkWarehouse = async (problems: Problem[], store: Reader, warehouse: NonNullable<Body['warehouseNative']>) => {
  const at = 'warehouseNative';
  await checkSource(problems, store, `${at}.metricSourceName`, warehouse.metricSourceName);
  await checkSource(problems, store, `${at}.denominatorMetricSourceName`, warehouse.denominatorMetricSourceName);
  for (const list of ['metricSources', 'funnelEvents', 'components'] as const)
    for (const [index, item] of (warehouse[list] ?? []).entries())
      await checkSource(problems, store, `${at}.${list}.${index}.metricSourceName`, item.metricSourceName);
};

/** What a metric to be created refers to and does not exist. */
export const metricReferences = async (store: Reader, body: Body): Promise<Problem[]> => {
  const problems: Problem[] = [];
  checkName(problems, 'team', 'team', body.team);
  checkName(problems, 'teamID', 'team', body.teamID);
  checkNames(problems, 'unitTypes', 'idType', body.unitTypes);
  for (const list of ['metricEvents', 'funnelEventList'] as const)
    for (const [index, event] of (body[list] ?? []).entries())
      await checkEntity(problems, store, `${list}.${index}.name`, 'events', 'event', event.name);
  await checkMetrics(problems, store, 'metricComponentMetrics', body.metricComponentMetrics);
  if (body.warehouseNative !== undefined) await checkWarehouse(problems, store, body.warehouseNative);
  return problems;
};
