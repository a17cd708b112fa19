import { expect, test } from 'vitest';
import { exchange, recording, shows } from '../record/recordings.fixture.ts';
import { originsOf } from './origins.ts';

const source = { name: 'a', description: 'mine', tags: ['x'] };
const update = { endpoint: 'update-qualifying-event', param: 'a', value: shows(source) } as const;

test('a dry run of an update takes nothing back: what was accepted before still counts as taken', () => {
  const origins = originsOf(
    recording('a', [
      exchange({ ...update, id: 'update-qualifying-event/accepts#one', body: { description: 'mine' } }),
      exchange({ ...update, id: 'update-qualifying-event/accepts#dry', body: { tags: ['x'], dryRun: true } }),
      exchange({ ...update, id: 'update-qualifying-event/accepts#two', body: { tags: ['x'] } }),
    ]),
  );
  const isTaken = ['one', 'dry', 'two'].map(name =>
    origins.get(`update-qualifying-event/accepts#${name} /data`)?.isTaken('description'),
  );
  expect(isTaken).toEqual([true, true, false]);
});

test('two creations whose answers name nothing are not one entity', () => {
  const created = (name: string, body: object) =>
    exchange({
      id: `create-metric/accepts#${name}`,
      endpoint: 'create-metric',
      body: { ...body },
      value: shows({ description: name }),
    });
  const origins = originsOf(recording('a', [created('one', { tags: ['x'] }), created('two', { description: 'y' })]));
  expect(origins.get('create-metric/accepts#two /data')?.isTaken('tags')).toBe(false);
});
