import { expect, test } from 'vitest';
import { membersOf } from '../../../contracts/json.ts';
import { contextOf, judgedBy, modelSession } from '../../proof/testing/judged-by.ts';
import { createModel, instead, right, type Wrong } from '../../proof/testing/model.ts';
import { refusedName, takenNames } from './refused-name.ts';

/** Registers the ids of requests before it validates them. */
const registering: Wrong = model => {
  const taken = new Set<unknown>();
  return (request, body) => {
    const { id } = membersOf(body);
    const isTaken = taken.has(id);
    if (id !== undefined) taken.add(id);
    return isTaken ? { status: 409, value: { message: 'There is one.' } } : model(request, body);
  };
};

test('an id that a refused creation has taken is found', async () => {
  expect((await judgedBy(refusedName, 'create-prompt-version', registering)).found).toEqual(['reject.no-trace status']);
});

/** Refuses some creations for a lock, by their number: the names are as free as before. */
const locking =
  (...numbers: readonly number[]): Wrong =>
  model => {
    let seen = 0;
    return (request, body) => {
      seen += 1;
      return numbers.includes(seen)
        ? { status: 423, value: { message: 'A change is under way.' } }
        : model(request, body);
    };
  };

// biome-ignore format: a table
test.each<readonly [what: string, wrong: Wrong, because: readonly string[]]>([
  ['that is right',                   right, []],
  ['that refuses all these names',    instead({ status: 422 }, (_request, { name }) => /_create_prompt_version_/.test(String(name))), ['a creation under another name is refused as well (status 422)']],
  ['that chooses its ids itself',     instead({ status: 422 }, (_request, { id }) => id !== undefined), []],
  ['that is locked for a moment',     locking(2), []],
  ['that is locked for longer',       locking(2, 3, 4, 5, 7), []],
  ['that takes what is broken',       instead({ status: 200 }), ['the broken creation was not refused']],
])('a server %s is not accused', async (_what, wrong, because) => {
  const judged = await judgedBy(refusedName, 'create-prompt-version', wrong);
  expect([judged.found, judged.because]).toEqual([[], because]);
});

test('a name that was taken is found again when it is confirmed, under names of its own', async () => {
  const session = modelSession(registering(createModel()));
  const context = contextOf('create-prompt-version');
  const care = { seen: new Map() } as unknown as Parameters<typeof takenNames>[2];
  for (let time = 0; time < 2; time += 1)
    expect((await takenNames(context, session, care)).violations.map(({ requirement }) => requirement)).toEqual([
      'reject.no-trace',
    ]);
});
