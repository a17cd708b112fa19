import { describe, expect, test } from 'vitest';
import type { EndpointId } from '../../contracts/endpoints.ts';
import type { CheckEnd, Observation, RunEvent, Verdict } from '../../contracts/report/journal.ts';
import { documentHtml } from '../document/html.ts';
import { documentMarkdown } from '../document/markdown.ts';
import { documentText } from '../document/terminal.ts';
import { examples } from '../testing/examples.fixture.ts';
import { noContentType, tooLong, wrongType } from '../testing/findings.fixture.ts';
import { hostileFinding } from '../testing/hostile.fixture.ts';
import { end, exampleEndpoints, reportOf, run } from '../testing/runs.fixture.ts';
import { compareRuns, isRegression } from './compare.ts';
import { comparisonDocument } from './document.ts';

const id = 'patch-gate/reject';
type Odd = readonly [Verdict, Partial<CheckEnd>?];
const fails = (...findings: CheckEnd['findings']): Odd => ['fail', { findings }];

const compared = (...runs: (readonly RunEvent[])[]) =>
  compareRuns(runs.map((events, index) => ({ name: `run${index + 1}/report.json`, report: reportOf(events) })));
const ofCheck = (...verdicts: Odd[]) => compared(...verdicts.map(one => run({ [id]: one })));
const trendOf = ({ better, worse }: ReturnType<typeof compareRuns>) =>
  worse.length > 0 ? 'worse' : better.length > 0 ? 'better' : 'same';

describe('comparing runs', () => {
  // biome-ignore format: a table
  test.each<[trend: string, ...runs: Odd[]]>([
    ['same',   ['pass'],                     ['pass']],
    ['worse',  ['pass'],                     ['warn', { findings: [noContentType] }]],
    ['worse',  ['pass'],                     fails(tooLong)],
    ['worse',  ['pass'],                     ['untested', { because: 'no gate' }]],
    ['worse',  ['pass'],                     ['error', { because: 'a fault' }]],
    ['worse',  ['pass'],                     ['not-applicable']],
    ['better', fails(tooLong),               ['pass']],
    ['better', fails(tooLong),               ['warn', { findings: [noContentType] }]],
    ['worse',  fails(tooLong),               ['untested']],
    ['worse',  ['untested'],                 fails(tooLong)],
    ['better', ['untested'],                 ['pass']],
    ['same',   ['untested'],                 ['not-applicable']],
    ['same',   fails(tooLong),               fails(tooLong, tooLong)],
    ['worse',  fails(tooLong),               fails(wrongType)],
    ['worse',  fails(tooLong),               fails(tooLong, wrongType)],
    ['better', fails(tooLong, wrongType),    fails(wrongType)],
    ['worse',  ['pass'], fails(tooLong),     fails(tooLong)],
    ['worse',  fails(tooLong), ['pass'],     fails(tooLong)],
    ['better', ['pass'], fails(tooLong),     ['pass']],
  ])('is %s: %j', (trend, ...verdicts) => {
    expect(trendOf(ofCheck(...verdicts))).toBe(trend);
  });

  test('a check that is gone is worse; a new one that passes is better', () => {
    const whole = run({}, {}, ['patch-gate', 'disable-gate']);
    const part = run({}, {}, ['patch-gate']);
    expect(compared(whole, part).worse.map(one => one.id)).toContain('disable-gate/auth');
    expect(compared(whole, part).endpoints).toContainEqual({ id: 'disable-gate', verdicts: ['conformant', null] });
    expect(compared(part, whole)).toMatchObject({ worse: [], better: { length: 4 } });
  });

  test('names the requirements that are broken now and were not', () => {
    const { worse } = ofCheck(fails(tooLong), fails(tooLong, wrongType));
    expect(worse).toMatchObject([
      { id, checks: [{ verdict: 'fail' }, { verdict: 'fail' }], requirements: ['gate.isEnabled.type'] },
    ]);
  });

  test('tells which observations differ, run by run, and not those that are the same', () => {
    const seen = (subject: string, value: string, endpoint: EndpointId = 'patch-gate'): Observation => ({
      event: 'observation',
      requirement: 'auth.refusal-status',
      endpoint,
      subject,
      value,
    });
    const a = [...run({}), seen('no key', '401'), seen('another key', '403')];
    const b = [...run({}), seen('no key', '400'), seen('no key', '401'), seen('another key', '403')];
    expect(compared(a, b, run({})).observations).toEqual([
      expect.objectContaining({ subject: 'another key', values: [['403'], ['403'], []] }),
      expect.objectContaining({ subject: 'no key', values: [['401'], ['400', '401'], []] }),
    ]);
    expect(compared(a, a).observations).toEqual([]);
    const one = [...run({}), seen('no key', '401'), seen('no key', '401', 'list-events')];
    const other = [...run({}), seen('no key', '403'), seen('no key', '403', 'list-events')];
    expect(compared(one, other).observations).toEqual([
      {
        requirement: 'auth.refusal-status',
        subject: 'no key',
        values: [['401'], ['403']],
        endpoints: ['list-events', 'patch-gate'],
      },
    ]);
  });

  test('says where the runs are not alike', () => {
    expect(compared(examples.green, examples.strict, examples.truncated).cautions).toEqual([
      'run3/report.json did not come to its end (truncated)',
      'the runs differ in --strict',
    ]);
    expect(compared(examples.green, examples.failing).cautions).toEqual([]);
    const cut = [...examples.green.slice(0, -1), end('complete', 'the request limit (--max-requests) was reached')];
    expect(compared(examples.green, cut).cautions).toEqual([
      'run2/report.json did not come to its end (the request limit (--max-requests) was reached)',
    ]);
  });
});

