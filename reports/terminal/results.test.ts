import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../contracts/report/journal.ts';
import { examples } from '../testing/examples.ts';
import { reportOf } from '../testing/runs.ts';
import { paint } from '../text/page.ts';
import { observationLines } from './results.ts';

const seen = (value: string, endpoint: 'patch-gate' | 'disable-gate'): RunEvent => ({
  event: 'observation',
  requirement: 'open.missing-key-status',
  endpoint,
  subject: 'no key',
  value,
});

const textOf = (...more: RunEvent[]): string => {
  const [start, ...rest] = examples.green;
  return paint(observationLines(reportOf([start as RunEvent, ...more, ...rest])), false);
};

describe('the observations on a terminal', () => {
  test('name the endpoints that do the same together', () => {
    expect(textOf(seen('status 401', 'patch-gate'), seen('status 401', 'disable-gate'))).toContain(
      'no key: status 401  (patch-gate, disable-gate)',
    );
  });

  test('keep different answers apart', () => {
    const text = textOf(seen('status 401', 'patch-gate'), seen('status 403', 'disable-gate'));
    expect(text).toContain('no key: status 401  (patch-gate)');
    expect(text).toContain('no key: status 403  (disable-gate)');
  });

  test('show nothing unseen', () => {
    expect(textOf(seen('\u001b[31mred', 'patch-gate'))).not.toContain('\u001b');
  });

  test('take no room where there are none', () => {
    expect(observationLines({ ...reportOf(examples.green), observations: [] })).toEqual([]);
  });
});
