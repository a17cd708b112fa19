import { describe, expect, test } from 'vitest';
import type { EndpointId } from '../../contracts/endpoints.ts';
import type { Discrepancy, Finding } from '../../contracts/report/evidence.ts';
import type { CheckEnd, Verdict } from '../../contracts/report/journal.ts';
import { examples } from '../testing/examples.fixture.ts';
import { dropped, tooLong, wrongType } from '../testing/findings.fixture.ts';
import { baseUrl, exampleEndpoints, exchange, reportOf, run } from '../testing/runs.fixture.ts';
import { causesByCheck } from './causes.ts';

const fails = (...findings: Finding[]): [Verdict, Partial<CheckEnd>] => ['fail', { findings }];

/** Returns the causes of a run in which some checks have findings. */
const causes = (odd: Readonly<Record<string, Finding[]>>) =>
  reportOf(run(Object.fromEntries(Object.entries(odd).map(([id, own]) => [id, fails(...own)])))).causes ?? [];

const accepted = (requirement: string, pointer: string, sent: unknown, path: string): Finding => ({
  ...tooLong,
  requirement,
  counterexample: { path, index: 0, title: path, pointer, sent, shrinks: 0 },
});

const counterexampleOf = ({ counterexample }: Finding): Partial<Finding> => (counterexample ? { counterexample } : {});

const wrong = (requirement: string, pointer: string, path = 'plain'): Finding => ({
  ...wrongType,
  requirement,
  pointer,
  counterexample: { path, index: 0, title: path, pointer: '', shrinks: 0 },
});

const server = (status: number): Finding => ({
  ...tooLong,
  requirement: 'robust.never-5xx',
  actual: `status ${status}`,
  fault: { kind: status >= 500 ? 'failed' : 'refused' },
  counterexample: { path: 'odd', index: 0, title: 'the id constructor', pointer: '', shrinks: 0 },
  exchange: exchange('{}', status, '{}'),
});

/** Returns a failed exchange with another operation than that of the examples. */
function asked(method: string, path: string, answer = '{}') {
  const all = exchange('{}', 500, answer);
  return { ...all, request: { ...all.request, method, url: `${baseUrl}/console/v1${path}` } };
}

/** Returns a success that was stored so many seconds before its request. */
function stored(age: string) {
  const all = exchange('{}', 200, '{}');
  return { ...all, response: { ...all.response, headers: [{ name: 'Age', value: age }] } } as typeof all;
}

const everywhere = (check: string, finding: Finding) =>
  Object.fromEntries(exampleEndpoints.map(id => [`${id}/${check}`, [finding]]));