describe('what is verified no more', () => {
  const whole = run({});
  const some = run({
    'patch-gate/auth': ['pass', { exercised: [] }],
  });
  const none = run(
    Object.fromEntries(exampleEndpoints.map(one => [`${one}/auth`, ['pass', { exercised: [] }] as const])),
  );

  test('is a regression, though every check passes as before', () => {
    const comparison = compared(whole, none);
    expect(comparison).toMatchObject({
      worse: [],
      lost: [{ requirements: ['auth.required'], why: expect.stringMatching(/^untested: .*could have shown/) }],
    });
    expect(isRegression(comparison)).toBe(true);
    expect(isRegression(compared(none, whole, none))).toBe(true);
    expect(comparisonDocument(comparison).sentences).toContain(
      'Run B no more verifies 1 requirement that a run before it did.',
    );
    for (const text of [
      documentText(comparisonDocument(comparison), { colour: false }),
      documentMarkdown(comparisonDocument(comparison)),
      documentHtml(comparisonDocument(comparison)),
    ]) {
      expect(text).toMatch(/verified before, and no more/i);
      expect(text).toContain('auth');
    }
  });

  test('is nothing where others verify it, where it is broken, or where it was not verified before', () => {
    expect(compared(whole, some).lost).toEqual([]);
    expect(compared(none, whole)).toMatchObject({ worse: [], lost: [] });
    expect(compared(whole, run({ [id]: fails(tooLong) }))).toMatchObject({ worse: { length: 1 }, lost: [] });
    expect(isRegression(compared(whole, whole))).toBe(false);
  });

  test('is nothing of which there is no more to judge, as where a server was mended', () => {
    const [first, last] = [reportOf(whole), reportOf(none)].map((report, index) => ({ name: `run${index}`, report }));
    const unobserved = last?.report.requirements.map(row => ({ ...row, verdict: 'not-observed' as const })) ?? [];
    const mended = { name: 'mended', report: { ...reportOf(none), requirements: unobserved } };
    expect(isRegression(compareRuns([first, last].flatMap(one => one ?? [])))).toBe(true);
    expect(isRegression(compareRuns([first, mended].flatMap(one => one ?? [])))).toBe(false);
  });
});

describe('a comparison', () => {
  const comparison = compared(examples.green, examples.failing, examples.hostile);

  test('is a matrix in a terminal, with the runs, what is worse and the sum', () => {
    const text = documentText(comparisonDocument(compared(examples.failing, examples.green)), {
      colour: false,
      columns: 100,
    });
    expect(text).toMatch(/^ {2}✗ A {2}run1\/report\.json {2}non-conformant, coverage 43\.0 %, https/m);
    expect(text).toMatch(/^ {2}patch-gate {5}✗ non-conformant {2}✓ conformant$/m);
    expect(text).toMatch(/^ {2}\d+ endpoints unchanged: \d+ conformant$/m);
    expect(text).not.toMatch(/^ {2}list-config-versions /m);
    expect(text).toMatch(
      /^ {2}✓ .*\n {4}requirement {2}gate\.description\.maxLength .*\n {4}at {11}patch-gate\/reject \(fail → pass\)$/m,
    );
    expect(text).toMatch(/^ {19}Expected a refusal \(4xx\)\n {19}Run A got status 200, accepted$/m);
    expect(text).toMatch(/^✓ BETTER(?: {2}.*\n)* {10}1 observation differs; .*\n$/m);
    expect(documentText(comparisonDocument(compared(examples.green, examples.green)), { colour: false })).toMatch(
      /^· NO CHECK DIFFERS {2}Nothing is worse/m,
    );
  });

  test('escapes a hostile requirement in Markdown', () => {
    const odd = [{ ...hostileFinding, requirement: '<script>|`' }];
    const page = documentMarkdown(comparisonDocument(ofCheck(['pass'], ['fail', { findings: odd }])));
    expect(page).toContain(
      '| ❌ | <code>&#60;script&#62;&#124;&#96;</code> | <code>&#60;script&#62;&#124;&#96;</code> | <code>patch-gate</code> |',
    );
  });

  test('is a table in Markdown, with a column for each run', () => {
    const page = documentMarkdown(comparisonDocument(comparison));
    expect(page).toContain('| endpoint | a | b | c | changed |');
    expect(page).toContain(
      '| <code>patch-gate</code> | ✅ conformant 4 of 4 | ❌ non-conformant 2 of 4 | ❌ non-conformant 0 of 4 |',
    );
    expect(page).toContain('| <code>list-events</code> | ✅ conformant 4 of 4 | ✅ conformant 4 of 4 | ⚪ not run |');
    expect(page).toContain('### Worse');
    expect(page).toContain('- <code>patch-gate/reject &#40;pass &#8594; fail &#8594; fail&#41;</code> <code>Expected ');
  });
});
