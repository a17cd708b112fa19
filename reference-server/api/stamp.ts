import { keyHolder } from '../directory.ts';

/** Who changed an entity last and when: what every write leaves on it. `now` is in milliseconds since 1970. */
export const stamp = (now: number) => ({
  lastModifierID: keyHolder.id,
  lastModifierName: keyHolder.name,
  lastModifierEmail: keyHolder.email,
  lastModifiedTime: now,
});
