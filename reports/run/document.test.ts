import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../contracts/report/journal.ts';
import type { Part } from '../document/document.ts';
import { documentHtml } from '../document/html.ts';
import { documentText } from '../document/terminal.ts';
import { type Cause, causesWithFindings } from '../journal/causes.ts';
import { type ExampleName, examples } from '../testing/examples.fixture.ts';
import { tooLong, wrongType } from '../testing/findings.fixture.ts';
import { exampleEndpoints, exchange, reportOf, run } from '../testing/runs.fixture.ts';
import { causeEntry } from './causes.ts';
import { runDocument } from './document.ts';

const documentOf = (events: readonly RunEvent[]) => runDocument(reportOf(events));
const partOf = (events: readonly RunEvent[], id: string, format: 'page' | 'terminal' = 'page'): Part => {
  const found = documentOf(events).parts.find(one => one.id === id && one.formats?.includes(format) !== false);
  if (found === undefined) throw new Error(`there is no part ${id}`);
  return found;
};
const entriesOf = (events: readonly RunEvent[], id: string) => partOf(events, id).entries ?? [];
const steps = (events: readonly RunEvent[]) => (partOf(events, 'first').rows ?? []).map(({ text }) => text);

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
    expect(documentOf(examples[name]).verdict.word).toBe(word);
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
    expect(partOf(examples.many, 'first').rows?.[3]?.href).toBe('#F4');
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
      const told = steps(events);
      expect(new Set(told).size).toBe(told.length);
      const below = (partOf(events, 'notices').rows ?? []).map(({ text }) => text);
      expect(below.filter(text => told.includes(text))).toEqual([]);
      // Nor is anything lost between the two.
      const all = reportOf(events).notices.map(({ text }) => text);
      expect(
        all.filter(text => !below.includes(text) && !told.some(step => text.startsWith(step.slice(0, 40)))),
      ).toEqual([]);
    }
  });

  test('tells seed, profile and versions', () => {
    const facts = Object.fromEntries(documentOf(examples.green).facts.map(({ name, value }) => [name, value]));
    expect(facts).toMatchObject({ Seed: '42', Profile: 'standard', 'Node.js': 'v20.20.0', 'fast-check': '4.10.2' });
  });
});

