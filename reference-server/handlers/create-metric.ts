import type { BodyOf } from '../../contracts/endpoints.ts';
import { Refused, refusal, refuseAny } from '../api/answer.ts';
import { bodyOf, type Handler } from '../api/request.ts';
import { sentOf } from '../api/sent.ts';
import { success } from '../api/success.ts';
import { keyHolder } from '../directory.ts';
import type { Metric } from '../entities.ts';
import { lineageOf } from '../metric/lineage.ts';
import { metricReferences } from '../metric/references.ts';

type Body = BodyOf<'create-metric'>;

const created = (body: Omit<Body, 'dryRun'>, id: string, lineage: Metric['lineage'], now: number): Metric => ({
  directionality: 'increase',
  description: '',
  isPermanent: false,
  isReadOnly: false,
  isVerified: false,
  tags: [],
  unitTypes: ['userID'],
  metricEvents: [],
  team: null,
  ...body,
  id,
  isHidden: false,
  creatorName: keyHolder.name,
  creatorEmail: keyHolder.email,
  createdTime: now,
  owner: {
    ownerID: keyHolder.id,
    ownerType: 'SDK_KEY',
    ownerName: keyHolder.name,
    ownerEmail: keyHolder.email,
    name: keyHolder.name,
  },
  lineage,
  permalink: `https://console.example.com/metrics/${encodeURIComponent(body.type)}/${encodeURIComponent(body.name)}`,
});

/** Create Metric (section 4.9). Name and type together are unique (409). `dryRun` answers what would be and keeps nothing. */
export const createMetric: Handler = (request, store, { now }) =>
  store.transaction(async transaction => {
    const { dryRun, ...body } = sentOf('create-metric', bodyOf<Body>(request));
    const id = `${body.name}::${body.type}`;
    refuseAny(await metricReferences(transaction, body));
    if ((await transaction.get('metrics', id)) !== undefined)
      throw new Refused(refusal(409, 'A metric with this name and type exists already.'));
    const metric = created(body, id, await lineageOf(transaction, body), now());
    if (dryRun !== true) await transaction.put('metrics', id, metric);
    return success('create-metric', metric);
  });
