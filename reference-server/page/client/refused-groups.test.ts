import { describe, expect, it } from 'vitest';
import type { Behaviour } from '../../behaviours/schema.ts';
import { refusedGroups } from './refused-groups.ts';
import { type Entry, withRequests } from './request-list.ts';

let number = 0;
const entry = (change: Partial<Entry>): Entry =>
  withRequests(
    [],
    [
      {
        number: ++number,
        time: 0,
        took: 1,
        method: 'PATCH',
        url: '/console/v1/gates/a',
        endpoint: 'patch-gate',
        status: 400,
        headers: { 'User-Agent': 'acme/1' },
        body: '',
        answerHeaders: {},
        answer: '',
        refused: null,
        behaviours: [],
        answeredBy: null,
        keyName: null,
        ...change,
      },
    ],
  )[0] as Entry;

const wrong = (...properties: string[]): Entry['refused'] => ({
  message: 'The request body is not valid.',
  requirements: ['gate.tags'],
  errors: properties.map(property => ({ property, errorMessage: 'must be a string', requirement: 'gate.tags' })),
});

const behaviour = (change: Partial<Behaviour>): Behaviour => ({ id: 'b1', on: true, made: 1, met: 0, ...change });

describe('what clients got wrong', () => {
  it('is grouped by operation, status, member and requirement, the most frequent first', () => {
    const { groups } = refusedGroups(
      [
        entry({
          status: 404,
          refused: { message: 'Gate not found.', errors: [], requirements: ['open.unknown-id-status'] },
        }),
        entry({ refused: wrong('tags.0', 'tags.17') }),
        entry({ refused: wrong('tags.3', 'groups.2.name'), headers: { 'user-agent': 'other/2' } }),
        entry({ status: 200 }),
        entry({ status: 500 }),
        entry({ status: null }),
      ],
      [],
    );
    expect(
      groups.map(({ status, property, count, requirement, clients }) => [
        status,
        property,
        count,
        requirement,
        clients,
      ]),
    ).toEqual([
      [400, 'tags.*', 2, 'gate.tags', ['acme/1', 'other/2']],
      [404, undefined, 1, 'open.unknown-id-status', ['acme/1']],
      [400, 'groups.*.name', 1, 'gate.tags', ['other/2']],
    ]);
  });

  it('leaves out what a behaviour may have refused, and not what one merely held back', () => {
    const entries = [entry({ behaviours: ['b1'], refused: wrong('tags') })];
    expect(refusedGroups(entries, [behaviour({ latency: { ms: 1 } })])).toMatchObject({
      groups: [{ count: 1 }],
      simulated: 0,
    });
    for (const known of [
      [behaviour({ error: { status: 400 } })],
      [behaviour({ rateLimit: { requests: 0, seconds: 1 } })],
      [],
    ])
      expect(refusedGroups(entries, known)).toEqual({ groups: [], simulated: 1 });
  });

  it('has a group of its own for what the server refused in other words, and for what is no operation', () => {
    const { groups } = refusedGroups(
      [entry({ endpoint: null, url: '/console/v2?key=1', method: 'GET', status: 404 })],
      [],
    );
    expect(groups).toMatchObject([{ operation: 'GET /console/v2', message: 'Status 404', requirement: undefined }]);
  });
});
