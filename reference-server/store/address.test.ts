import { expect, it } from 'vitest';
import { isAddress, isForeignAddress, passwordsOf, shownAddress } from './address.ts';

// biome-ignore format: a table
it.each([
  ['postgres://u:s3cret@db.example:5433/x',        'postgres://u@db.example:5433/x'],
  ['postgresql://db.example/x?password=s3cret',    'postgresql://db.example/x'],
  ['postgres://u:s3%2Fcret@/x?host=/tmp/s3cret',   'postgres://…'],
  ['postgres://u:s3cret@bad host/x',               'postgres://…'],
])('%s is shown without its password', (address, shown) => {
  expect(isAddress(address)).toBe(true);
  expect(shownAddress(address)).toBe(shown);
  expect(shownAddress(address)).not.toContain('cret');
});

it('knows a password in every spelling in which an error might repeat it', () => {
  expect(passwordsOf('postgres://u:a%2Fb@h/x?password=c%20d')).toEqual(['a%2Fb', 'a/b', 'c d']);
  expect(passwordsOf('postgres://u:a%zz@h/x')).toEqual(['a%zz']);
  expect(passwordsOf('postgres://h/x')).toEqual([]);
});

it('takes anything else for a folder', () => {
  for (const place of ['./dir', '/var/postgres', 'postgres', 'C:\\dir'])
    expect([isAddress(place), isForeignAddress(place)]).toEqual([false, false]);
});

it('takes no address of another kind for a folder', () => {
  for (const place of ['mysql://db/x', 'http://db', 'Postgres://db', 'file:///dir'])
    expect([isAddress(place), isForeignAddress(place)]).toEqual([false, true]);
});
