import { describe, expect, test } from 'vitest';
import { requirementById } from '../../contracts/requirements/index.ts';
import { createReferenceServer, faultKinds, faultNamed, faults } from '../index.ts';

describe('the catalogue of faults', () => {
  test('ids are stable: a fault that is gone or renamed shows here', async () => {
    await expect(`${faults.map(({ id }) => id).join('\n')}\n`).toMatchFileSnapshot('./ids.snap');
  });

  test('ids are in kebab case and stand once', () => {
    const ids = faults.map(({ id }) => id);
    expect(ids.filter(id => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('no two of an operation say the same', () => {
    const said = faults.map(({ endpoints, title }) => `${endpoints.join(', ')}: ${title}`);
    expect(said.filter((one, index) => said.indexOf(one) !== index)).toEqual([]);
  });

  test.each(Object.entries(faultKinds))(
    'faults of %s break rows that bind their endpoints and can be broken',
    (_kind, rows) => {
      for (const { id, requirement, alsoAs = [], endpoints, title } of rows) {
        expect(endpoints.length, id).toBeGreaterThan(0);
        expect(title, id).toMatch(/\.$/);
        expect(alsoAs, id).not.toContain(requirement);
        const row = requirementById(requirement);
        expect(['MUST', 'SHOULD'], id).toContain(row.level);
        expect(row.unverified, id).toBeUndefined();
        for (const endpoint of endpoints)
          expect(row.endpoints === 'all' || row.endpoints.includes(endpoint), `${id} at ${endpoint}`).toBe(true);
        for (const also of alsoAs) expect(requirementById(also).level, id).not.toBe('OPEN');
      }
    },
  );

  test('an unknown fault is a RangeError', () => {
    expect(() => faultNamed('none')).toThrow(RangeError);
    expect(() => createReferenceServer({ faults: ['none'] })).toThrow(RangeError);
  });
});

/** Returns the answer of a server with these faults to a list of segments. */
async function segments(
  faultIds: readonly string[],
  query = '',
): Promise<{ status: number; body: Record<string, unknown> }> {
  const server = createReferenceServer({ faults: faultIds, grace: 20 });
  const { url } = await server.listen();
  try {
    const response = await fetch(`${url}/console/v1/segments${query}`, {
      headers: { 'SERVICE-API-KEY': server.apiKey },
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  } finally {
    await server.close();
  }
}

describe('a server with faults', () => {
  test('has those it is given, one around the other', async () => {
    const { body } = await segments(['message-segments-trailing-blank', 'segment-count-as-text']);
    expect(body.message).toBe('Segments listed successfully. ');
    expect((body.data as { count: unknown }[])[0]?.count).toEqual(expect.any(String));
  });

  test('has no other, and remembers nothing of another server', async () => {
    expect((await segments([])).body.message).toBe('Segments listed successfully.');
    for (const _ of [1, 2]) {
      expect((await segments(['segments-poisoned-by-page'])).status).toBe(200);
      expect((await segments(['segments-poisoned-by-page'], '?page=abc')).status).toBe(500);
    }
  });

  test('leaves the other operations alone', async () => {
    expect((await segments(['patch-gate-204', 'events-page-huge-500', 'sources-default-9'])).body).toEqual(
      (await segments([])).body,
    );
  });
});
