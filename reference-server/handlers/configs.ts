import { entityNamed } from '../api/references.ts';
import type { Handler } from '../api/request.ts';
import { listed } from '../api/success.ts';
import { revision } from '../directory.ts';
import { type ConfigHistory, currentOf } from '../entities.ts';
import { onEntity } from './on-entity.ts';

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
  'disable-config': onEntity('configs', (config, { now }) => {
    const kept = disabled(config, now);
    return { kept, shown: currentOf(kept) };
  }),

  /**
   * Section 4.10: an archived config is disabled and keeps its versions; reason and force are remembered.
   * `forceArchive` is never needed. Archiving again writes the same config.
   */
  'archive-config': onEntity<'archive-config', 'configs'>('configs', (config, { sent, now }) => {
    const { archiveReason: reason = '', forceArchive: forced = false } = sent;
    const kept = { ...disabled(config, now), archived: config.archived ?? { reason, forced } };
    return { kept, shown: currentOf(kept) };
  }),
} satisfies Record<string, Handler>;