describe('one defect is one cause', () => {
  test('a missing key check at fifteen endpoints', () => {
    expect(causes(everywhere('auth', { ...dropped, requirement: 'auth.missing-key' }))).toMatchObject([
      { id: 'F1', kind: 'fail', endpoints: exampleEndpoints },
    ]);
  });

  test('each wrong key that an endpoint lets in', () => {
    const keys = ['auth.missing-key', 'auth.wrong-key', 'auth.near-miss-key'];
    const found = keys.map(requirement => ({ ...dropped, requirement }));
    expect(causes({ 'patch-gate/auth': found })).toMatchObject([{ requirements: keys }]);
  });

  test('values that come back otherwise in three fields of an endpoint, and a member that is missing, are two', () => {
    const echoed = (name: string, fault: Discrepancy): Finding => ({
      ...wrong('echo.sent-field', `/data/${name}`, name),
      counterexample: { path: name, index: 0, title: name, pointer: `/${name}`, sent: 1, shrinks: 0 },
      fault,
    });
    const rounded = ['duration', 'allocation', 'targetExposures'].map(name =>
      echoed(name, { kind: 'lost', expected: 1.5, got: 1 }),
    );
    const missing = echoed('hypothesis', { kind: 'missing', expected: 'x' });
    const found = causes({ 'patch-gate/headers': [...rounded, missing] });
    expect(found.map(({ id }) => id)).toEqual(['F1', 'F2']);
  });

  test('a member of another shape, which a comparison sees as a change, is told by its shape', () => {
    const fault: Discrepancy = { kind: 'changed', expected: 1, got: true };
    const changed = { ...wrong('state.patch-only-sent', '/data/isEnabled'), fault };
    const [cause, ...others] = causes({ 'patch-gate/auth': [changed], 'patch-gate/envelope': [wrongType] });
    expect(others).toEqual([]);
    expect(cause).toMatchObject({ title: '`isEnabled` is 1 (a number); expected a boolean' });
  });

  test('what is accepted is told before where it is shown, and a member that is not there before what holds it', () => {
    const shown = {
      ...wrong('experiment.status', '/data/status'),
      fault: { kind: 'constraint', got: 'Other', constraint: { keyword: 'enum', limit: ['one'] } } as const,
    };
    const isLetIn = accepted('experiment.status', '/status', 'Other', 'odd');
    expect(causes({ 'enable-groups/envelope': [shown], 'update-experiment/envelope': [isLetIn] })).toMatchObject([
      { title: expect.stringMatching(/^accepted `status: "Other"`/) },
    ]);
    const stored: Finding = {
      ...accepted('state.neighbours', '/status', 'Other', 'odd'),
      pointer: '/data/status',
      fault: { kind: 'changed', got: 'Other' },
    };
    expect(causes({ 'update-experiment/auth': [stored], 'update-experiment/envelope': [isLetIn] })).toMatchObject([
      { requirements: ['experiment.status', 'state.neighbours'] },
    ]);
    const whole = { ...wrong('state.environments-listed', '/data/environments'), fault: { kind: 'missing' } as const };
    const id = { ...wrong('presence.must', '/data/environments/0/id'), fault: { kind: 'missing' } as const };
    expect(causes({ 'update-environments/envelope': [whole, id] })).toMatchObject([
      { requirements: ['presence.must', 'state.environments-listed'] },
    ]);
  });

  const stated = (requirement: string, pointer: string, fault: Discrepancy): Finding => ({
    ...wrong(requirement, pointer, `${requirement} ${pointer}`),
    fault,
  });

  test('all fields that a refused request has changed at one operation', () => {
    const traces = ['/data/tags', '/data/description'].map(pointer =>
      stated('reject.no-trace', pointer, { kind: 'trace', expected: 'as it was', got: `sent at ${pointer}` }),
    );
    expect(causes({ 'patch-gate/headers': traces })).toHaveLength(1);
    const elsewhere = stated('reject.no-trace', '/data/name', { kind: 'trace', got: 'a name' });
    expect(causes({ 'patch-gate/headers': traces, 'create-metric/headers': [elsewhere] })).toHaveLength(2);
  });

  test('a value that one operation shows wrongly, against which the next reading is held', () => {
    const shown = stated('state.neighbours', '/data/creatorID', { kind: 'changed', expected: 'ada', got: 'grace' });
    const later = stated('state.patch-only-sent', '/data/creatorID', {
      kind: 'changed',
      expected: 'grace',
      got: 'ada',
    });
    const apart = stated('state.patch-only-sent', '/data/creatorID', { kind: 'changed', expected: 'ada', got: 'alan' });
    expect(causes({ 'disable-gate/headers': [shown], 'patch-gate/headers': [later] })).toHaveLength(1);
    expect(causes({ 'disable-gate/headers': [shown], 'patch-gate/headers': [apart] })).toHaveLength(2);
    const flag = (requirement: string, expected: boolean) =>
      stated(requirement, '/data/isEnabled', { kind: 'changed', expected, got: !expected });
    const on = { 'disable-gate/headers': [flag('state.neighbours', false)] };
    expect(causes({ ...on, 'patch-gate/headers': [flag('state.patch-only-sent', true)] })).toHaveLength(2);
  });

  test('another name in a list, and the entity that is not found there: the name is told first', () => {
    const renamed = stated('identity.metric-id', '/data/0/id', { kind: 'value', expected: 'a::b', got: 'b::a' });
    const absent = stated('state.metric-listed', '/data', { kind: 'missing', expected: 'a::b' });
    const lost = stated('state.metric-as-created', '/data/0/tags', { kind: 'lost', expected: ['a'], got: [] });
    expect(causes({ 'create-metric/headers': [absent, lost], 'list-event-metrics/headers': [renamed] })).toMatchObject([
      { requirements: ['identity.metric-id', 'state.metric-listed'] },
      { requirements: ['state.metric-as-created'] },
    ]);
  });

  test('a member of a wrong type, and not what is lost of it elsewhere', () => {
    const shape = stated('qualifyingEvent.tags', '/data/2/tags', { kind: 'type', got: null });
    const seen = stated('state.qualifying-event-visible', '/data/0/tags', { kind: 'lost', expected: ['a'], got: null });
    const lost = { ...seen, fault: { kind: 'lost', expected: ['a'], got: ['b'] } as const };
    const of = (one: Finding) =>
      causes({ 'list-qualifying-events/envelope': [shape], 'update-qualifying-event/headers': [one] });
    expect([of(seen), of(lost)].map(({ length }) => length)).toEqual([1, 2]);
  });

  test('what never came is told before what is said to have gone', () => {
    const gone = { ...wrong('state.neighbours', '/data'), fault: { kind: 'changed' } as const };
    const never = { ...wrong('state.metric-listed', '/data'), fault: { kind: 'missing', expected: 'a' } as const };
    expect(causes({ 'create-metric/headers': [gone, never] })).toMatchObject([
      { requirements: ['state.metric-listed', 'state.neighbours'] },
    ]);
  });

  test('an entity too many in a list is no sign of one that is missing', () => {
    const more = { ...wrong('state.dry-run-metric', '/data/3'), fault: { kind: 'present', got: 'a' } as const };
    const never = { ...wrong('state.metric-listed', '/data'), fault: { kind: 'missing', expected: 'b' } as const };
    expect(causes({ 'create-metric/headers': [more, never] })).toHaveLength(2);
  });

  test('two fields of one request that are stored otherwise have a cause each, but for two names of one thing', () => {
    const stored = (field: string, requirement: string): Finding => ({
      ...wrong(requirement, `/data/*/${field}`, 'all'),
      counterexample: { path: 'all', index: 0, title: field, pointer: `/${field}`, shrinks: 0 },
      fault: { kind: 'value', expected: ['a', 'b'], got: ['a'] },
    });
    const of = (requirement: string, ...fields: readonly string[]) =>
      causes({ 'update-qualifying-event/headers': fields.map(field => stored(field, requirement)) });
    expect(of('state.qualifying-event-visible', 'tags', 'idTypeMapping')).toHaveLength(2);
    expect(of('state.qualifying-event-visible', 'team', 'teamID')).toHaveLength(1);
    expect(of('echo.sent-field', 'tags', 'idTypeMapping')).toHaveLength(1);
  });

  test('a member that every answer lacks is not lacking because of a request that should have been refused', () => {
    const lacks = { ...wrong('presence.must', '/data/tags'), fault: { kind: 'missing' } as const };
    const letIn = accepted('gate.type', '/type', 'Odd', 'odd');
    const shown = { ...letIn, ...lacks, requirement: 'reject.well-typed-if-accepted', ...counterexampleOf(letIn) };
    const told = (...more: readonly Finding[]) => causes({ 'patch-gate/headers': [letIn, shown, ...more] });
    expect(told().map(({ requirements }) => requirements)).toEqual([['gate.type', 'reject.well-typed-if-accepted']]);
    expect(told(lacks).map(({ requirements }) => requirements)).toEqual([
      ['gate.type'],
      ['presence.must', 'reject.well-typed-if-accepted'],
    ]);
    const asText: Discrepancy = { kind: 'type', got: '1', constraint: { keyword: 'type', limit: ['boolean'] } };
    const [misshapen, ofRequest] = [
      wrong('gate.isEnabled', '/data/isEnabled'),
      { ...shown, pointer: '/data/isEnabled' },
    ];
    const typed = [misshapen, ofRequest].map(one => ({ ...one, fault: asText }));
    expect(causes({ 'patch-gate/headers': [letIn, ...typed] }).map(({ requirements }) => requirements)).toEqual([
      ['gate.type'],
      ['gate.isEnabled', 'reject.well-typed-if-accepted'],
    ]);
    const lost = { ...wrong('echo.sent-field', '/data/tags'), fault: { kind: 'missing', expected: [] } as const };
    expect(causes({ 'patch-gate/headers': [lost, lacks] })).toMatchObject([
      { requirements: ['presence.must', 'echo.sent-field'] },
    ]);
  });

  test('a text that loses its blanks is no text that is another', () => {
    const echoed = (requirement: string, expected: string, got: string): Finding => ({
      ...wrong(requirement, '/data/description', requirement),
      fault: { kind: 'value', expected, got },
    });
    const trimmed = echoed('echo.order-and-space', ' a b ', 'a b');
    expect(causes({ 'patch-gate/headers': [trimmed, echoed('echo.sent-field', 'one', 'two')] })).toHaveLength(2);
    expect(causes({ 'patch-gate/headers': [trimmed, echoed('echo.sent-field', 'c  d', 'c d')] })).toHaveLength(1);
  });

  test('an operation that answers one request with what belongs to another shows every field of that one', () => {
    const swapped = {
      ...wrong('state.concurrent-answers', '/data/name', 'race'),
      fault: { kind: 'swapped', got: 'a' },
    };
    const other = { ...wrong('echo.sent-field', '/data/id', 'id'), fault: { kind: 'value', expected: 'b', got: 'c' } };
    const both = [swapped, other] as Finding[];
    expect(causes({ 'create-prompt-version/headers': both })).toHaveLength(1);
    expect(
      causes({ 'create-prompt-version/headers': both.slice(0, 1), 'patch-gate/headers': both.slice(1) }),
    ).toHaveLength(2);
  });

  test('texts whose characters beyond ASCII come back otherwise, whatever rule and field they break', () => {
    const garbled = (requirement: string, pointer: string, expected: unknown, got: unknown): Finding => ({
      ...wrong(requirement, pointer, pointer),
      fault: { kind: 'value', expected, got },
    });
    const found = {
      'patch-gate/envelope': [
        garbled('echo.unicode', '/data/description', 'a longer text é', 'a longer text Ã©'),
        garbled('echo.sent-field', '/data/tags', ['é'], ['Ã©']),
      ],
      'create-metric/headers': [garbled('echo.free-form', '/data/parameterValues', { a: 'é' }, { a: '?' })],
    };
    expect(causes(found)).toMatchObject([
      {
        title: 'changed the characters beyond ASCII in `tags[0]`: "Ã©"; expected "é"',
        endpoints: ['patch-gate', 'create-metric'],
      },
    ]);
    const another = { 'list-segments/headers': [garbled('echo.sent-field', '/data/name', 'é', 'another text')] };
    // Of a long text a finding has words alone; the case has the text that was sent.
    const long = garbled('echo.unicode', '/data/content', undefined, 'another text');
    const ofCase = (one: Finding, pointer: string, sent: string): Finding => ({
      ...one,
      counterexample: { path: pointer, index: 0, title: pointer, pointer, shrinks: 0, sent },
    });
    const sent = ofCase(long, '/content', 'a longer text é');
    expect(causes({ ...found, 'list-segments/headers': [sent] })).toHaveLength(2);
    // A case about another member says nothing of this text.
    const beside = ofCase(garbled('echo.sent-field', '/data/name', undefined, 'Ã©'), '/content', 'é');
    expect(causes({ ...found, 'list-segments/headers': [beside] })).toHaveLength(2);
    expect(causes({ ...found, ...another })).toHaveLength(2);
  });

  test('a value of a wrong type that is accepted, and what it becomes in the answer', () => {
    const shown: Finding = {
      ...accepted('reject.well-typed-if-accepted', '/tags/0', [], 'a list'),
      pointer: '/data/tags/0',
      fault: { kind: 'type', got: [] },
    };
    const found = {
      'patch-gate/reject': [accepted('reject.wrong-type', '/tags/0', [], 'a list')],
      'patch-gate/envelope': [shown],
    };
    expect(causes(found)).toHaveLength(1);
  });

  test('what a failure is answered with, and the failure', () => {
    const fails = {
      ...server(500),
      counterexample: { ...server(500).counterexample, pointer: '/name', sent: 1 },
    } as Finding;
    const page = (status: number): Finding => ({
      ...server(status),
      requirement: 'reject.body-json',
      pointer: 'body',
      fault: { kind: 'body' },
    });
    expect(causes({ 'patch-gate/reject': [fails], 'patch-gate/envelope': [page(500)] })).toHaveLength(1);
    expect(causes({ 'patch-gate/reject': [fails], 'patch-gate/envelope': [page(400)] })).toHaveLength(2);
  });

  test('a value of a wrong type is told by the case that sent it, not by one that found it stored', () => {
    const shown = (requirement: string, pointer: string, path: string): Finding => ({
      ...wrong(requirement, '/data/tags/0', path),
      fault: { kind: 'type', got: null },
      counterexample: { path, index: 0, title: path, pointer, sent: null, shrinks: 0 },
    });
    const [cause, ...others] = causes({
      'patch-gate/envelope': [shown('gate.tags', '/creatorID', 'later')],
      'patch-gate/reject': [shown('reject.well-typed-if-accepted', '/tags/0', 'sent')],
    });
    expect(others).toEqual([]);
    expect(cause?.findings[0]).toBe('patch-gate/reject#1');
  });

  test('a method that is not known and its page are one, apart from what fails and from what is no JSON', () => {
    const page = (status: number): Finding => ({
      ...server(status),
      requirement: 'robust.error-json-elsewhere',
      pointer: 'body',
      fault: { kind: 'body' },
    });
    const nested = {
      ...server(500),
      counterexample: { ...server(500).counterexample, path: 'nested' },
    } as Finding;
    const infinite = { ...page(200), requirement: 'envelope.json' };
    const found = causes({
      'patch-gate/reject': [nested],
      'patch-gate/headers': [server(501)],
      'patch-gate/auth': [page(501)],
      'patch-gate/envelope': [infinite],
    });
    expect(found.map(({ findings }) => findings.length).sort()).toEqual([1, 1, 2]);
  });

  test('a total that is wrong is told before the links and counts that follow from it', () => {
    const ofPages = (requirement: string, pointer: string) => wrong(requirement, pointer);
    expect(
      causes({
        'list-segments/headers': [
          ofPages('pagination.next-null', '/pagination/nextPage'),
          ofPages('pagination.total', '/pagination/totalItems'),
        ],
      }),
    ).toMatchObject([{ requirements: ['pagination.total', 'pagination.next-null'] }]);
  });

  test('a link that is missing is told before the total that fewer items are counted than, unless a page is too short', () => {
    const next = { ...wrong('pagination.next-null', '/pagination/nextPage'), actual: 'null' };
    const total = wrong('pagination.total', '/pagination/totalItems');
    const size = wrong('pagination.page-size', '/data');
    const first = (...all: Parameters<typeof causes>[0][string][]) =>
      causes({ 'list-segments/headers': all.flat() })[0];
    expect(first([total, next])?.requirements).toEqual(['pagination.next-null', 'pagination.total']);
    expect(first([total, next, size])?.requirements[0]).toBe('pagination.total');
  });

  test('of two findings of a change that one is told that shows what did it', () => {
    const fault: Discrepancy = { kind: 'changed', got: [] };
    const seen = { ...wrong('state.patch-only-sent', '/data/tags'), fault };
    const step = { number: 1, exchange: exchange('{}', 200, '{}') };
    const [cause] = causes({ 'patch-gate/auth': [seen], 'patch-gate/envelope': [{ ...seen, steps: [step, step] }] });
    expect(cause?.findings).toEqual(['patch-gate/envelope#1', 'patch-gate/auth#1']);
  });

  test('a bound that two checks find broken, or two endpoints', () => {
    const one = accepted('gate.description', '/description', 'a', 'one');
    expect(
      causes({ 'patch-gate/reject': [one], 'patch-gate/headers': [one], 'disable-gate/reject': [one] }),
    ).toHaveLength(1);
  });

  test('a field that takes one wrong value after another, by whichever requirement', () => {
    const found = [
      accepted('reject.wrong-type', '/metricEvents/1/type', 1, 'a number'),
      accepted('reject.ratio-aggregation', '/metricEvents/1/type', 'sum', 'a sum'),
    ];
    expect(causes({ 'create-metric/reject': found })).toHaveLength(1);
  });

  test('a failure with a status other than 500, at whichever field', () => {
    const at = (field: string, status: number): Finding => ({
      ...server(status),
      counterexample: { path: field, index: 0, title: field, pointer: field, sent: 1, shrinks: 0 },
    });
    const both = (status: number) => causes({ 'patch-gate/reject': [at('/tags', status), at('/team', status)] });
    expect([both(502), both(500)].map(({ length }) => length)).toEqual([1, 2]);
  });

  test('an operation that fails at many fields, whichever requirement says so', () => {
    const at = (requirement: string, field: string): Finding => ({
      ...server(500),
      requirement,
      counterexample: { path: field, index: 0, title: field, pointer: field, sent: 1, shrinks: 0 },
    });
    const found = [at('reject.never-5xx', '/tags'), at('reject.never-5xx', '/team'), at('robust.never-5xx', '')];
    expect(causes({ 'patch-gate/reject': found })).toHaveLength(1);
  });

  test('a value that is refused, by whichever requirement', () => {
    const refused = (requirement: string): Finding => ({
      ...accepted(requirement, '/type', 'event_user', 'type'),
      exchange: exchange('{}', 400, '{}'),
    });
    const found = [refused('accept.stated-boundary'), refused('accept.metric-types')];
    expect(causes({ 'create-metric/reject': found })).toHaveLength(1);
  });

  test('what two requirements say of one place in an answer', () => {
    const found = [wrong('echo.sent-field', '/data/tags/0'), wrong('gate.tags', '/data/tags/3', 'other')];
    expect(causes({ 'patch-gate/envelope': found })).toHaveLength(1);
  });

  test('all that a broken frame breaks', () => {
    const absent: Finding = { ...wrong('presence.must', '/data/isEnabled'), fault: { kind: 'missing' } };
    const found = [wrong('envelope.data-shape', '/data'), absent];
    expect(causes({ 'patch-gate/envelope': found })).toMatchObject([
      { requirements: ['envelope.data-shape', 'presence.must'] },
    ]);
  });

  test('an answer that is not JSON at times, its status, and a value that another answer shows, are three', () => {
    const lost: Finding = {
      ...wrong('state.patch-every-sent', '/data/description'),
      fault: { kind: 'lost', expected: 'new', got: 'old' },
    };
    const unreadable: Finding = { ...wrong('envelope.json', ''), fault: { kind: 'body' } };
    const status = (code: number): Finding => ({
      ...server(code),
      requirement: 'envelope.status-200',
      exchange: exchange('{}', code, ''),
    });
    expect(causes({ 'patch-gate/envelope': [lost, unreadable, status(201)] })).toHaveLength(3);
    expect(causes({ 'patch-gate/envelope': [unreadable, status(204)] })).toHaveLength(1);
  });

  test('a header whose name must have one letter case, by whichever rule', () => {
    const refused = (requirement: string): Finding => ({ ...server(401), requirement, actual: 'status 401' });
    const found = {
      'patch-gate/auth': [refused('auth.header-case')],
      'create-metric/headers': [refused('robust.same-headers')],
    };
    expect(causes(found)).toHaveLength(1);
  });

  test('a rule of a sequence that several sequences break at one endpoint', () => {
    const refused = (path: string): Finding => ({
      ...accepted('state.dry-run-metric', '', undefined, path),
      exchange: exchange('{}', 409, '{}'),
    });
    expect(
      causes({ 'create-metric/reject': [refused('one')], 'create-metric/headers': [refused('two')] }),
    ).toHaveLength(1);
  });

  test('a write that is lost, one after another and at once, at one operation', () => {
    const lost = (requirement: string): Finding => ({
      ...accepted(requirement, '/data/*/description', 'x', requirement),
      fault: { kind: 'lost', expected: 'x', got: 'y' },
    });
    const single = { 'create-metric/reject': [lost('state.metric-listed')] };
    const race = [lost('state.concurrent-answers')];
    expect(causes({ ...single, 'create-metric/headers': race })).toHaveLength(1);
    expect(causes({ ...single, 'patch-gate/auth': race })).toHaveLength(2);
  });

  test('a member of another type, and the state that is compared with it at another endpoint', () => {
    const found = {
      'update-experiment/envelope': [wrong('experiment.allocation', '/data/allocation')],
      'enable-groups/envelope': [wrong('state.enable-groups-frame', '/data/allocation')],
    };
    expect(causes(found)).toHaveLength(1);
  });

  test('a server that fails now and then, whatever it is asked and by whom', () => {
    const sometimes = (requirement: string): Finding => ({
      ...server(500),
      requirement,
      seen: { times: 1, of: 3 },
    });
    const found = {
      'patch-gate/auth': [sometimes('robust.never-5xx')],
      'list-events/reject': [sometimes('pagination.odd-values')],
    };
    expect(causes(found)).toHaveLength(1);
  });

  test('a server that fails at three endpoints or more', () => {
    expect(causes(everywhere('reject', server(500)))).toHaveLength(1);
    const lists = {
      'list-segments': '/segments',
      'list-events': '/events/a',
      'list-event-metrics': '/events/a/metrics',
    };
    const failing = (check: string, status: number) =>
      Object.fromEntries(
        Object.entries(lists).map(([id, path]): [string, Finding[]] => {
          const { request } = asked('GET', path);
          return [`${id}/${check}`, [{ ...server(status), exchange: { ...exchange('{}', status, '{}'), request } }]];
        }),
      );
    expect(causes({ ...failing('reject', 500), ...failing('headers', 500) })).toHaveLength(1);
    expect(causes({ ...failing('reject', 500), ...failing('headers', 501) })).toHaveLength(2);
    const [one, two, three] = Object.entries(failing('reject', 500));
    const gateway = Object.entries(failing('reject', 502))[2];
    const of = (...all: (typeof one)[]) => causes(Object.fromEntries(all.filter(found => found !== undefined)));
    expect(of(one, two, three)).toHaveLength(1);
    expect(of(one, two, gateway)).toHaveLength(3);
  });
});

