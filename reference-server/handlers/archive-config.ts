import type { BodyOf } from '../../contracts/endpoints.ts';
import { notFound } from '../api/answer.ts';
import { bodyOf, type Handler } from '../api/request.ts';
import { success } from '../api/success.ts';
import { currentOf, disabled } from '../config/disabled.ts';

/**
 * Archive Dynamic Config (section 4.10): an archived config is disabled and keeps its versions; reason and force are remembered.
 * `forceArchive` is never needed. Archiving again is no change.
 */
export const archiveConfig: Handler = (request, store, { now }) =>
  store.transaction(async transaction => {
    const config = await transaction.get('configs', request.param);
    if (config === undefined) throw notFound('Dynamic config');
    const { archiveReason = '', forceArchive = false } = bodyOf<BodyOf<'archive-config'>>(request);
    const archived = config.archived ?? { reason: archiveReason, forced: forceArchive };
    const changed = { ...disabled(config, now()), archived };
    await transaction.put('configs', request.param, changed);
    return success('archive-config', currentOf(changed));
  });
