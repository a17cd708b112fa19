import { describe, expect, test } from 'vitest';
import { convert } from 'xmlbuilder2';
import { type ExampleName, examples } from '../testing/examples.fixture.ts';
import { reportOf, written } from '../testing/runs.fixture.ts';
import { junit } from './junit.ts';

interface Node {
  readonly [name: string]: string | Node | Node[] | undefined;
}

const write = (name: ExampleName) => written(junit, examples[name]);

const list = (value: Node[string]): Node[] =>
  value === undefined || typeof value === 'string' ? [] : Array.isArray(value) ? value : [value];

const parsed = new Map<ExampleName, ReturnType<typeof read>>();

/** Returns a parsed example, which is read once. */
function parse(name: ExampleName) {
  const one = parsed.get(name) ?? read(name);
  parsed.set(name, one);
  return one;
}

function read(name: ExampleName) {
  const document = convert(write(name), { format: 'object' }) as Node;
  const root = document.testsuites as Node;
  const suites = list(root.testsuite);
  const find = (id: string) => {
    const [suite, check] = id.split('/');
    return list(suites.find(one => one['@name'] === suite)?.testcase).find(one => one['@name'] === check);
  };
  return { document, root, suites, find };
}

const outcomes = ['failure', 'error', 'skipped'] as const;
const outcomeOf = (one: Node | undefined) => outcomes.find(kind => one?.[kind] !== undefined) ?? 'pass';
const partOf = (one: Node | undefined, key: string) => (one?.[outcomeOf(one)] as Node | undefined)?.[key];
/** The parser leaves the entities of attributes undecoded. */
const messageOf = (one: Node | undefined) =>
  String(partOf(one, '@message'))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
/**
 * The schema by which the xUnit plugin of Jenkins checks JUnit reports (junit-10.xsd), for the elements that we write:
 * required attributes, optional attributes, and children.
 */
// biome-ignore format: a table
const elements: Readonly<Record<string, { required: string[]; optional: string[]; children: string[] }>> = {
  testsuites:   { required: [],                                      optional: ['name', 'time', 'tests', 'failures', 'errors'],                                                    children: ['testsuite'] },
  testsuite:    { required: ['name', 'tests', 'failures', 'errors'], optional: ['group', 'time', 'skipped', 'timestamp', 'hostname', 'id', 'package', 'file', 'log', 'url'], children: ['testsuite', 'properties', 'testcase', 'system-out', 'system-err'] },
  properties:   { required: [],                                      optional: [],                                                                                                children: ['property'] },
  property:     { required: ['name', 'value'],                       optional: [],                                                                                                children: [] },
  testcase:     { required: ['name'],                                optional: ['time', 'classname', 'group'],                                                                    children: ['skipped', 'error', 'failure', 'system-out', 'system-err'] },
  failure:      { required: [],                                      optional: ['type', 'message'],                                                                               children: [] },
  error:        { required: [],                                      optional: ['type', 'message'],                                                                               children: [] },
  skipped:      { required: [],                                      optional: ['type', 'message'],                                                                               children: [] },
  'system-out': { required: [],                                      optional: [],                                                                                                children: [] },
};