describe('two findings that one defect explains are one cause, and two like them are not', () => {
  const sometimes = { seen: { times: 1, of: 3 } };
  const told = (requirement: string, pointer: string, fault: Discrepancy, more: Partial<Finding> = {}): Finding => ({
    ...wrong(requirement, pointer, `${requirement} ${pointer} ${fault.kind}`),
    fault,
    seen: { times: 3, of: 3 },
    ...more,
  });
  const refused = (sent: unknown, pointer: string): Finding => ({
    ...accepted('accept.combination', pointer, sent, `${pointer} refused`),
    fault: { kind: 'refused' },
    exchange: exchange('{}', 400, '{}'),
  });
  const failed = (sent: unknown, pointer: string): Finding => ({
    ...server(500),
    counterexample: { path: `${pointer} failed`, index: 0, title: 'odd', pointer, sent, shrinks: 0 },
  });
  const listed = asked('GET', '/events/an_event/metrics');
  const enumOf: Discrepancy = { kind: 'constraint', got: 'Other', constraint: { keyword: 'enum', limit: ['one'] } };
  const lost: Discrepancy = { kind: 'lost', expected: true, got: false };
  const absent: Discrepancy = { kind: 'missing', expected: 0 };
  const value: Discrepancy = { kind: 'value', expected: 'a', got: 'b' };
  const [patch, disable] = ['patch-gate/auth', 'disable-gate/envelope'];
  const rewrittenTo = (expected: string, got: string): Discrepancy => ({ kind: 'value', expected, got });
  const left = (pointer: string, path: string): Finding =>
    told('auth.no-effect', pointer, { kind: 'trace', got: pointer }, { exchange: asked('POST', path) });
  const withBody = asked('PUT', '/gates/a_gate/disable');
  const { body: _body, ...bare } = withBody.request;
  const disabling = { ...withBody, request: bare };

  const carriedBy = (requirement: string, header: string): Finding => {
    const sent = asked('PATCH', '/gates/a_gate');
    const request = { ...sent.request, headers: [{ name: header, value: 'Basic key' }] };
    return { ...dropped, requirement, exchange: { ...sent, request } };
  };
  const spelled = (body: string): Finding => ({
    ...accepted('robust.same-json', '', undefined, body),
    fault: { kind: 'refused' },
    exchange: exchange(body, 400, '{}'),
  });
  /** Returns what is told of a gate after its one write: the answers before it, to it and after it. */
  const afterWrite = (
    [requirement, pointer, fault]: Parameters<typeof told>,
    write: ReturnType<typeof asked>,
    [before, after]: readonly [object, object],
  ): Finding => {
    const read = (shown: object) => exchange('{}', 200, JSON.stringify({ message: 'ok', data: shown }));
    const steps = [read(before), write, read(after)].map((one, index) => ({
      number: index + 1,
      exchange: one,
      ...(one === write && { shown: JSON.stringify(fault.expected) }),
    }));
    return told(requirement, pointer, fault, { steps, exchange: read(after) });
  };
  const unset: Discrepancy = { kind: 'value', expected: false, got: true };
  const changes = (sent: object) => {
    const all = asked('PATCH', '/gates/a_gate');
    const text = JSON.stringify(sent);
    return { ...all, request: { ...all.request, body: { text, bytes: text.length, truncated: false } } };
  };
  const kept = { team: 'a', type: 'b', tags: ['c'] };
  const sentTeam: Discrepancy = { kind: 'lost', expected: 'x', got: 'a' };
  const lostTeam = (after: object): Finding =>
    afterWrite(['state.patch-every-sent', '/data/team', sentTeam], changes({ team: 'x', type: 'y' }), [kept, after]);
  const lostTags = told('state.concurrent-answers', '/data/tags', { kind: 'lost', expected: ['z'], got: ['c'] });
  const prefix = told('identity.gate-id', '/data/id', { kind: 'value', expected: 'a_gat', got: 'a_gate' });
  const ofGate = (param: string): Finding => ({
    ...told('state.patch-only-sent', '/data/team', { kind: 'changed', expected: 'a', got: 'b' }),
    exchange: asked('PATCH', `/gates/${param}`, JSON.stringify({ data: { id: 'a_gate' } })),
  });
  const steady: Partial<Finding> = { seen: { times: 2, of: 2 } };

  test.each<[what: string, one: [string, Finding], same: [string, Finding], other: [string, Finding]]>([
    [
      'a key that is taken from one header, whatever its scheme',
      [patch, carriedBy('auth.bearer', 'Authorization')],
      [patch, carriedBy('auth.other-carrier', 'authorization')],
      [patch, carriedBy('auth.other-carrier', 'X-API-Key')],
    ],
    [
      'escapes that are not read, and a text that looks like one',
      [patch, spelled('{"description":"\\u0041"}')],
      [patch, told('echo.sent-field', '/data/description', rewrittenTo('it is \\u0041 here', 'it is \\A here'))],
      [patch, told('echo.sent-field', '/data/description', rewrittenTo('it is bold here', 'it is cold here'))],
    ],
    [
      'what an operation sets by itself and is gone, whichever rule says so',
      [disable, afterWrite(['state.disable-gate-false', '/data/isEnabled', unset], disabling, [{}, {}])],
      [patch, afterWrite(['state.patch-only-sent', '/data/isEnabled', unset], disabling, [{}, {}])],
      [patch, afterWrite(['state.patch-only-sent', '/data/isEnabled', unset], changes({ isEnabled: false }), [{}, {}])],
    ],
    [
      'what a refused request left behind, and what is read of it, but not how answers show that field',
      [patch, told('auth.no-effect', '/data/tags', { kind: 'trace', expected: 'a', got: 'b' })],
      [patch, told('state.patch-only-sent', '/data/tags', { kind: 'changed', expected: 'c', got: 'd' })],
      [patch, told('echo.sent-field', '/data/tags', { kind: 'value', expected: 'c', got: 'd' })],
    ],
    [
      'an answer about another entity, and the values of that one',
      [patch, { ...wrong('identity.gate-id', '/data/id', 'both at once'), fault: prefix.fault ?? value }],
      [patch, { ...wrong('echo.sent-field', '/data/team', 'both at once'), fault: value }],
      [patch, { ...wrong('echo.sent-field', '/data/team', 'another case'), fault: value }],
    ],
    [
      'an entity that goes by another name, and what it shows then, but not what it shows by its own',
      [patch, { ...prefix, exchange: asked('PATCH', '/gates/a_gat') }],
      [patch, ofGate('a_gat')],
      [patch, ofGate('a_gate')],
    ],
    [
      'a field that is not shown, and not what is stored of it',
      [patch, told('echo.sent-field', '/data/team', { kind: 'missing', expected: 'x' })],
      [patch, told('state.patch-every-sent', '/data/team', { kind: 'value', expected: 'x', got: 'a' })],
      [patch, told('state.patch-every-sent', '/data/team', sentTeam)],
    ],
    [
      'what is accepted against the rule of a field, and shown',
      [patch, accepted('experiment.status', '/status', 'Other', 'odd')],
      ['enable-groups/envelope', told('experiment.status', '/data/status', enumOf)],
      ['enable-groups/envelope', told('experiment.status', '/data/status', { ...enumOf, got: null })],
    ],
    [
      'one field that is lost, whichever rule and check tell of it',
      [patch, told('state.disable-gate-false', '/data/isEnabled', lost)],
      [disable, told('state.patch-every-sent', '/data/isEnabled', lost)],
      [disable, told('state.patch-every-sent', '/data/description', lost)],
    ],
    [
      'writes at once that are mixed up, and an echo that is wrong now and then',
      [patch, told('state.concurrent-answers', '/data/description', lost)],
      [disable, told('echo.sent-field', '/data/idType', value, sometimes)],
      [disable, told('echo.sent-field', '/data/idType', value)],
    ],
    [
      'a member that changes after one write, and after writes at once',
      [disable, told('state.concurrent-fields', '/data/owner', { kind: 'changed', got: 1 })],
      [patch, told('state.patch-only-sent', '/data/owner', { kind: 'changed', got: 1 })],
      [patch, told('state.patch-only-sent', '/data/team', { kind: 'changed', got: 1 })],
    ],
    [
      'a member that writes at once mix up, and what another operation does with it, but nothing else each time',
      [patch, told('state.concurrent-values', '/data/owner', { kind: 'lost', got: 1 })],
      [disable, told('state.disable-gate-frame', '/data/owner', { kind: 'changed', got: 1 }, steady)],
      [disable, told('state.disable-gate-frame', '/data/owner', { kind: 'changed', got: 2 }, steady)],
    ],
    [
      'a member that is always lost, and among writes at once too, but not what another operation does with it',
      [patch, told('state.concurrent-values', '/data/owner', { kind: 'lost', got: 1 })],
      [patch, told('state.patch-only-sent', '/data/owner', { kind: 'changed', got: 2 }, steady)],
      [disable, told('state.disable-gate-frame', '/data/owner', { kind: 'changed', got: 2 }, steady)],
    ],
    [
      'the longest name, which two operations refuse, and the shortest, which another does',
      [patch, refused('a'.repeat(100), '/name')],
      [disable, refused('b'.repeat(100), '/name')],
      [disable, refused('abc', '/name')],
    ],
    [
      'a body that cannot be read, and what its header calls it',
      [patch, { ...told('envelope.json', 'body', { kind: 'body' }) }],
      [patch, { ...told('envelope.content-type', 'body', { kind: 'value' }) }],
      [disable, { ...told('envelope.content-type', 'body', { kind: 'value' }) }],
    ],
    [
      'what a refused creation leaves behind, shown and in the way',
      ['create-metric/headers', told('reject.no-trace', '/data', { kind: 'present', got: 'a' })],
      ['create-metric/headers', { ...refused({}, ''), requirement: 'reject.no-trace' }],
      ['create-metric/headers', { ...refused({}, ''), requirement: 'state.metric-listed' }],
    ],
    [
      'a body that cannot be read',
      [patch, { ...told('envelope.json', 'body', { kind: 'body' }) }],
      [patch, { ...told('robust.same-headers', 'body', { kind: 'body' }) }],
      [patch, { ...told('robust.same-headers', 'status', { kind: 'refused' }) }],
    ],
    [
      'a member without its id, which is not found then',
      ['update-environments/envelope', told('presence.must', '/data/environments/0/id', { kind: 'missing' })],
      ['update-environments/auth', told('state.environments-listed', '/data/environments', { kind: 'missing' })],
      ['update-environments/auth', told('state.environments-listed', '/data', { kind: 'missing' })],
    ],
    [
      'one rule about one member that two operations show',
      ['create-metric/headers', told('state.metric-as-created', '/data/*/directionality', value)],
      ['list-event-metrics/envelope', told('state.metric-as-created', '/data/0/directionality', value)],
      ['list-event-metrics/envelope', told('state.metric-as-created', '/data/0/tags', value)],
    ],
    [
      'members that the answers of a rule leave out',
      [patch, told('state.prompt-fields', '/data/temperature', absent)],
      [patch, told('state.prompt-fields', '/data/max_tokens', absent)],
      [patch, told('state.prompt-fields', '/data/max_tokens', value)],
    ],
    [
      'a combination that is refused for the field that is refused alone',
      [patch, refused('TEMPORARY', '/type')],
      [patch, refused({ team: 'growth', type: 'TEMPORARY' }, '')],
      [patch, refused({ team: 'growth', type: 'PERMANENT' }, '')],
    ],
    [
      'a text of a length that fails, alone and in a combination with other words',
      [patch, failed('x'.repeat(1000), '/description')],
      [patch, failed({ team: 'growth', description: 'y'.repeat(1000) }, '')],
      [patch, failed({ team: 'growth', description: 'y'.repeat(999) }, '')],
    ],
    [
      'what a cache answers in the place of the service',
      [patch, told('auth.missing-key', 'status', { kind: 'accepted' }, { exchange: stored('7') })],
      ['list-segments/envelope', told('state.neighbours', '/data/0/name', value, { exchange: stored('2') })],
      [
        'list-event-metrics/envelope',
        told('state.metric-as-created', '/data/0/tags', value, { exchange: stored('0') }),
      ],
    ],
    [
      'a step of a sequence that fails as it does by itself',
      [patch, failed('a!', '/name')],
      [patch, failed(['refused for name', 'create name'], '')],
      [patch, failed(undefined, '')],
    ],
    [
      'what an operation answers to its own check, and to that of another operation',
      [patch, failed('a!', '/name')],
      [disable, server(500)],
      [disable, { ...server(500), exchange: asked('PUT', '/gates/a_gate/disable') }],
    ],
    [
      'an item that is refused, and a member of another that is',
      [patch, refused({ key: 'a', formula: 'b' }, '/customFieldMapping/0')],
      [patch, refused('c', '/customFieldMapping/1/formula')],
      [patch, refused('c', '/customField')],
    ],
    [
      'a part of texts that comes back otherwise',
      [patch, told('echo.sent-field', '/data/description', rewrittenTo('it is \\u0041 here', 'it is \\A here'))],
      [patch, told('echo.outside-shape', '/data/formula', rewrittenTo('a\\u0041b', 'a\\Ab'))],
      [patch, told('echo.outside-shape', '/data/formula', rewrittenTo('a\\u0041b', 'a\\Bb'))],
    ],
    [
      'a body that an operation without one fails at',
      [disable, { ...server(500), exchange: withBody }],
      ['disable-gate/headers', { ...server(500), requirement: 'reject.never-5xx', exchange: withBody }],
      ['disable-gate/headers', { ...server(500), requirement: 'reject.never-5xx', exchange: disabling }],
    ],
    [
      'what requests without a key leave behind of one kind of entity',
      ['update-experiment/auth', left('/data/allocation', '/experiments/a')],
      ['enable-groups/envelope', left('/data/hypothesis', '/experiments/a/enable_groups')],
      [patch, left('/data/tags', '/segments')],
    ],
    [
      'a member that takes and shows a wrong text, and a write of it that is lost',
      [patch, told('gate.type', '/data/type', { kind: 'constraint', got: '' })],
      [patch, told('state.patch-every-sent', '/data/type', { kind: 'lost', expected: 'PERMANENT', got: null })],
      [patch, told('state.patch-every-sent', '/data/type', { kind: 'lost', expected: 'PERMANENT', got: 'TEMPORARY' })],
    ],
    [
      'a value that is refused alone, and the list that holds it',
      [patch, refused(0, '/targetApps/0')],
      [patch, refused([0, 1], '/targetApps')],
      [patch, refused([0, 1], '/tags')],
    ],
    [
      'what a dry run stores, and what is refused for it',
      [patch, told('state.dry-run-metric', '/data', { kind: 'present', got: 'a' })],
      [patch, { ...refused({}, ''), requirement: 'state.dry-run-metric' }],
      [patch, { ...refused({}, ''), requirement: 'state.metric-listed' }],
    ],
    [
      'pages that hold less than they count, and a count that fits no list',
      ['list-event-metrics/envelope', told('pagination.page-size', '/data', { kind: 'value' })],
      ['create-metric/headers', told('state.metric-listed', '/pagination/totalItems', value, { exchange: listed })],
      ['create-metric/headers', told('state.metric-listed', '/data/0/name', value, { exchange: listed })],
    ],
    [
      'what comes of a request that is accepted and must not be',
      ['create-metric/reject', accepted('metric.type', '/type', 'ra tio', 'a blank')],
      [
        'create-metric/headers',
        { ...accepted('state.neighbours', '/type', 'ra tio', 'another case'), pointer: '/data/0/name', fault: value },
      ],
      [
        'create-metric/headers',
        { ...accepted('state.neighbours', '/tags', 'ra tio', 'another case'), pointer: '/data/0/name', fault: value },
      ],
    ],
    [
      'a list that holds what does not belong there, and lacks what does',
      ['list-event-metrics/envelope', told('state.lineage-truth', '/data/0/lineage', value)],
      ['create-metric/headers', told('state.metric-listed', '/data', { kind: 'missing' })],
      ['create-metric/headers', told('state.neighbours', '/data', { kind: 'missing' })],
    ],
  ])('%s', (_what, one, same, other) => {
    const both = (second: [string, Finding]) =>
      causes(
        one[0] === second[0] ? { [one[0]]: [one[1], second[1]] } : { [one[0]]: [one[1]], [second[0]]: [second[1]] },
      );
    expect(both(same)).toHaveLength(1);
    expect(both(other)).toHaveLength(2);
  });

  test('the fields of a write of which nothing is stored, and whatever else its operation loses', () => {
    const of = (one: Finding) => causes({ 'patch-gate/headers': [one, lostTags] });
    expect(of(lostTeam(kept))).toHaveLength(1);
    expect(of(lostTeam({ ...kept, type: 'y' }))).toHaveLength(2);
  });
});

