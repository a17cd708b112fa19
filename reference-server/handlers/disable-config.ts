import { notFound } from '../api/answer.ts';
import type { Handler } from '../api/request.ts';
import { success } from '../api/success.ts';
import { currentOf, disabled } from '../config/disabled.ts';

/** Disable Dynamic Config (section 4.5): `isEnabled` becomes false, in a new version. Disabling again is no change. */
export const disableConfig: Handler = (request, store, { now }) =>
  store.transaction(async transaction => {
    const config = await transaction.get('configs', request.param);
    if (config === undefined) throw notFound('Dynamic config');
    const changed = disabled(config, now());
    if (changed !== config) await transaction.put('configs', request.param, changed);
    return success('disable-config', currentOf(changed));
  });
