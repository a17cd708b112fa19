import { register } from 'node:module';

// Imported after `tsx/esm`, so that the hooks get what tsx has made of a module. See `plain-names-hooks.ts`.
register('./plain-names-hooks.ts', import.meta.url);
