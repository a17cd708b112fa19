import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chooseTarget, type TargetFlags, withFoundConfig } from './target.ts';
import { folder } from './testing/command.fixture.ts';

const file = {
  baseUrl: '$URL_OF_NOWHERE',
  apiKey: '$KEY_OF_NOWHERE',
  headers: [
    { name: 'X-Region', value: 'north' },
    { name: 'X-Tenant', value: '$TENANT_OF_NOWHERE' },
  ],
  naming: { apiKeyHeader: '$HEADER_OF_NOWHERE' },
};
const flags = {
  baseUrl: 'http://127.0.0.1:9',
  apiKey: 'of-the-flag',
  header: ['x-tenant: acme'],
  apiKeyHeader: 'X-Key',
};

async function chosen(given: Partial<TargetFlags>) {
  const config = join(folder(), 'conform.config.json');
  writeFileSync(config, JSON.stringify(file));
  return chooseTarget({ config, ...given } as TargetFlags);
}

test('a flag beats the target file, even where the file names a variable that is not set', async () => {
  const { target } = await chosen(flags);
  expect(target.baseUrl.href).toBe('http://127.0.0.1:9/');
  expect(target.access.headers).toEqual({ 'x-region': 'north', 'x-tenant': 'acme' });
});

test.each(Object.keys(flags) as (keyof typeof flags)[])('without --%s the variable is asked for', async left => {
  const { [left]: _, ...others } = flags;
  await expect(chosen(others)).rejects.toThrow(/reads the environment variable \w+_OF_NOWHERE, which is not set/);
});

test('the target file of the folder is read where no flag names a server, and only there', () => {
  const place = folder();
  const config = join(place, 'conform.config.json');
  const none = {} as TargetFlags;
  expect(withFoundConfig(none, place)).toBe(none);
  writeFileSync(config, '{}');
  expect(withFoundConfig(none, place)).toEqual({ config });
  const named = { baseUrl: 'http://127.0.0.1:9' } as TargetFlags;
  expect(withFoundConfig(named, place)).toBe(named);
  const other = { config: 'other.json' } as TargetFlags;
  expect(withFoundConfig(other, place)).toBe(other);
});