describe('root causes', () => {
  test('what breaks one requirement is one cause, however often and wherever it shows', () => {
    const failures = entriesOf(examples.wall, 'failures');
    expect(failures.map(({ clauses, items, endpoints }) => [clauses[0]?.id, items.length, endpoints.length])).toEqual([
      ['auth.required', 2 * exampleEndpoints.length, exampleEndpoints.length],
      ['gate.description.maxLength', 50, 1],
    ]);
    expect(new Set(failures.flatMap(({ items }) => items.map(({ anchor }) => anchor))).size).toBe(
      50 + 2 * exampleEndpoints.length,
    );
  });

  test('only the first findings of a cause have their requests in the page', () => {
    const item = (number: number): string => {
      const page = documentHtml(documentOf(examples.wall));
      const [, rest = ''] = page.split(`<details class="finding" id="F2-${number}"`);
      return rest.split('<details class="finding"')[0] ?? '';
    };
    expect(item(12)).toContain('<h4>Request</h4>');
    expect(item(13)).not.toContain('<h4>Request</h4>');
    expect(item(13)).toContain(tooLong.expected);
    expect(item(13)).toContain('Request, answer and curl line: see report.json.');
    expect(item(13).match(/data-copy/g)).toHaveLength(1);
  });

  test('a check that a failure blocks points to it, through other blocked checks too', () => {
    const events = run({
      'patch-gate/envelope': ['fail', { findings: [wrongType] }],
      'patch-gate/reject': ['untested', { because: 'its premise failed', blockedBy: 'patch-gate/envelope' }],
      'disable-gate/reject': ['untested', { because: 'nothing to go by', blockedBy: 'patch-gate/reject' }],
    });
    const [failure] = entriesOf(events, 'failures');
    expect(failure?.tags).toContainEqual({
      title: 'Blocks',
      items: [{ text: 'patch-gate/reject' }, { text: 'disable-gate/reject' }],
    });
    const untested = entriesOf(events, 'untested');
    expect(untested).toMatchObject([{ title: expect.stringContaining('F1 (gate.isEnabled.type)'), href: '#F1' }]);
    const cells = partOf(events, 'matrix').table?.rows.flatMap(row => row.cells) ?? [];
    expect(cells.find(({ title }) => title?.startsWith('disable-gate/reject'))?.href).toBe(`#${untested[0]?.anchor}`);
  });

  test('checks that block each other in a ring are told all the same', () => {
    const [untested] = entriesOf(
      run({
        'patch-gate/envelope': ['untested', { because: 'a ring', blockedBy: 'patch-gate/reject' }],
        'patch-gate/reject': ['untested', { because: 'a ring', blockedBy: 'patch-gate/envelope' }],
      }),
      'untested',
    );
    expect(untested).toMatchObject({ title: 'a ring', place: expect.stringMatching(/^patch-gate \(2\) \(see /) });
  });

  test('an untested check without a known cause names what is broken at its endpoint', () => {
    const untested = entriesOf(
      run({
        'patch-gate/envelope': ['fail', { findings: [wrongType] }],
        'patch-gate/auth': ['untested', { because: 'no request was accepted' }],
        'list-events/auth': ['untested', { because: 'the list is empty' }],
      }),
      'untested',
    );
    expect(
      untested.map(({ title, tags = [] }) => [title, tags.flatMap(({ items }) => items.map(({ text }) => text))]),
    ).toEqual([
      ['no request was accepted', ['F1 (gate.isEnabled.type)', 'patch-gate/auth']],
      ['the list is empty', ['list-events/auth']],
    ]);
  });

  test('checks with one reason are listed together, with what to do about it', () => {
    const [untested] = entriesOf(examples.untested, 'untested');
    expect(untested).toMatchObject({
      remedy: expect.stringContaining('fixtures.gates'),
      endpoints: ['patch-gate', 'disable-gate'],
      place: 'patch-gate (3), disable-gate/envelope',
    });
  });
});

test('the matrix has every check of every endpoint, and leads to what went wrong', () => {
  const { columns = [], rows = [] } = partOf(examples.failing, 'matrix').table ?? {};
  expect(rows.map(({ cells }) => cells[0]?.text)).toEqual(exampleEndpoints);
  expect(columns.slice(2).map(({ name }) => name)).toEqual(['envelope', 'reject', 'auth', 'headers']);
  const cells = rows.flatMap(row => row.cells.slice(2));
  expect(cells.filter(({ mark }) => mark?.kind === 'pass').every(({ href }) => href === undefined)).toBe(true);
  expect(cells.filter(({ mark }) => mark?.kind !== 'pass').every(({ href }) => href?.startsWith('#'))).toBe(true);
  const anchors = entriesOf(examples.failing, 'failures').flatMap(({ items }) =>
    items.map(({ anchor }) => `#${anchor}`),
  );
  expect(anchors).toContain(cells.find(({ title }) => title?.startsWith('list-segments/auth'))?.href);
});

describe('the rest', () => {
  test('requirements stand by section, what is wrong first and open', () => {
    const { groups = [] } = partOf(examples.failing, 'requirements');
    expect(groups.map(({ title, isOpen }) => [title.split(' ')[0], isOpen])).toEqual([
      ['1', true],
      ['2.1', false],
      ['2.3', true],
      ['2.6', false],
      ['5', true],
      ['7', false],
    ]);
    expect(groups[2]?.title).toBe('2.3 Gate');
    expect(groups[0]?.rows?.map(({ mark }) => mark.kind)).toEqual(['warn', 'pass']);
  });

  test('observations are told together where endpoints do the same, and apart where they do not', () => {
    const seen = (endpoint: 'patch-gate' | 'list-events', value: string): RunEvent => ({
      event: 'observation',
      requirement: 'auth.refusal-status',
      endpoint,
      subject: 'no key',
      value,
    });
    const document = documentOf([
      ...run({}),
      seen('patch-gate', '401'),
      seen('list-events', '401'),
      seen('list-events', '403'),
    ]);
    const text = documentText(document, { colour: false, verbose: true });
    expect(text).toMatch(/at +no key: 401 \(patch-gate, list-events\)\n +no key: 403 \(list-events\)\n/);
    expect(documentText(document, { colour: false })).not.toContain('no key: 401');
  });

  test('what was left behind, and what was not sent, stands by kind', () => {
    expect(partOf(examples.green, 'left-behind').groups?.map(({ title, items }) => [title, items?.length])).toEqual([
      ['metric: created', 2],
      ['prompt version: created', 1],
    ]);
    expect(partOf(examples.green, 'not-exercised').groups).toMatchObject([
      { detail: 'add to the target file: vocabulary.idTypes', items: ['create-metric unitTypes'] },
    ]);
  });
});

describe('a cause of several refused fields', () => {
  const [cause] = causesWithFindings(reportOf(examples.failing)).filter(one =>
    one.findings.some(({ finding }) => finding.requirement === tooLong.requirement),
  );
  const response = { ...tooLong.exchange?.response, status: 400 };
  const refusedOf = (...fields: readonly string[]) => {
    const [first] = cause?.findings ?? [];
    const findings = fields.map(field => ({
      ...first,
      finding: {
        ...tooLong,
        pointer: 'status',
        counterexample: { ...tooLong.counterexample, pointer: `/${field}` },
        exchange: { ...tooLong.exchange, response },
      },
    }));
    const entry = causeEntry(reportOf(examples.failing), { ...cause, findings } as unknown as Cause);
    return entry.tags?.find(({ title }) => title === 'Refused')?.items.map(({ text }) => text);
  };

  test('tells how many there are of each, the most frequent first', () => {
    expect(refusedOf('description', 'tags', 'tags/0')).toEqual(['tags (2)', 'description (1)']);
  });

  test('says nothing more where it is about one', () => {
    expect(refusedOf('tags', 'tags')).toEqual([]);
  });
});

test.each([
  ['7', ['a cache answered instead of the service (Age: 7)']],
  ['0', []],
  ['soon', []],
])('a cause tells of a cache where the Age of an answer is %s', (age, said) => {
  const response = { ...exchange('{}', 200, '{}').response, headers: [{ name: 'age', value: age }] };
  const [cause] = causesWithFindings(reportOf(examples.failing)) as [Cause];
  const findings = [{ ...cause.findings[0], finding: { ...tooLong, exchange: { ...tooLong.exchange, response } } }];
  const { tags = [] } = causeEntry(reportOf(examples.failing), { ...cause, findings } as unknown as Cause);
  expect(tags.find(({ title }) => title === 'Cached')?.items.map(({ text }) => text)).toEqual(said);
});

test.each<readonly [kind: 'fail' | 'warn', times: readonly number[], said: readonly string[]]>([
  ['fail', [2], ['sent again, it was seen 2 of 3 times']],
  ['fail', [3, 1, 2], ['sent again, 2 of 3 were not seen each time']],
  ['fail', [3, 3], []],
  ['warn', [1], []],
])('a cause (%s) that was seen %j of 3 times says what is irregular', (kind, times, said) => {
  const [cause] = causesWithFindings(reportOf(examples.failing)) as [Cause];
  const findings = times.map(one => ({ ...cause.findings[0], finding: { ...tooLong, seen: { times: one, of: 3 } } }));
  const { tags = [] } = causeEntry(reportOf(examples.failing), { ...cause, kind, findings } as unknown as Cause);
  expect(tags.find(({ title }) => title === 'Irregular')?.items.map(({ text }) => text)).toEqual(said);
});