/** Returns the violations of that schema by an element. */
function breaches(name: string, node: Node | string | undefined): string[] {
  const row = elements[name];
  if (row === undefined) return [`<${name}> is not known`];
  if (typeof node !== 'object') return row.required.map(one => `<${name}> has no ${one}`);
  const keys = Object.keys(node);
  const attributes = keys.filter(key => key.startsWith('@')).map(key => key.slice(1));
  const children = keys.filter(key => !/^[@#]/.test(key));
  return [
    ...row.required.filter(one => !attributes.includes(one)).map(one => `<${name}> has no ${one}`),
    ...attributes.filter(one => ![...row.required, ...row.optional].includes(one)).map(one => `<${name} ${one}>`),
    ...children.filter(one => !row.children.includes(one)).map(one => `<${one}> in <${name}>`),
    ...(node['@time'] === undefined || name === 'testcase' || /^\d*(\.\d*)?$/.test(String(node['@time']))
      ? []
      : [`time ${node['@time']}`]),
    ...children.flatMap(child => [node[child]].flat().flatMap(one => breaches(child, one))),
  ];
}

describe('JUnit', () => {
  test('the schema catches what it does not know', () => {
    const suite = { '@name': 'a', '@tests': '1', '@failures': '0', testcase: { odd: 'x' } };
    expect(breaches('testsuites', { '@skipped': '1', '@time': '1s', testsuite: suite })).toEqual([
      '<testsuites skipped>',
      'time 1s',
      '<testsuite> has no errors',
      '<testcase> has no name',
      '<odd> in <testcase>',
      '<odd> is not known',
    ]);
  });

  test.each(Object.keys(examples) as ExampleName[])(
    'a run that is %s keeps the schema and its counts are right',
    name => {
      const { document, root, suites } = parse(name);
      expect(Object.keys(document)).toEqual(['testsuites']);
      expect(breaches('testsuites', document.testsuites as Node)).toEqual([]);
      const counts = (cases: readonly Node[]) => {
        const of = (kind: string) => String(cases.filter(one => outcomeOf(one) === kind).length);
        return [String(cases.length), of('failure'), of('error'), of('skipped')];
      };
      const stated = (one: Node) => [one['@tests'], one['@failures'], one['@errors'], one['@skipped']];
      for (const suite of suites) expect(stated(suite)).toEqual(counts(list(suite.testcase)));
      expect(stated(root).slice(0, 3)).toEqual(counts(suites.flatMap(suite => list(suite.testcase))).slice(0, 3));
    },
  );

  // biome-ignore format: a table
  const cases: readonly [ExampleName, id: string, outcome: string][] = [
    ['green',     'patch-gate/reject',           'pass'],
    ['failing',   'patch-gate/reject',           'failure'],
    ['failing',   'disable-gate/reject',         'skipped'],
    ['failing',   'disable-gate/verdict',        'error'],
    ['warned',    'list-segments/headers',       'pass'],
    ['strict',    'list-segments/headers',       'failure'],
    ['untested',  'patch-gate/reject',           'skipped'],
    ['untested',  'patch-gate/verdict',          'error'],
    ['untested',  'update-environments/reject',  'skipped'],
    ['fault',     'list-events/envelope',        'error'],
    ['fault',     'list-events/verdict',         'error'],
    ['truncated', 'list-events/auth',            'skipped'],
    ['truncated', 'list-events/verdict',         'error'],
    ['truncated', 'run/verdict',                 'error'],
    ['interrupted', 'run/verdict',               'error'],
    ['unreachable', 'run/verdict',               'error'],
    ['empty',     'run/verdict',                 'error'],
  ];
  test.each(cases)('in a run that is %s, %s is %s', (name, id, outcome) => {
    const found = parse(name).find(id);
    expect(found).toBeDefined();
    expect(outcomeOf(found)).toBe(outcome);
  });

  test('no run but one that exits with 0 is without a failure or an error', () => {
    for (const name of Object.keys(examples) as ExampleName[]) {
      const { root } = parse(name);
      const green = root['@failures'] === '0' && root['@errors'] === '0';
      expect([name, green]).toEqual([name, reportOf(examples[name]).exitCode === 0]);
    }
  });

  test('a check that fails counts once: only an endpoint that is incomplete has a case for its verdict', () => {
    const { root, find } = parse('failing');
    expect(root['@failures']).toBe('3');
    expect(find('patch-gate/verdict')).toBeUndefined();
    expect(parse('green').find('patch-gate/verdict')).toBeUndefined();
  });

  test('says why, what was sent and how to see it again', () => {
    const { find } = parse('failing');
    expect(messageOf(find('patch-gate/reject'))).toBe(
      'F2: accepted `description` of 1,001 characters; expected a 4xx (gate.description.maxLength)',
    );
    const text = String(partOf(find('patch-gate/reject'), '#'));
    for (const part of ['description of 1001 characters', 'PATCH https://', 'curl -sS', 'npx conform run'])
      expect(text).toContain(part);
    expect(messageOf(parse('untested').find('patch-gate/reject'))).toBe(
      'untested: the target file names no gate to work on; add to conform.config.json: fixtures.gates: ["…"]',
    );
    expect(String(parse('warned').find('list-segments/headers')?.['system-out'])).toContain('answer.content-type');
  });

  test('a wall of findings is cut and says so', () => {
    const text = String(partOf(parse('wall').find('patch-gate/reject'), '#'));
    expect(text.split('MUST gate.description.maxLength')).toHaveLength(11);
    expect(text).toContain('40 more in report.json');
  });
});
