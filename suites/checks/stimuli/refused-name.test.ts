import { expect, test } from 'vitest';
import { membersOf } from '../../../contracts/json.ts';
import { judgedBy } from '../../proof/testing/judged-by.ts';
import { instead, right, type Wrong } from '../../proof/testing/model.ts';
import { refusedName } from './refused-name.ts';

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
  ['that refuses all these names',    instead({ status: 422 }, (_request, { name }) => /_(refused|named)/.test(String(name))), ['a creation under another name is refused as well (status 422)']],
  ['that chooses its ids itself',     instead({ status: 422 }, (_request, { id }) => id !== undefined), []],
  ['that is locked for a moment',     locking(2), []],
  ['that is locked for longer',       locking(2, 3, 4, 5, 7), []],
  ['that takes what is broken',       instead({ status: 200 }), ['the broken creation was not refused']],
])('a server %s is not accused', async (_what, wrong, because) => {
  const judged = await judgedBy(refusedName, 'create-prompt-version', wrong);
  expect([judged.found, judged.because]).toEqual([[], because]);
});
