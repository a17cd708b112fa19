/**
 * The names that this server knows and that no operation changes: what a request may refer to besides the entities of
 * the store.
 */

/** A person, or the key that acts for one. */
export interface User {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

export const idTypes = ['userID', 'stableID', 'companyID', 'deviceID'] as const;
export const teams = ['growth', 'payments', 'platform'] as const;
export const apps = ['web', 'ios', 'android'] as const;
export const releasePipelines = ['pipeline-standard', 'pipeline-canary'] as const;
export const reviewGroups = ['release-managers', 'data-reviewers'] as const;
export const models = ['gpt-4o', 'gpt-4o-mini', 'claude-sonnet'] as const;
export const providers = ['openai', 'anthropic'] as const;

// biome-ignore format: a table
export const users: readonly [User, ...User[]] = [
  { id: 'user-ada',   name: 'Ada Okafor',    email: 'ada.okafor@example.com' },
  { id: 'user-brice', name: 'Brice Lambert', email: 'brice.lambert@example.com' },
  { id: 'user-chen',  name: 'Chen Yi',       email: 'chen.yi@example.com' },
];

/** Who writes through the API: every write is signed with it. */
export const keyHolder: User = { id: 'console-api-key', name: 'Console API key', email: 'console-api@example.com' };

/** What exists, by the kinds of names that a request may refer to. */
// biome-ignore format: a table
export const directory = {
  idType:           new Set<string>(idTypes),
  team:             new Set<string>(teams),
  app:              new Set<string>(apps),
  pipeline:         new Set<string>(releasePipelines),
  reviewGroup:      new Set<string>(reviewGroups),
  model:            new Set<string>(models),
  provider:         new Set<string>(providers),
  user:             new Set<string>([...users, keyHolder].map(user => user.id)),
  email:            new Set<string>([...users, keyHolder].map(user => user.email)),
  assignmentSource: new Set<string>(['warehouse_assignments', 'checkout_assignments']),
  identitySource:   new Set<string>(['user_identity_map']),
} as const;

/** A kind of names that a request may refer to. */
export type NameKind = keyof typeof directory;

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