describe('two defects are two causes', () => {
  test('two rules, each broken at an endpoint of its own', () => {
    const one = accepted('gate.description', '/description', 'a', 'one');
    const other = accepted('gate.tags', '/tags', 'a', 'one');
    expect(causes({ 'patch-gate/reject': [one, other] })).toHaveLength(2);
  });

  test('one rule of everything, broken in two fields', () => {
    const found = [wrong('echo.sent-field', '/data/tags', 'tags'), wrong('echo.sent-field', '/data/team', 'team')];
    expect(causes({ 'patch-gate/envelope': found })).toHaveLength(2);
  });

  test('a rule that lets too much in, and a value of the same field that comes back wrong', () => {
    const found = [
      accepted('gate.description', '/description', 'a', 'one'),
      wrong('gate.description', '/data/description'),
    ];
    expect(causes({ 'patch-gate/reject': found })).toHaveLength(2);
  });

  test('two places of a key that one endpoint takes, unless it takes no key there either', () => {
    const letIn = (requirement: string, path: string): Finding => ({
      ...dropped,
      requirement,
      exchange: asked('PATCH', path),
    });
    const [query, bearer] = ['auth.key-in-query', 'auth.bearer'].map(id => letIn(id, '/gates/a_gate'));
    const without = (path: string) => letIn('auth.missing-key', path);
    const found = (...all: (Finding | undefined)[]) =>
      causes({ 'patch-gate/auth': all.filter(one => one !== undefined) });
    expect(found(query, bearer)).toHaveLength(2);
    expect(found(query, without('/gates/another_gate'))).toHaveLength(2);
    expect(found(query, bearer, without('/gates/a_gate'))).toHaveLength(1);
  });

  test('fields that change, each by another request, however many', () => {
    const changed = (field: string, path: string): Finding => ({
      ...wrong('state.patch-only-sent', `/data/${field}`, path),
      fault: { kind: 'changed', expected: 1, got: 2 },
    });
    const fields = ['tags', 'team', 'owner'];
    expect(causes({ 'patch-gate/headers': fields.map(field => changed(field, field)) })).toHaveLength(3);
    expect(causes({ 'patch-gate/headers': fields.map(field => changed(field, 'one')) })).toHaveLength(1);
  });

  test('two members that writes of one operation lose; of three it loses all', () => {
    const lost = (requirement: string, field: string): Finding => ({
      ...accepted(requirement, `/data/${field}`, 1, `${requirement} ${field}`),
      pointer: `/data/${field}`,
      fault: { kind: 'lost', expected: 1, got: 2 },
    });
    const two = [lost('state.patch-every-sent', 'tags'), lost('state.concurrent-answers', 'team')];
    expect(causes({ 'patch-gate/headers': two })).toHaveLength(2);
    expect(causes({ 'patch-gate/headers': [...two, lost('state.patch-every-sent', 'type')] })).toHaveLength(1);
  });

  test('texts that three endpoints change, each in another way', () => {
    const changed = (got: string): Finding => ({
      ...wrong('echo.sent-field', '/data/description', got),
      fault: { kind: 'value', expected: 'a long text', got },
    });
    const of = (...[one, two, three]: readonly [string, string, string]) =>
      causes({
        'patch-gate/auth': [changed(one)],
        'create-metric/headers': [changed(two)],
        'update-experiment/auth': [changed(three)],
      });
    expect(of('a long', 'a l', 'a')).toHaveLength(1);
    expect(of('a long', 'a_long_text', 'a very long text')).toHaveLength(3);
  });

  test('a server that fails at two endpoints', () => {
    const other = { ...server(500), exchange: asked('GET', '/events/an_event') };
    expect(causes({ 'patch-gate/reject': [server(500)], 'list-events/reject': [other] })).toHaveLength(2);
  });
});

