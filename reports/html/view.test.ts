import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../contracts/report/journal.ts';
import { type ExampleName, examples } from '../testing/examples.ts';
import { tooLong, wrongType } from '../testing/findings.ts';
import { exampleEndpoints, reportOf, run } from '../testing/runs.ts';
import { reportView } from './view.ts';

const view = (events: readonly RunEvent[]) => reportView(reportOf(events));
const steps = (events: readonly RunEvent[]) =>
  view(events).steps.map(({ what }) => what.map(({ text }) => text).join(''));

// biome-ignore format: a table
const verdicts: readonly [name: ExampleName, word: string, first: RegExp][] = [
  ['empty',       'incomplete',     /^Choose what to test/],
  ['green',       'conformant',     /^Nothing to mend/],
  ['failing',     'non-conformant', /^Mend F1: gave no answer to GET/],
  ['warned',      'conformant',     /^Look at W1: answered with content-type/],
  ['strict',      'non-conformant', /^Mend F1: answered with content-type/],
  ['untested',    'incomplete',     /^Every request was answered with 401/],
  ['fault',       'incomplete',     /^Report 1 fault of the suite/],
  ['hostile',     'non-conformant', /^<\/script><script>/],
  ['wall',        'non-conformant', /^Mend F1: gave no answer to GET/],
  ['truncated',   'non-conformant', /^Run again: the journal was cut off/],
  ['interrupted', 'incomplete',     /^Run again to the end/],
  ['unreachable', 'incomplete',     /^Make the target reachable/],
];

describe('the head of the page', () => {
  test.each(verdicts)('of a run that is %s says %s, and what to do first', (name, word, first) => {
    expect(view(examples[name]).verdict.word).toBe(word);
    expect(steps(examples[name])[0]).toMatch(first);
    expect(steps(examples[name]).length).toBeLessThanOrEqual(5);
  });

  test('of many failures the first are steps of their own, and one leads to the others', () => {
    expect(steps(examples.many)).toEqual([
      expect.stringMatching(/^Mend F1: /),
      expect.stringMatching(/^Mend F2: /),
      expect.stringMatching(/^Mend F3: /),
      'Then mend F4 to F12.',
    ]);
    expect(view(examples.many).steps[3]?.href).toBe(`#${view(examples.many).failures[3]?.anchor}`);
  });

  const names = Object.keys(examples) as ExampleName[];
  const noticed = (count: number, severity: 'info' | 'warning', remedy?: string): RunEvent[] =>
    Array.from({ length: count }, (_, index) => ({
      event: 'notice',
      severity,
      text: `${severity} ${index}, ${remedy ?? 'without a remedy'}`,
      ...(remedy === undefined ? {} : { remedy }),
    }));
  const many = [
    ...noticed(3, 'warning', 'a larger profile'),
    ...noticed(2, 'warning'),
    ...noticed(2, 'info', 'a line'),
  ];
  test.each(names)('of a run that is %s says nothing twice, and no notice that is a step stands again below', name => {
    for (const events of [examples[name], [...examples[name], ...many]]) {
      const page = view(events);
      const told = page.steps.map(({ what }) => what.map(({ text }) => text).join(''));
      expect(new Set(told).size).toBe(told.length);
      const below = page.notices.map(({ text }) => text);
      expect(below.filter(text => told.includes(text))).toEqual([]);
      // Nor is anything lost between the two.
      const all = reportOf(events).notices.map(({ text }) => text);
      expect(
        all.filter(text => !below.includes(text) && !told.some(step => text.startsWith(step.slice(0, 40)))),
      ).toEqual([]);
    }
  });

  test('tells seed, profile and versions', () => {
    const facts = Object.fromEntries(view(examples.green).facts.map(({ name, value }) => [name, value]));
    expect(facts).toMatchObject({ Seed: '42', Profile: 'standard', 'Node.js': 'v20.20.0', 'fast-check': '4.10.2' });
  });
});

