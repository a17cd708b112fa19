import { describe, expect, test } from 'vitest';
import type { Annotation } from '../../contracts/dialect.ts';
import type { Members } from '../../contracts/json.ts';
import { object } from '../../contracts/object.ts';
import type { LedgerExchange } from './attempt.ts';
import { type Cell, cellsOf } from './cells.ts';
import { type Example, exampleRow, exampleRowOf, examples } from './examples.fixture.ts';
import { createLedger, type LedgerFinding } from './ledger.ts';
import { relationIds } from './relations.ts';

/** A target without capabilities that names one user. */
const target = { references: (kind: string) => (kind === 'user' ? ['ada'] : []), has: () => false };

const fixtures = { gates: ['g', 'h'] };
const cells = (['patch-gate', 'list-segments'] as const).flatMap(id => cellsOf(id, exampleRowOf(id), fixtures));

type Finding = Omit<LedgerFinding, 'finding'>;

/** Returns the counts of a ledger after these exchanges and findings. */
function countOf(
  of: readonly Cell[],
  exchanges: readonly LedgerExchange[],
  findings: readonly Finding[] = [],
  rowOf = exampleRowOf,
) {
  const ledger = createLedger(of, target, fixtures, rowOf);
  for (const one of exchanges) ledger.note(one);
  for (const one of findings) ledger.broke({ ...one, finding: 'told' });
  return ledger.counted(finding => finding === 'told');
}
const count = (exchanges: readonly LedgerExchange[], findings: readonly Finding[] = []) =>
  countOf(cells, exchanges, findings);

const idOf = (relation: string, { endpoint = 'patch-gate', cell }: Example): string =>
  `${endpoint} ${relation} ${cell}`.trim();

const everything = Object.values(examples).flatMap(({ counts, not }) => [...counts, ...not]);

describe.each(relationIds)('%s', relation => {
  const example = examples[relation];
  const stateOf = (exchanges: readonly LedgerExchange[]) =>
    count(exchanges).find(({ cell }) => cell.id === idOf(relation, example));

  test('is proven by what shows it', () => {
    expect(stateOf(example.counts)).toMatchObject({ state: 'proven' });
  });

  test('is not proven by what comes near', () => {
    expect(stateOf(example.not)?.state).toMatch(/^not/);
  });
});

describe('a server that says nothing of what it does', () => {
  test.each<[string, (one: LedgerExchange) => LedgerExchange]>([
    ['answers {} to everything', one => ({ ...one, status: 200, value: {} })],
    ['refuses everything', one => ({ ...one, status: 400, value: { message: 'no' } })],
    ['breaks off', ({ value: _gone, ...one }) => ({ ...one, status: 0 })],
  ])('and %s proves nothing', (_what, answered) => {
    expect(count(everything.map(answered)).filter(({ state }) => state === 'proven')).toEqual([]);
    expect(count(everything).filter(({ state }) => state === 'proven').length).toBeGreaterThan(relationIds.length);
  });

  test('and answers with one constant entity proves nothing of a value', () => {
    const constant = { message: '', data: { id: 'g', must: 'm', note: 'a' } };
    const counted = count(
      everything.map(one => (one.endpoint === 'patch-gate' ? { ...one, status: 200, value: constant } : one)),
    );
    const ofValues = counted.filter(({ cell }) =>
      ['two-values', 'both-ways', 'member', 'told-apart', 'varied'].includes(cell.relation),
    );
    expect(ofValues.length).toBeGreaterThan(20);
    expect(ofValues.filter(({ state, cell }) => state === 'proven' && cell.endpoint === 'patch-gate')).toEqual([]);
  });
});

describe('a finding', () => {
  const [first, second] = examples.accepted.counts as [LedgerExchange, LedgerExchange];
  const stateOf = (finding: Finding, id = 'patch-gate accepted note') =>
    count([first, second], [finding]).find(({ cell }) => cell.id === id)?.state;

  test('breaks the cells of its field that its exchange fills', () => {
    expect(stateOf({ id: second.id, pointer: '/data/note' })).toBe('broken');
    expect(stateOf({ id: `${second.id}.2`, pointer: '/data', field: '/note' })).toBe('broken');
  });

  test('leaves other fields, and other exchanges', () => {
    expect(stateOf({ id: second.id, pointer: '/data/kind' })).toBe('proven');
    expect(stateOf({ id: 'another/check#case', pointer: '/data/note' })).toBe('proven');
  });
});

describe('a change of one field alone', () => {
  const stateAfter = (...parts: readonly Members[]) => {
    const exchanges = parts.map((part, index) => ({
      ...(examples.alone.counts[0] as LedgerExchange),
      id: `alone.${index}`,
      request: { param: 'g', key: 'valid', own: true, body: { must: 'm', note: `${index}`, part: { inner: 'a' } } },
      value: { message: '', data: { id: 'g', must: 'm', note: `${index}`, part } },
    }));
    return count(exchanges as LedgerExchange[]).find(({ cell }) => cell.id === 'patch-gate alone note')?.state;
  };

  test('is one, though the service adds a member of its own to another', () => {
    expect(stateAfter({ inner: 'a', id: 7 }, { inner: 'a', id: 7 })).toBe('proven');
  });

  test('is none where what was not sent is shown otherwise afterwards', () => {
    expect(stateAfter({ inner: 'a', id: 7 }, { inner: 'a', id: 8 })).not.toBe('proven');
    expect(stateAfter({ inner: 'a', id: 7 }, { inner: 'a' })).not.toBe('proven');
  });
});

describe('what is not tried has its reason', () => {
  const reasonOf = (
    annotation: Annotation,
    relation = 'accepted',
    exchanges: readonly LedgerExchange[] = examples.varied.counts,
  ) => {
    const row = { ...exampleRow, body: object({ note: { type: 'string' as const, annotation } }) };
    const [cell] = cellsOf('patch-gate', row, {}).filter(one => one.relation === relation);
    return cell === undefined ? undefined : countOf([cell], exchanges, [], () => row)[0];
  };

  test.each<[string, Annotation, string | undefined]>([
    ['capability', { capability: 'enterprise' }, 'capabilities: ["enterprise"]'],
    [
      'vocabulary',
      { semantics: 'reference', refersTo: 'team' },
      'vocabulary.teams: [{ "id": "a_team", "name": "A team" }]',
    ],
    ['harm', { semantics: 'guarded' }, undefined],
    ['budget', {}, undefined],
  ])('%s', (reason, annotation, line) => {
    expect(reasonOf(annotation)).toMatchObject({ state: 'not tried', reason, ...(line === undefined ? {} : { line }) });
  });

  test('harm, where no answer shows what would have to be put back', () => {
    expect(reasonOf({}, 'accepted', examples.absent.counts)).toMatchObject({ reason: 'harm' });
  });

  test('one name is too few for two values', () => {
    const user = { semantics: 'reference', refersTo: 'user' } as const;
    expect(reasonOf(user)).toMatchObject({ reason: 'budget' });
    expect(reasonOf(user, 'two-values')).toMatchObject({ reason: 'vocabulary' });
  });

  test('a premise, where the operation accepts nothing or what was sent is refused', () => {
    expect(reasonOf({}, 'accepted', [])).toMatchObject({ reason: 'budget' });
    const refused = examples.accepted.counts.map(one => ({ ...one, status: 409 }));
    expect(reasonOf({}, 'accepted', [...examples.varied.counts, ...refused])).toMatchObject({ reason: 'premise' });
  });
});
