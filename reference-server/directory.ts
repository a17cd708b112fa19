import type { User } from './entities.ts';

/** Who made an entity, who owns it, and who changed it last. */

/** Who writes through the API: every write is signed with it. */
export const keyHolder: User = { id: 'console-api-key', name: 'Console API key', email: 'console-api@example.com' };

/** The members of an entity that say who made it. */
export const createdBy = ({ id, name, email }: User) => ({ creatorID: id, creatorName: name, creatorEmail: email });

/** The members that say who changed it last. */
export const modifiedBy = ({ id, name, email }: User) => ({
  lastModifierID: id,
  lastModifierName: name,
  lastModifierEmail: email,
});

/** The owner of an entity. */
export const ownerOf = ({ id, name, email }: User, ownerType: 'USER' | 'SDK_KEY' = 'USER') => ({
  ownerID: id,
  ownerType,
  ownerName: name,
  ownerEmail: email,
});

/**
 * What every change leaves on an entity: the key as its modifier, the time (milliseconds since 1970), and one version
 * more.
 */
export const revision = ({ version = 0 }: { readonly version?: number }, now: number) => ({
  ...modifiedBy(keyHolder),
  lastModifiedTime: now,
  version: version + 1,
});
