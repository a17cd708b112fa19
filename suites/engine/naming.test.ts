import { describe, expect, it } from 'vitest';
import type { CheckEnd } from '../../contracts/report/journal.ts';
import { createReferenceServer, referenceTarget } from '../../reference-server/index.ts';
import { patientServer } from '../proof/testing/patient-server.ts';
import { targetOf } from '../sut/target.ts';
import { run } from './run.ts';

/** A target with its own names for everything that the specification leaves to the service. */
const naming = {
  apiKeyHeader: 'X-Acme-Token',
  unitIdField: 'acmeUnit',
  startDatePlaceholder: '{acme_from}',
  endDatePlaceholder: '{acme_to}',
};

describe('a target with other names', () => {
  it('conforms under its own names, and the wire shows them', async () => {
    const server = createReferenceServer({ ...patientServer, apiKey: 'naming-test-key', naming });
    const { url } = await server.listen();
    const ends: CheckEnd[] = [];
    try {
      const target = targetOf(referenceTarget(naming), new URL(url), 'naming-test-key');
      await run(
        {
          target,
          embedded: false,
          selection: {
            only: ['update-qualifying-event', 'list-qualifying-events', 'patch-gate/authentication'],
            skip: [],
          },
          seed: 1,
          profile: 'quick',
          concurrency: 8,
          timeoutMs: 600_000,
          readOnly: false,
          strict: false,
        },
        event => {
          if (event.event === 'check-end') ends.push(event);
        },
      );
    } finally {
      await server.close();
    }
    expect(
      ends.filter(end => end.verdict !== 'pass').map(end => `${end.id}: ${end.verdict} ${end.because ?? ''}`),
    ).toEqual([]);
    expect(ends.length).toBeGreaterThan(20);
  });

  it('is found out when the suite is not told', async () => {
    const server = createReferenceServer({ ...patientServer, apiKey: 'naming-test-key', naming });
    const { url } = await server.listen();
    const notices: string[] = [];
    try {
      await run(
        {
          target: targetOf({ ...referenceTarget(naming), naming: {} }, new URL(url), 'naming-test-key'),
          embedded: false,
          selection: { only: ['list-segments'], skip: [] },
          seed: 1,
          profile: 'quick',
          concurrency: 8,
          timeoutMs: 600_000,
          readOnly: false,
          strict: false,
        },
        event => {
          if (event.event === 'notice') notices.push(`${event.text} ${event.remedy ?? ''}`);
        },
      );
    } finally {
      await server.close();
    }
    expect(notices.join()).toMatch(/the key was refused everywhere.*SERVICE-API-KEY/s);
  });
});
