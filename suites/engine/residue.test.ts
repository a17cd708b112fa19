import { describe, expect, test } from 'vitest';
import type { Json } from '../../contracts/json.ts';
import { type Given, givenAnswer } from '../proof/testing/answers.ts';
import { createResidue, createWrittenFields } from './residue.ts';

const account = (...answers: Given[]) => {
  const residue = createResidue('abcd');
  for (const given of answers) residue.note(givenAnswer(given));
  return residue.all();
};
const metric = (name: string, more: Partial<Given> = {}): Given => ({
  endpoint: 'create-metric',
  value: { data: { name } },
  sent: { name },
  ...more,
});

test('created things are counted under their common name', () => {
  expect(account(metric('conform_abcd_1'), metric('conform_abcd_2'))).toEqual([
    {
      event: 'left-behind',
      endpoint: 'create-metric',
      kind: 'metric',
      id: 'conform_abcd_*',
      what: 'created',
      count: 2,
    },
  ]);
});

test('a name that has the token within counts under the common name', () => {
  expect(account(metric('0123 conform_abcd_7')).map(({ id }) => id)).toEqual(['conform_abcd_*']);
});

test.each<[string, Given]>([
  ['a refused creation', metric('conform_abcd_1', { status: 400 })],
  ['a dry run', metric('conform_abcd_1', { sent: { name: 'conform_abcd_1', dryRun: true } })],
  ['a read', { endpoint: 'list-segments', value: {} }],
  ['what can be put back', { endpoint: 'patch-gate', value: {}, request: { param: 'a_gate' } }],
  ['an odd path', { endpoint: 'disable-config', value: {}, request: { rawPath: '/x' } }],
])('%s leaves nothing', (_what, given) => {
  expect(account(given)).toEqual([]);
});

const patch = (more: Given = {}): Given => ({
  request: { param: 'a_gate' },
  sent: { tags: [], isEnabled: true },
  ...more,
});

describe('a write to what the target file does not name', () => {
  const patched = (param: string, more: Partial<Given> = {}): Given => ({
    endpoint: 'patch-gate',
    value: {},
    request: { param },
    ...more,
  });
  const left = (...answers: Given[]) => {
    const residue = createResidue('abcd', endpoint => (endpoint === 'patch-gate' ? ['a_gate'] : []));
    for (const given of answers) residue.note(givenAnswer(given));
    return residue.all().map(({ kind, id, what }) => [kind, id, what]);
  };

  test('has created an experiment, once, and changed none for good', () => {
    const updated: Given = { ...patched('conform-abcd-none'), endpoint: 'update-experiment' };
    expect(left(updated, updated)).toEqual([
      ['experiment', 'conform-abcd-none', 'created: nothing had this id before'],
    ]);
  });

  test('has created it where its id was made up, and perhaps what else was accepted', () => {
    expect(left(patched('a_gate'), patched('..'), patched('conform-abcd-none'))).toEqual([
      ['gate', '..', 'created, unless it was there before'],
      ['gate', 'conform-abcd-none', 'created: nothing had this id before'],
    ]);
  });

  test('has created nothing where what was accepted may have been there', () => {
    expect(left(patched('a_gate'), patched('another_gate'))).toEqual([]);
  });

  test('has created nothing where it was refused', () => {
    expect(left(patched('conform-abcd-none', { status: 404 }))).toEqual([]);
  });
});

test('a name that others could have given is told in full', () => {
  expect(account(metric('a metric')).map(({ id }) => id)).toEqual(['a metric']);
});

test('a creation whose answer got lost counts as perhaps, and one that was never sent as nothing', () => {
  const lost = (kind: 'timeout' | 'refused'): Given =>
    metric('conform_abcd_3', { value: undefined, status: 0, failure: { kind, message: 'no answer' } });
  expect(account(metric('conform_abcd_1'), lost('timeout'), lost('refused'))).toEqual([
    expect.objectContaining({ id: 'conform_abcd_*', count: 1, perhaps: 1 }),
  ]);
});

test('a creation that was sent again may have been carried out each time', () => {
  const again = givenAnswer(metric('conform_abcd_1'));
  const residue = createResidue('abcd');
  residue.note({ ...again, reply: { ...again.reply, attempts: 3 } });
  expect(residue.all()).toEqual([expect.objectContaining({ count: 1, perhaps: 2 })]);
});

test('a thing that was changed often is one thing', () => {
  const changed: Given = { endpoint: 'update-experiment', value: {}, request: { param: 'an_experiment' } };
  expect(account(changed, changed)).toEqual([
    expect.objectContaining({ count: 1, what: expect.stringContaining('(2 times)') }),
  ]);
});

test('changed entities are named', () => {
  const left = account(
    { endpoint: 'disable-config', value: {}, request: { param: 'a_config' } },
    { endpoint: 'update-experiment', value: {}, request: { param: 'an_experiment' } },
  );
  expect(left.map(({ kind, id }) => `${kind} ${id}`)).toEqual(['dynamic config a_config', 'experiment an_experiment']);
});

