import { present } from '../contracts/present.ts';
import type { ApiKey } from '../reference-server/index.ts';
import { UsageError } from './input.ts';
import { refuseKey } from './key-command.ts';
import { nearest } from './suggestion.ts';

/** The roles of keys, as `--key` names them. */
const roles: readonly NonNullable<ApiKey['role']>[] = ['read-write', 'read-only'];

/** `NAME=KEY` or `NAME=KEY:ROLE`. Throws a `UsageError` that shows no key. */
function keyOf(text: string): ApiKey {
  const [, name, rest] = /^([\w.-]+)=(.+)$/s.exec(text) ?? [];
  if (name === undefined || rest === undefined)
    throw new UsageError(
      '--key must be NAME=KEY or NAME=KEY:read-only, with a name of letters, digits, dots and dashes',
    );
  const role = roles.find(one => rest.endsWith(`:${one}`));
  const key = role === undefined ? rest : rest.slice(0, -role.length - 1);
  const suffix = /:([a-z_-]+)$/i.exec(key)?.[1] ?? '';
  if (role === undefined && nearest(suffix, roles).length > 0)
    throw new UsageError(`--key ${name} ends in no role; the roles are ${roles.join(' and ')}`);
  if (key === '') throw new UsageError(`--key ${name} has no key before its role`);
  refuseKey(key, `--key ${name}`);
  return present({ name, key, role });
}

/** The keys of `--key`. Throws a `UsageError` for one that is there twice, and shows none. */
export function servedKeys(texts: readonly string[], apiKey: string | undefined): readonly ApiKey[] {
  const keys = texts.map(keyOf);
  for (const [index, { name, key }] of keys.entries()) {
    const before = keys.slice(0, index);
    if (name === 'api-key') throw new UsageError('--key api-key: that is what the key of --api-key is called');
    if (before.some(other => other.name === name)) throw new UsageError(`--key ${name} is given twice`);
    const twin = before.find(other => other.key === key)?.name ?? (key === apiKey ? 'api-key' : undefined);
    if (twin !== undefined) throw new UsageError(`--key ${name} is the same key as ${twin}`);
  }
  return keys;
}
