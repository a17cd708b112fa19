import { stamp } from '../api/stamp.ts';
import type { ConfigHistory, DynamicConfig } from '../entities.ts';

/** What a config is now. A history is never empty. */
export const currentOf = ({ versions }: ConfigHistory): DynamicConfig => versions[0] as DynamicConfig;

/** A history whose newest version is disabled: one more version, unless it is disabled already. */
export const disabled = (history: ConfigHistory, now: number): ConfigHistory => {
  const current = currentOf(history);
  if (current.isEnabled === false) return history;
  const next = { ...current, ...stamp(now), isEnabled: false, version: (current.version ?? 0) + 1 };
  return { ...history, versions: [next, ...history.versions] };
};
