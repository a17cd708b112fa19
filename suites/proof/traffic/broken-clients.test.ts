import { beforeAll, describe, expect, test } from 'vitest';
import { clientRequirements } from '../../../contracts/requirements/index.ts';
import { judgedTraffic } from '../testing/exchanges.ts';
import { brokenClients } from './broken-clients.fixture.ts';
import { type Driven, driven, serverKey } from './driven.fixture.ts';

/** The exchanges of all broken clients with one server, which refuses what it must. */
let passed: Driven;
const places = new Map<string, readonly [from: number, to: number]>();

beforeAll(async () => {
  passed = await driven({}, async ({ send, exchanges }) => {
    for (const { id, calls } of brokenClients) {
      const from = exchanges.length;
      for (const call of calls) await send(call);
      places.set(id, [from, exchanges.length]);
    }
  });
});

const judgedOf = (id: string) => {
  const [from, to] = places.get(id) ?? [0, 0];
  const own = passed.exchanges.slice(from, to).map((one, index) => ({ ...one, number: index + 1 }));
  return judgedTraffic(own, { apiKey: serverKey, soleWriter: true });
};

describe('a broken client', () => {
  test.each(brokenClients.map(row => [row.title, row] as const))(
    '%s',
    (_title, { id, requirement, pointer, clause, besides = [] }) => {
      const { found, report } = judgedOf(id);
      // Nothing is attributed to the server, whether or not it refuses what it may refuse.
      const others = besides.map(one => `client ${one}`);
      expect([...found].sort()).toEqual([`client ${requirement} ${pointer}`, ...others].sort());
      const findings = report.endpoints.flatMap(({ checks }) => checks.flatMap(one => one.findings));
      const own = findings.find(one => one.requirement === requirement && one.pointer === pointer);
      expect(`${own?.expected} ${own?.actual}`).toContain(clause);
      expect(JSON.stringify(report)).not.toContain(serverKey);
    },
  );
});

test('the catalogue has forty broken clients or more, each id once', () => {
  expect(brokenClients.length).toBeGreaterThanOrEqual(40);
  expect(new Set(brokenClients.map(({ id }) => id)).size).toBe(brokenClients.length);
});

test('every requirement of clients has a broken client, but the one that takes a server that asks to wait', () => {
  const broken = new Set<string>(brokenClients.map(({ requirement }) => requirement));
  const left = clientRequirements.filter(({ id, level }) => level !== 'OPEN' && !broken.has(id));
  expect(left.map(({ id }) => id)).toEqual(['client.retry-after']);
});
