import { expect, test } from 'vitest';
import type { JsonObject } from '../../contracts/json.ts';
import { namePlaceholder } from '../protocol/created-names.ts';
import { createMeetingWrites } from './under-way.ts';

const patch = (body: JsonObject, param = 'a') => ({ endpoint: 'patch-gate', param, body }) as const;

test('writes that were under way together may show what the other wrote', () => {
  const { begin } = createMeetingWrites();
  const one = begin(patch({ description: 'x', tags: ['a'], isEnabled: true }));
  const other = begin(patch({ description: 'y', tags: ['a'] }));
  expect(one(false)).toEqual(['description']);
  expect(other(false)).toEqual(['description']);
});

test('those that followed one another, of other entities, or refused meanwhile do not', () => {
  const { begin } = createMeetingWrites();
  begin(patch({ description: 'x' }))(false);
  const one = begin(patch({ description: 'y' }));
  const elsewhere = begin(patch({ description: 'z' }, 'b'));
  const refused = begin(patch({ description: 'w' }));
  expect([elsewhere(false), refused(true), one(false)]).toEqual([[], ['description'], []]);
});

test('a name is another one each time that it is sent', () => {
  const { begin } = createMeetingWrites();
  const one = begin(patch({ name: namePlaceholder }));
  begin(patch({ name: namePlaceholder }));
  expect(one(false)).toEqual(['name']);
});

test('what is created at the same time is nobody else’s', () => {
  const { begin } = createMeetingWrites();
  const create = (temperature: number) =>
    ({ endpoint: 'create-prompt-version', param: 'a', body: { temperature } }) as const;
  const one = begin(create(0));
  begin(create(1));
  expect(one(false)).toEqual([]);
});
