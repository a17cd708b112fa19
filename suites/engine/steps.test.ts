import { describe, expect, test } from 'vitest';
import { recordedRun } from '../proof/testing/reference-run.ts';

const findingsOf = async (fault: string, unit: string) => {
  const { checks } = await recordedRun({ server: { faults: [fault] }, only: [unit] });
  return checks.get(unit)?.findings ?? [];
};

describe('a finding of a sequence', () => {
  test('has the steps that led to it, the accused answer last, with what each showed', async () => {
    const [finding] = await findingsOf('patch-ignores-type', 'patch-gate/frame');
    const { steps = [], exchange } = finding ?? {};
    expect(steps.length).toBeGreaterThan(1);
    expect(steps.at(-1)?.exchange.id).toBe(exchange?.id);
    expect(steps.map(({ number }) => number)).toEqual([...steps.map(({ number }) => number)].sort((a, b) => a - b));
    expect(steps.some(({ shown }) => shown !== undefined)).toBe(true);
    expect(JSON.stringify(steps)).not.toContain('Conformance_Key');
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
