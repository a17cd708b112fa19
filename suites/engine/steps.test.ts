import { describe, expect, test } from 'vitest';
import type { Profile } from '../../contracts/report/journal.ts';
import { recordedRun } from '../proof/testing/reference-run.ts';

const findingsOf = async (fault: string, unit: string, profile: Profile = 'quick') => {
  const { checks } = await recordedRun({ server: { faults: [fault] }, only: [unit], run: { profile } });
  return checks.get(unit)?.findings ?? [];
};

describe('a finding of a sequence', () => {
  test('has the steps that led to it, the accused answer last, with what each showed', async () => {
    const [finding] = await findingsOf('patch-ignores-type', 'patch-gate/frame', 'standard');
    const { steps = [], exchange } = finding ?? {};
    expect(steps.length).toBeGreaterThan(1);
    expect(steps.at(-1)?.exchange.id).toBe(exchange?.id);
    expect(steps.map(({ number }) => number)).toEqual([...steps.map(({ number }) => number)].sort((a, b) => a - b));
    expect(steps.some(({ shown }) => shown !== undefined)).toBe(true);
    expect(JSON.stringify(steps)).not.toContain('Conformance_Key');
  });

  test('that changed what was not sent ends in the reading that shows it', async () => {
    const [finding] = await findingsOf('patch-adds-a-holdout', 'patch-gate/frame');
    const { steps = [] } = finding ?? {};
    expect(steps.map(({ shown }) => shown).at(-1)).toBe('["a_holdout"]');
    expect(steps.some(({ exchange }) => (exchange.request.body?.text.length ?? 0) > 2)).toBe(true);
  });

  test('of requests that were refused has those that may have done it', async () => {
    const [finding] = await findingsOf('gate-disabled-without-key', 'disable-gate/authentication');
    const { steps = [], requirement } = finding ?? {};
    expect(requirement).toBe('auth.no-effect');
    expect(steps.some(({ exchange }) => exchange.response?.status === 401)).toBe(true);
    expect(steps.at(-1)?.shown).toBe('false');
  });

  test('that ends in a refusal has what was sent before it', async () => {
    const [finding] = await findingsOf('metric-dry-run-reserves-name', 'create-metric/metric-stored');
    expect(finding?.pointer).toBe('status');
    expect(finding?.steps?.length).toBeGreaterThan(1);
  });

  test('of one request has none', async () => {
    const [finding] = await findingsOf('gate-description-accepts-1001-characters', 'patch-gate/rejects');
    expect(finding?.steps).toBeUndefined();
  });
});

test('the accused value is told where the body is cut before it', async () => {
  const [finding] = await findingsOf('source-write-lost-in-three', 'update-qualifying-event/event-stored');
  const { exchange, accused, actual } = finding ?? {};
  if (exchange?.response?.body.truncated === true) expect(accused).toBe(actual);
  else expect(accused).toBeUndefined();
});
