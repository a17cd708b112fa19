/**
 * A small client of the Console Management API, with the types of its OpenAPI document: it counts the segments page by
 * page, changes a gate and puts it back, tries a metric without creating it, and reads a refusal.
 *
 * `BASE_URL` says where the service is (`npx console-conformance@0.1.0 serve` starts one), `SERVICE_API_KEY` holds the key.
 */
import createClient from 'openapi-fetch';
import type { components, paths } from './api.ts';

type Schemas = components['schemas'];

const { BASE_URL: baseUrl = 'http://127.0.0.1:4010', SERVICE_API_KEY: key = '' } = process.env;
const api = createClient<paths>({ baseUrl, headers: { 'SERVICE-API-KEY': key } });

/** A refusal says what it likes: most often an object with a message. */
function reason(refusal: Schemas['Refusal'] | undefined): string {
  if (typeof refusal !== 'object' || refusal === null || Array.isArray(refusal)) return String(refusal);
  return typeof refusal.message === 'string' ? refusal.message : JSON.stringify(refusal);
}

function expected<Data>({ data, error }: { data?: Data; error?: Schemas['Refusal'] }): Data {
  if (data === undefined) throw new Error(reason(error));
  return data;
}

async function allSegments(): Promise<Schemas['Segment'][]> {
  const segments: Schemas['Segment'][] = [];
  for (let page = 1; ; page += 1) {
    const answer = expected(await api.GET('/console/v1/segments', { params: { query: { limit: 10, page } } }));
    segments.push(...answer.data);
    if (answer.pagination.nextPage === null) return segments;
  }
}

async function changed(id: string, change: Schemas['PatchGateRequest']): Promise<Schemas['Gate']> {
  const answer = await api.PATCH('/console/v1/gates/{id}', { params: { path: { id } }, body: change });
  return expected(answer).data;
}

const segments = await allSegments();
const before = await changed('new_checkout', {});
const gate = await changed('new_checkout', { type: 'PERMANENT', tags: ['typed'], description: 'Changed by a client.' });
const back: Schemas['PatchGateRequest'] = {
  ...(before.type !== undefined && { type: before.type }),
  ...(before.tags !== undefined && { tags: before.tags }),
  ...(before.description !== undefined && { description: before.description }),
};
await changed('new_checkout', back);

const metric: Schemas['CreateMetricRequest'] = {
  name: 'views',
  type: 'event_count_custom',
  metricEvents: [{ name: 'page_view', type: 'count' }],
  dryRun: true,
};
const created = expected(await api.POST('/console/v1/metrics', { body: metric }));

// No closed set has this member, and the compiler says so.
// @ts-expect-error
const wrong: Schemas['PatchGateRequest'] = { type: 'Permanent' };
const refused = await api.PATCH('/console/v1/gates/{id}', { params: { path: { id: 'new_checkout' } }, body: wrong });

console.log(
  JSON.stringify({
    segments: segments.length,
    gate: { type: gate.type, tags: gate.tags },
    metric: created.data.id,
    refused: { status: refused.response.status, saidSomething: reason(refused.error) !== '' },
  }),
);
