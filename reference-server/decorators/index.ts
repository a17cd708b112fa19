/** The operators of which faults and dialects are made. */

export * from './caches.ts';
export * from './keys.ts';
export * from './layers.ts';
export * from './living.ts';
export * from './meetings.ts';
export * from './members.ts';
export * from './now-and-then.ts';
export * from './operations.ts';
export * from './paging.ts';
export * from './past-store.ts';
export * from './races.ts';
export * from './replicas.ts';
export * from './responses.ts';
export * from './schemas.ts';
export * from './sent-text.ts';
export * from './sequels.ts';
export * from './stores.ts';
export * from './validation.ts';
export * from './values.ts';
export * from './wire.ts';
