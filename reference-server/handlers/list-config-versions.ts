import { notFound } from '../api/answer.ts';
import { pageOf } from '../api/page.ts';
import type { Handler } from '../api/request.ts';
import { listed } from '../api/success.ts';

/** List Dynamic Config Versions (section 4.2): the newest first. */
export const listConfigVersions: Handler = async (request, store) => {
  const config = await store.get('configs', request.param);
  if (config === undefined) throw notFound('Dynamic config');
  return listed('list-config-versions', pageOf(request, config.versions));
};
