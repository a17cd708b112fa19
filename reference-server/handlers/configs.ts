import { entityNamed } from '../api/references.ts';
import { bodyOf, type Handler } from '../api/request.ts';
import { listed, success } from '../api/success.ts';
import { revision } from '../directory.ts';
import { type ConfigHistory, currentOf } from '../entities.ts';

/** A history whose newest version is disabled: one more version, unless it is disabled already. */
const disabled = (history: ConfigHistory, now: number): ConfigHistory => {
  const current = currentOf(history);
  if (current.isEnabled === false) return history;
  const next = { ...current, ...revision(current, now), isEnabled: false };
  return { ...history, versions: [next, ...history.versions] };
};

/** The operations on dynamic configs. */
export const configHandlers = {
  /** Section 4.2: the newest version first. */
  'list-config-versions': async (request, store) =>
    listed(request, (await entityNamed(store, 'configs', request)).versions),

  /** Section 4.5: `isEnabled` becomes false, in a new version. Disabling again is no change. */
  'disable-config': (request, store, { now }) =>
    store.transaction(async transaction => {
      const config = await entityNamed(transaction, 'configs', request);
      const changed = disabled(config, now());
      if (changed !== config) await transaction.put('configs', request.param, changed);
      return success(request, currentOf(changed));
    }),

  /**
   * Section 4.10: an archived config is disabled and keeps its versions; reason and force are remembered.
   * `forceArchive` is never needed. Archiving again is no change.
   */
  'archive-config': (request, store, { now }) =>
    store.transaction(async transaction => {
      const config = await entityNamed(transaction, 'configs', request);
      const { archiveReason = '', forceArchive = false } = bodyOf<'archive-config'>(request);
      const archived = config.archived ?? { reason: archiveReason, forced: forceArchive };
      const changed = { ...disabled(config, now()), archived };
      await transaction.put('configs', request.param, changed);
      return success(request, currentOf(changed));
    }),
} satisfies Record<string, Handler>;
