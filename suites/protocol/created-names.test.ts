import { expect, test } from 'vitest';
import { isObject, type Json } from '../../contracts/json.ts';
import { namePlaceholder, shortPlaceholder, withNewName, withNewNames, withPlaceholder } from './created-names.ts';

function numbers(from = 1) {
  let number = from - 1;
  return () => {
    number += 1;
    return number;
  };
}

const nameOf = (body: unknown) => (isObject(body) ? String(body.name) : '');

test('a name alone is made of token and number', () => {
  expect(withNewNames({ name: namePlaceholder, type: 'sum' }, '0a1b2c3d', numbers())).toEqual({
    name: 'conform_0a1b2c3d_1',
    type: 'sum',
  });
});

test.each(['', 'x'.repeat(76), '.-/ %'])(
  'a name within a text keeps its length and what stands around it (%o)',
  rest => {
    const text = `${rest}${namePlaceholder}${rest === '' ? 'x' : ''}`;
    const name = nameOf(withNewNames({ name: text }, '0a1b2c3d', numbers(42)));
    expect(name).toHaveLength(text.length);
    expect(name).toContain('conform_0a1b2c3d_');
    expect(name.startsWith(rest)).toBe(true);
  },
);

test('short names differ from send to send, and from run to run', () => {
  const next = numbers();
  const ofRun = (token: string) =>
    Array.from({ length: 50 }, () => nameOf(withNewNames({ name: shortPlaceholder }, token, next)));
  const names = [...ofRun('0a1b2c3d'), ...ofRun('ffffffff'), ...ofRun('00000001')];
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[0-9a-z]{3}$/);
});

test('all names of one body have one number, and a body without any takes none', () => {
  const next = numbers();
  expect(withNewNames({ name: namePlaceholder, id: namePlaceholder }, 't', next)).toEqual({
    name: 'conform_t_1',
    id: 'conform_t_1',
  });
  expect(withNewNames({ name: 'plain' }, 't', next)).toEqual({ name: 'plain' });
  expect(next()).toBe(2);
});

test('only members of the body itself are names', () => {
  const body = { list: [namePlaceholder], inner: { name: namePlaceholder } };
  expect(withNewNames(body, 't', numbers())).toEqual(body);
});

test.each<readonly [body: Json | undefined, again: Json | undefined]>([
  [
    { name: 'conform_t_12', type: 'mean' },
    { name: namePlaceholder, type: 'mean' },
  ],
  [{ name: 'conform_u_12' }, undefined],
  [{ name: 'conform_t_12 and more' }, undefined],
  [{ name: 'conform_t_' }, undefined],
  [{ name: namePlaceholder }, undefined],
  [{ description: 'conform_t_12' }, undefined],
  [undefined, undefined],
])('%j gets a new name once more if its name was made by the run', (body, again) => {
  expect(withPlaceholder(body, 't')).toEqual(again);
});

test('a raw body is named as well', () => {
  expect(withNewName(`{"name":"${namePlaceholder}",}`, 't', numbers())).toBe('{"name":"conform_t_1",}');
  expect(withNewName('[', 't', numbers())).toBe('[');
});
