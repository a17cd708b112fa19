/**
 * The names that this server knows and that no operation changes: what a request may refer to besides the entities of the store.
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
export const pipelines = ['pipeline-standard', 'pipeline-canary'] as const;
export const reviewGroups = ['release-managers', 'data-reviewers'] as const;
export const models = ['gpt-4o', 'gpt-4o-mini', 'claude-sonnet'] as const;
export const providers = ['openai', 'anthropic'] as const;
export const assignmentSources = ['warehouse_assignments', 'checkout_assignments'] as const;
export const identitySources = ['user_identity_map'] as const;

// biome-ignore format: a table
export const users: readonly [User, ...User[]] = [
  { id: 'user-ada',   name: 'Ada Okafor',    email: 'ada.okafor@example.com' },
  { id: 'user-brice', name: 'Brice Lambert', email: 'brice.lambert@example.com' },
  { id: 'user-chen',  name: 'Chen Yi',       email: 'chen.yi@example.com' },
];

/** Who writes through the API: every write is signed with it. */
export const keyHolder: User = { id: 'console-api-key', name: 'Console API key', email: 'console-api@example.com' };

/** The kinds of names a request may refer to. */
export type NameKind =
  | 'idType'
  | 'team'
  | 'app'
  | 'pipeline'
  | 'reviewGroup'
  | 'model'
  | 'provider'
  | 'user'
  | 'email'
  | 'assignmentSource'
  | 'identitySource';

/** What exists, by kind. */
// biome-ignore format: a table
export const directory: { readonly [K in NameKind]: ReadonlySet<string> } = {
  idType:           new Set(idTypes),
  team:             new Set(teams),
  app:              new Set(apps),
  pipeline:         new Set(pipelines),
  reviewGroup:      new Set(reviewGroups),
  model:            new Set(models),
  provider:         new Set(providers),
  user:             new Set([...users, keyHolder].map(user => user.id)),
  email:            new Set([...users, keyHolder].map(user => user.email)),
  assignmentSource: new Set(assignmentSources),
  identitySource:   new Set(identitySources),
};