test('the account is bounded in entries and in the length of names', () => {
  const many = Array.from({ length: 500 }, (_, index) => metric(`${'x'.repeat(1000)}${index}`));
  expect(account(...many).every(({ id }) => id.length <= 200)).toBe(true);
  const different = Array.from({ length: 500 }, (_, index) => metric(`other ${index}`));
  const left = account(...different);
  expect(left).toHaveLength(200);
  expect(left.reduce((sum, { count = 0 }) => sum + count, 0)).toBe(500);
});

describe('written fields', () => {
  const fieldsOf = (...answers: Given[]) => {
    const written = createWrittenFields();
    for (const given of answers) written.note(givenAnswer(given));
    return [...written.fieldsOf('patch-gate', 'a_gate')];
  };

  test('are isEnabled too, where a gate was disabled', () => {
    expect(fieldsOf({ endpoint: 'disable-gate', value: {}, request: { param: 'a_gate' } })).toEqual(['isEnabled']);
  });

  test('are those of every successful write to the entity', () => {
    expect(fieldsOf(patch(), patch({ sent: { rules: [], tags: ['a'] } }))).toEqual(['tags', 'isEnabled', 'rules']);
    expect(fieldsOf(patch({ request: { param: 'another_gate' } }))).toEqual([]);
  });

  test.each<[string, Given]>([
    ['failed', patch({ status: 500 })],
    ['was not answered', patch({ status: 0, failure: { kind: 'timeout', message: 'no answer' } })],
    ['was cut off', patch({ status: 0, failure: { kind: 'dropped', message: 'no answer' } })],
  ])('are those of a write that %s too, for it may have been carried out', (_how, given) => {
    expect(fieldsOf(given)).toEqual(['tags', 'isEnabled']);
  });

  test.each<[string, Given]>([
    ['a refused write', patch({ status: 400 })],
    ['a write that reached nobody', patch({ status: 0, failure: { kind: 'refused', message: 'no connection' } })],
    ['a dry run', patch({ sent: { tags: [], dryRun: true } })],
    ['an odd path', patch({ request: { param: 'a_gate', rawPath: '/x' } })],
    ['another method', patch({ request: { param: 'a_gate', method: 'PUT' } })],
    ['a body that is no object', patch({ sent: ['tags'] })],
    ['an operation that puts nothing back', patch({ endpoint: 'disable-config' })],
    ['one that replaces the whole set', patch({ endpoint: 'update-environments' })],
  ])('are none of %s', (_what, given) => {
    expect(fieldsOf(given)).toEqual([]);
  });

  test('are bounded', () => {
    const sent = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`field${index}`, 1]));
    expect(fieldsOf(patch({ sent }))).toHaveLength(100);
  });
});

test.each<[string, boolean, Given]>([
  ['a patch', true, patch({ status: 400 })],
  ['an empty patch', false, patch({ sent: {} })],
  ['what shows it', false, patch({ request: { param: 'a_gate', toRead: true } })],
  ['a disabling', true, { endpoint: 'disable-gate', request: { param: 'a_gate' } }],
  ['a disabling with an empty body', true, { endpoint: 'disable-gate', request: { param: 'a_gate' }, sent: {} }],
  ['a patch of another gate', false, patch({ request: { param: 'b_gate' } })],
])('a gate that was sent %s was written: %s', (_what, expected, given) => {
  const written = createWrittenFields();
  written.note(givenAnswer(given));
  expect(written.isWritten('patch-gate', 'a_gate')).toBe(expected);
});

test('every gate may have been written once more ids were than are kept', () => {
  const written = createWrittenFields();
  for (let index = 0; index < 10_000; index += 1) written.note(givenAnswer(patch({ request: { param: `g${index}` } })));
  expect(written.isWritten('patch-gate', 'a_gate')).toBe(true);
});

describe('a set that is replaced as a whole', () => {
  const before = { environments: [{ id: 'e1', requiresReview: true }] };
  const other = { environments: [{ id: 'e1', requiresReview: false }] };
  const write = (sent: Json, status = 200): Given => ({ endpoint: 'update-environments', status, value: {}, sent });

  test.each<[string, boolean, Given[]]>([
    ['was never written', false, []],
    ['was refused', false, [write(other, 400)]],
    ['was sent otherwise', true, [write(other)]],
    ['was sent as before in the end', false, [write(other), write(before)]],
    ['was refused in the end', false, [write(other), write(before), write(other, 422)]],
    ['may have been sent otherwise in the end', true, [write(before), write(other, 500)]],
  ])('that %s may have changed: %s', (_how, expected, answers) => {
    const written = createWrittenFields();
    for (const given of answers) written.note(givenAnswer(given));
    expect(written.mayHaveChanged('update-environments', before)).toBe(expected);
  });
});