describe('root causes', () => {
  test('what breaks one requirement is one cause, however often and wherever it shows', () => {
    const { failures } = view(examples.wall);
    expect(
      failures.map(({ requirement, findings, endpoints }) => [requirement, findings.length, endpoints.length]),
    ).toEqual([
      ['auth.required', 2 * exampleEndpoints.length, exampleEndpoints.length],
      ['gate.description.maxLength', 50, 1],
    ]);
    expect(failures[1]?.more).toBe(10);
    expect(new Set(failures.flatMap(({ findings }) => findings.map(({ anchor }) => anchor))).size).toBe(
      50 + 2 * exampleEndpoints.length,
    );
  });

  test('only the first findings of a cause are shown whole', () => {
    const [, cause] = view(examples.wall).failures;
    expect(cause?.findings.map(({ request }) => request !== undefined).lastIndexOf(true)).toBe(11);
    expect(cause?.findings[12]).toMatchObject({
      pairs: expect.arrayContaining([expect.objectContaining({ name: 'Expected', value: tooLong.expected })]),
      elsewhere: expect.stringContaining('report.json'),
    });
    expect(cause?.findings[12]?.commands).toHaveLength(1);
  });

  test('a check that a failure blocks points to it, through other blocked checks too', () => {
    const { failures, untested, matrix } = view(
      run({
        'patch-gate/envelope': ['fail', { findings: [wrongType] }],
        'patch-gate/reject': ['untested', { because: 'its premise failed', blockedBy: 'patch-gate/envelope' }],
        'disable-gate/reject': ['untested', { because: 'nothing to go by', blockedBy: 'patch-gate/reject' }],
      }),
    );
    expect(failures[0]?.blocked).toEqual(['patch-gate/reject', 'disable-gate/reject']);
    expect(untested).toHaveLength(1);
    expect(untested[0]).toMatchObject({ cause: { text: 'F1 (gate.isEnabled.type)', href: `#${failures[0]?.anchor}` } });
    const row = matrix.rows.find(({ endpoint }) => endpoint === 'disable-gate');
    expect(row?.cells.find(cell => cell?.id === 'disable-gate/reject')?.href).toBe(`#${untested[0]?.anchor}`);
  });

  test('checks that block each other in a ring are told all the same', () => {
    const { untested } = view(
      run({
        'patch-gate/envelope': ['untested', { because: 'a ring', blockedBy: 'patch-gate/reject' }],
        'patch-gate/reject': ['untested', { because: 'a ring', blockedBy: 'patch-gate/envelope' }],
      }),
    );
    expect(untested.flatMap(({ checks }) => checks)).toEqual(['patch-gate/envelope', 'patch-gate/reject']);
  });

  test('an untested check without a known cause names what is broken at its endpoint', () => {
    const { untested } = view(
      run({
        'patch-gate/envelope': ['fail', { findings: [wrongType] }],
        'patch-gate/auth': ['untested', { because: 'no request was accepted' }],
        'list-events/auth': ['untested', { because: 'the list is empty' }],
      }),
    );
    expect(untested.map(({ because, alsoBroken }) => [because, alsoBroken.map(({ text }) => text)])).toEqual([
      ['no request was accepted', ['F1 (gate.isEnabled.type)']],
      ['the list is empty', []],
    ]);
  });

  test('checks with one reason are listed together, with what to do about it', () => {
    const { untested } = view(examples.untested);
    expect(untested[0]).toMatchObject({
      remedy: expect.stringContaining('fixtures.gates'),
      endpoints: ['patch-gate', 'disable-gate'],
    });
    expect(untested[0]?.checks).toHaveLength(4);
  });
});

describe('the matrix', () => {
  test('has every check of every endpoint, and leads to what went wrong', () => {
    const { matrix, failures } = view(examples.failing);
    expect(matrix.rows.map(({ endpoint }) => endpoint)).toEqual(exampleEndpoints);
    expect(matrix.columns.map(({ check }) => check)).toEqual(['envelope', 'reject', 'auth', 'headers']);
    const cells = matrix.rows.flatMap(({ cells }) => cells.flatMap(cell => cell ?? []));
    expect(cells.filter(({ mark }) => mark.kind === 'pass').every(({ href }) => href === undefined)).toBe(true);
    expect(cells.filter(({ mark }) => mark.kind !== 'pass').every(({ href }) => href?.startsWith('#'))).toBe(true);
    const anchors = failures.flatMap(({ findings }) => findings.map(({ anchor }) => `#${anchor}`));
    expect(anchors).toContain(cells.find(({ id }) => id === 'list-segments/auth')?.href);
  });
});

describe('the rest of the page', () => {
  test('requirements stand by section, what is wrong first and open', () => {
    const { sections } = view(examples.failing);
    expect(sections.map(({ section, open }) => [section, open])).toEqual([
      ['1', true],
      ['2.1', false],
      ['2.3', true],
      ['2.6', false],
      ['5', true],
      ['7', false],
    ]);
    expect(sections[2]?.title).toBe('Gate');
    expect(sections[0]?.rows.map(({ mark }) => mark.kind)).toEqual(['warn', 'pass']);
  });

  test('observations are told together where endpoints do the same', () => {
    const seen = (endpoint: 'patch-gate' | 'list-events', value: string): RunEvent => ({
      event: 'observation',
      requirement: 'auth.refusal-status',
      endpoint,
      subject: 'no key',
      value,
    });
    const { observations } = view([
      ...run({}),
      seen('patch-gate', '401'),
      seen('list-events', '401'),
      seen('list-events', '403'),
    ]);
    expect(observations).toHaveLength(1);
    expect(observations[0]?.seen).toEqual([
      { text: 'no key: 401', where: 'patch-gate, list-events' },
      { text: 'no key: 403', where: 'list-events' },
    ]);
  });

  test('what was left behind, and what was not sent, stands by kind', () => {
    const { leftBehind, notExercised } = view(examples.green);
    expect(leftBehind.map(({ title, items }) => [title, items.length])).toEqual([
      ['metric: created', 2],
      ['prompt version: created', 1],
    ]);
    expect(notExercised).toMatchObject([
      { detail: 'add to the target file: vocabulary.idTypes', items: ['create-metric unitTypes'] },
    ]);
  });
});
