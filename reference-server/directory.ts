import type { User } from './entities.ts';

/** The creator, owner and last modifier of entities. */

/** The API's own user, who signs every write. */
export const keyHolder: User = { id: 'console-api-key', name: 'Console API key', email: 'console-api@example.com' };

/** Returns the members that name the creator. */
export const createdBy = ({ id, name, email }: User) => ({ creatorID: id, creatorName: name, creatorEmail: email });

/** Returns the members that name the last modifier. */
export const modifiedBy = ({ id, name, email }: User) => ({
  lastModifierID: id,
  lastModifierName: name,
  lastModifierEmail: email,
});

/** Returns the owner of an entity. */
export const ownerOf = ({ id, name, email }: User, ownerType: 'USER' | 'SDK_KEY' = 'USER') => ({
  ownerID: id,
  ownerType,
  ownerName: name,
  ownerEmail: email,
});

/** Returns what every change sets: the key as modifier, the time (milliseconds since 1970), and the next version. */
export const revision = ({ version = 0 }: { readonly version?: number }, now: number) => ({
  ...modifiedBy(keyHolder),
  lastModifiedTime: now,
  version: version + 1,
});
