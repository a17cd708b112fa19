import { describe, expect, test } from 'vitest';
import { endpointIds, endpoints } from '../../contracts/endpoints.ts';
import { referenceTarget } from '../../reference-server/index.ts';
import { checkOf } from '../checks/index.ts';
import { allUnits, isOneShot } from '../checks/units.ts';
import { type ActiveCheck, type CaseDescription, type CheckPlan, isNothingToDo } from '../protocol/check.ts';
import { isBlockedRequest, minimalRequest } from '../sut/minimal-request.ts';
import { targetOf } from '../sut/target.ts';
import { caseIds, indexOfPath, minimalCaseId } from './case-ids.ts';
import { amountsOf } from './cases.ts';

const described = (...titles: string[]): CaseDescription[] => titles.map(title => ({ title, pointer: '' }));
const idsOf = (descriptions: readonly CaseDescription[], token = '') =>
  caseIds(descriptions, token).map(({ id }) => id);

/** Returns the enumerated plan of a check for the reference server with these unit types and this token. */
function enumerated(endpoint: (typeof endpointIds)[number], check: ActiveCheck<never>, token: string) {
  const file = referenceTarget();
  const target = targetOf(file, new URL('http://127.0.0.1:9'), 'a-key-of-tests');
  const discovered = { qualifyingEvents: new Map() };
  const minimal = minimalRequest(target, discovered, endpoint);
  if (isBlockedRequest(minimal)) return [];
  const rest = { oneShot: isOneShot(endpoint), settleMs: 0, seed: 1, readOnly: false, amounts: amountsOf.standard };
  const plan = check.plan({ endpoint, row: endpoints[endpoint], target, discovered, minimal, token, ...rest });
  if (isNothingToDo(plan)) return [];
  const { cases = [], describe: inWords } = plan as unknown as CheckPlan<unknown>;
  return cases.map(inWords);
}

const active = allUnits().flatMap(({ id, endpoint, check }) =>
  check.kind === 'active' ? [{ id, endpoint, check }] : [],
);

describe('the id of a case', () => {
  test('says what it is, in signs that no shell and no URL reads as anything else', () => {
    expect(idsOf(described('top_p: an ordinary number, 0.9', 'the empty patch'))).toEqual([
      'top_p-an-ordinary-number-0-9',
      'the-empty-patch',
    ]);
    for (const id of idsOf(described('', '-x', '"$(rm)" `é` \u0000', 'a'.repeat(500))))
      expect(id).toMatch(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,80}$/);
  });

  test('tells titles apart that differ in other signs alone', () => {
    const ids = idsOf(described('type: "count "', 'type: "count"', 'type: count'));
    expect(new Set(ids).size).toBe(3);
    expect(ids[2]).toBe('type-count');
  });

  test('is the same in any order, and whatever other cases there are', () => {
    const some: CaseDescription[] = [
      { title: 'idType: a name', pointer: '/idType', sent: 'userID', isOneOfMany: true },
      { title: 'idType: a name', pointer: '/idType', sent: 'deviceID', isOneOfMany: true },
      { title: 'idType: documented null', pointer: '/idType', sent: null },
    ];
    const ids = idsOf(some);
    expect(new Set(ids).size).toBe(3);
    expect(idsOf([...some].reverse())).toEqual([...ids].reverse());
    expect(idsOf(some.slice(0, 1))).toEqual(ids.slice(0, 1));
  });

  test('does not depend on the token of the run', () => {
    const ofRun = (token: string) =>
      idsOf(
        [`a ${token}`, `b ${token}`].map(sent => ({ title: 'a mark', pointer: '', sent })),
        token,
      );
    expect(ofRun('abc')).toEqual(ofRun('defg'));
    expect(new Set(ofRun('abc')).size).toBe(2);
  });

  test.each(active)('$id: each of its cases has one of its own', ({ endpoint, check }) => {
    const ids = idsOf(enumerated(endpoint, check, 'one'), 'one');
    expect(new Set(ids).size).toBe(ids.length);
    expect(idsOf(enumerated(endpoint, check, 'another'), 'another')).toEqual(ids);
  });

  test.each(endpointIds)('%s: the minimal request has the id by which it is sent again', endpoint => {
    const check = checkOf('minimal-request') as ActiveCheck<never>;
    expect(idsOf(enumerated(endpoint, check, 'one'))[0]).toBe(minimalCaseId);
  });
});

test('a path names a case by its id, by what it sends besides, or the first of a title', () => {
  const ids = caseIds(
    ['x', 'y'].map(sent => ({ title: 'a name', pointer: '', sent })),
    '',
  );
  expect(ids.map(({ id }) => indexOfPath(ids, id))).toEqual([0, 1]);
  expect(indexOfPath(ids, 'a-name')).toBe(0);
  expect(indexOfPath(ids, 'another')).toBe(-1);
  const alone = caseIds([{ title: 'a name', pointer: '', sent: 'y' }], '');
  expect(alone[0]?.id).toBe('a-name');
  expect(indexOfPath(alone, ids[1]?.id ?? '')).toBe(0);
});