describe('causes', () => {
  test('begin with the requirement that binds the fewest operations', () => {
    const refused = (requirement: string): Finding => ({
      ...accepted(requirement, '/skip_validation', true, requirement),
      fault: { kind: 'refused' },
    });
    const found = ['accept.stated-boundary', 'accept.skip-validation'].map(refused);
    expect(causes({ 'update-qualifying-event/reject': found })).toMatchObject([
      { requirements: ['accept.skip-validation', 'accept.stated-boundary'] },
    ]);
  });

  test('tell that a member is missing before that it is so after a wrong request too', () => {
    const missing = (requirement: string): Finding => ({
      ...wrong(requirement, '/data/id', requirement),
      fault: { kind: 'missing' },
    });
    const found = ['reject.well-typed-if-accepted', 'presence.must'].map(missing);
    expect(causes({ 'patch-gate/envelope': found })).toMatchObject([
      { requirements: ['presence.must', 'reject.well-typed-if-accepted'] },
    ]);
  });

  const order = (odd: Readonly<Record<string, Finding[]>>) => causes(odd).map(({ requirements: [first] }) => first);

  test('stand in the order of the harm that they do', () => {
    const all: Readonly<Record<string, Finding[]>> = {
      'list-segments/envelope': [wrong('message.list-segments', '/message')],
      'list-events/envelope': [wrong('pagination.complete', '/data')],
      'patch-gate/envelope': [wrong('gate.isEnabled', '/data/isEnabled')],
      'patch-gate/reject': [accepted('gate.description', '/description', 'a', 'one')],
      'create-metric/reject': [server(500)],
      'disable-gate/envelope': [wrong('state.disable-gate-frame', '/data/tags')],
      'archive-config/auth': [{ ...dropped, requirement: 'auth.missing-key' }],
    };
    expect(order(all)).toEqual([
      'auth.missing-key',
      'state.disable-gate-frame',
      'robust.never-5xx',
      'gate.description',
      'pagination.complete',
      'gate.isEnabled',
      'message.list-segments',
    ]);
  });

  test('of warnings come last, under ids of their own', () => {
    const { causes = [] } = reportOf(examples.failing);
    expect(causes.map(({ id }) => id)).toEqual(['F1', 'F2', 'F3', 'W1']);
  });

  test('a doubtful sighting of a defect that is known is no cause of its own', () => {
    const one = accepted('gate.description', '/description', 'a', 'one');
    const doubtful: Finding = { ...one, level: 'SHOULD', doubt: 'seen 1 of 3 times' };
    expect(causes({ 'patch-gate/reject': [doubtful], 'patch-gate/headers': [one] })).toMatchObject([
      { kind: 'fail', findings: ['patch-gate/headers#1', 'patch-gate/reject#1'] },
    ]);
  });

  test('have every finding once', () => {
    for (const name of ['wall', 'hostile', 'failing', 'many'] as const) {
      const report = reportOf(examples[name]);
      const names = report.endpoints.flatMap(({ checks }) =>
        checks.flatMap(({ id, findings }) => findings.map((_, index) => `${id}#${index + 1}`)),
      );
      expect((report.causes ?? []).flatMap(({ findings }) => findings).sort()).toEqual(names.sort());
    }
  });

  test('are told by check', () => {
    expect([...causesByCheck(reportOf(examples.failing))]).toContainEqual(['patch-gate/reject', ['F2']]);
  });

  test('what an endpoint without a sound answer could not show waits for that cause', () => {
    const at: EndpointId = 'list-segments';
    const [cause] =
      reportOf(
        run({
          [`${at}/envelope`]: fails(wrong('envelope.object', '')),
          [`${at}/auth`]: ['untested', { because: 'the same request with the key was not accepted' }],
          [`${at}/headers`]: ['untested', { because: 'not named', remedy: 'name it' }],
        }),
      ).causes ?? [];
    expect(cause?.blocked).toEqual([`${at}/auth`]);
  });
});
