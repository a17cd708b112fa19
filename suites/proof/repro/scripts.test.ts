import { expect, test } from 'vitest';
import { exitCodes, reproduction } from './scripts.fixture.ts';

/** What a quick run asks too little to meet. */
const rare = 'segments-one-in-twenty-500';

/** What fails now and then: its script asks again and again, and a server without the fault answers to the last of it. */
const nowAndThen: readonly string[] = ['source-write-lost-in-three', 'metric-lost-in-three', rare];

/** One fault of each way in which an answer deviates, and of sequences. */
const rows = [
  'missing-key-lists-sources',
  'gate-description-accepts-1001-characters',
  'metric-event-user-refused',
  'experiment-constructor-id-500',
  'segments-empty-body',
  'gate-owner-as-name',
  'gate-enabled-only-if-true',
  'source-write-lost-in-three',
  'patch-ignores-type',
  // The request that did it is far from the reading that shows it; a list of nothing; what was created.
  'source-edits-beside',
  'gate-monitoring-metric-as-name',
  'metric-lost-in-three',
  // An effect of what was refused; a body in pieces; what fails now and then.
  'gate-refusal-retypes',
  'gate-chunks-ignored',
  rare,
];

test.each(rows)(
  '%s is one failing cause, and its script fails against the server that has it and against no other, twice',
  async fault => {
    const { causes, scripts } = await reproduction([fault], fault === rare ? 'standard' : 'quick');
    // What is lost now and then may be seen once more, and be no more than a warning there.
    expect(causes.filter(({ kind }) => kind === 'fail').map(({ id }) => id)).toEqual(['F1']);
    const script = scripts.get('F1') ?? '';
    const sound = nowAndThen.includes(fault) ? [0] : [0, 0];
    expect(await Promise.all([exitCodes(script, [fault], 2), exitCodes(script, [], sound.length)])).toEqual([
      [1, 1],
      sound,
    ]);
  },
);

test('ten independent faults are about ten causes', async () => {
  const { causes } = await reproduction([
    'source-write-lost-in-three',
    'message-events-later-pages',
    'environments-bare-array',
    'gate-description-accepts-1001-characters',
    'config-versions-overlap',
    'segments-empty-body',
    'metric-event-user-refused',
    'archive-malformed-json-accepted',
    'gate-enabled-only-if-true',
    'experiment-health-check-as-text',
  ]);
  const failures = causes.filter(({ kind }) => kind === 'fail');
  expect(failures.length).toBeGreaterThanOrEqual(9);
  expect(failures.length).toBeLessThanOrEqual(11);
});
