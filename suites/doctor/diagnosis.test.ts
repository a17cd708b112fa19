import { describe, expect, onTestFinished, test } from 'vitest';
import { endpointIds } from '../../contracts/endpoints.ts';
import type { TargetFile } from '../../contracts/target.ts';
import { createReferenceServer, type ReferenceServerOptions, referenceTarget } from '../../reference-server/index.ts';
import { onePage } from '../proof/testing/answers.ts';
import { closedPort, httpDouble } from '../proof/testing/doubles.ts';
import { patientServer } from '../proof/testing/patient-server.ts';
import { recordedRun, testKey } from '../proof/testing/reference-run.ts';
import { targetOf } from '../sut/target.ts';
import { type Diagnosis, diagnose } from './diagnosis.ts';

interface Asked {
  readonly file?: (file: TargetFile) => TargetFile;
  readonly server?: ReferenceServerOptions;
  readonly apiKey?: string;
  readonly write?: boolean;
  readonly now?: number;
}

async function diagnosed(asked: Asked = {}): Promise<Diagnosis & { readonly methods: readonly string[] }> {
  const methods = new Set<string>();
  const server = createReferenceServer({
    ...patientServer,
    apiKey: testKey,
    ...asked.server,
    decorateListener: inner => (request, response) => {
      methods.add(request.method ?? '');
      response.sendDate = false;
      response.setHeader('date', new Date(1_760_000_000_000).toUTCString());
      inner(request, response);
    },
  });
  const { url } = await server.listen();
  onTestFinished(() => server.close());
  const before = await server.store.snapshot();
  const file = asked.file?.(referenceTarget()) ?? referenceTarget();
  const diagnosis = await diagnose({
    target: targetOf(file, new URL(url), asked.apiKey ?? testKey),
    write: asked.write ?? false,
    timeoutMs: 600_000,
    now: () => asked.now ?? 1_760_000_000_000,
  });
  const settled = (snapshot: typeof before) =>
    JSON.parse(JSON.stringify(snapshot, (key, value) => (/^(version|lastModif.*)$/.test(key) ? 0 : value)));
  expect(settled(await server.store.snapshot())).toEqual(settled(before));
  return { ...diagnosis, methods: [...methods] };
}

const problems = ({ diagnostics }: Diagnosis) => diagnostics.filter(({ state }) => state === 'problem');
const textsOf = ({ diagnostics }: Diagnosis, area: string) =>
  diagnostics.filter(diagnostic => diagnostic.area === area).map(({ state, text }) => `${state} ${text}`);
const fixtures = (change: TargetFile['fixtures']) => (file: TargetFile) => ({
  ...file,
  fixtures: { ...file.fixtures, ...change },
});

describe('a diagnosis', () => {
  test('of a target without a second lasting experiment names the checks that cannot be made, and ends well', async () => {
    const { disposable } = referenceTarget();
    const isLasting = ({ id }: { readonly id: string }) => disposable?.experiments?.includes(id) !== true;
    const [first] = (referenceTarget().fixtures?.experiments ?? []).filter(isLasting);
    const diagnosis = await diagnosed({ file: fixtures({ experiments: first ? [first] : [] }) });
    expect(diagnosis).toMatchObject({
      complete: true,
      idle: [
        { id: 'update-experiment/experiment-neighbours', level: 'SHOULD' },
        { id: 'enable-groups/experiment-neighbours', level: 'SHOULD' },
      ],
    });
  });

  test('of a whole target: everything can be proved, nothing but GET was sent', async () => {
    const diagnosis = await diagnosed();
    expect(problems(diagnosis)).toEqual([]);
    expect(diagnosis).toMatchObject({ complete: true, missing: [], idle: [], provable: endpointIds, methods: ['GET'] });
    expect(textsOf(diagnosis, 'key')).toEqual([
      'ok accepted; a wrong key is refused (status 401), and so is none (status 401)',
    ]);
    expect(textsOf(diagnosis, 'fixtures')).toContainEqual(expect.stringMatching(/^note gates new_checkout.*--write/));
    expect(textsOf(diagnosis, 'lists')).toContain('ok list-segments: 30 items');
    expect(textsOf(diagnosis, 'clock')).toEqual(['note the same time as here']);
    expect(textsOf(diagnosis, 'coverage').join()).toMatch(
      /^note a run can reach a coverage of 9\d(\.\d)? % at most \([\d,]+ of [\d,]+ cells\)/,
    );
  });

  test('looks at gates by the empty patch when it may', async () => {
    const diagnosis = await diagnosed({ write: true, file: fixtures({ gates: ['new_checkout', 'no_gate'] }) });
    // Dry runs, and requests about entities that do not exist: each of these tests compares the store.
    expect(diagnosis.methods).toEqual(['GET', 'PATCH', 'POST', 'PUT']);
    expect(textsOf(diagnosis, 'fixtures')).toContain('ok gates new_checkout: there');
    expect(problems(diagnosis)).toMatchObject([{ text: 'gates no_gate: status 404', endpoints: ['disable-gate'] }]);
    expect(diagnosis.complete).toBe(false);
    expect(textsOf(diagnosis, 'coverage').join()).toMatch(/a coverage of [89]\d(\.\d)? % at most/);
  });

  test('does not take a refused empty patch for a gate that is not there', async () => {
    const diagnosis = await diagnosed({ write: true, server: { dialects: ['empty-patch-refused'] } });
    expect(problems(diagnosis)).toEqual([]);
    expect(textsOf(diagnosis, 'fixtures')).toContain(
      'note gates new_checkout: cannot be looked at, for the empty patch is refused (status 400)',
    );
    expect(diagnosis.complete).toBe(true);
  });

  // biome-ignore format: a table
  test.each<[string, NonNullable<TargetFile['fixtures']>, text: string, lost: readonly string[]]>([
    ['config',        { dynamicConfigs: ['gone', 'pricing_table'] }, 'dynamicConfigs gone: status 404',        ['list-config-versions', 'disable-config']],
    ['metric source', { qualifyingEvents: ['gone'] },                'qualifyingEvents gone: not in the list', ['update-qualifying-event']],
    ['event',         { events: ['gone'] },                          'events gone: status 404',                ['create-metric', 'list-event-metrics', 'list-events']],
  ])('finds a %s that is not there, and the endpoints that depend on it', async (_kind, change, text, lost) => {
    const diagnosis = await diagnosed({ file: fixtures(change) });
    expect(problems(diagnosis)[0]).toMatchObject({ area: 'fixtures', text, endpoints: lost });
    expect(diagnosis.provable).toEqual(endpointIds.filter(id => !lost.includes(id)));
    expect(diagnosis.complete).toBe(false);
  });

  test('finds lists that are too short', async () => {
    const server = createReferenceServer(patientServer);
    const snapshot = await server.store.snapshot();
    const initial = { ...snapshot, segments: snapshot.segments.slice(0, 13) };
    const diagnosis = await diagnosed({ server: { initial } });
    expect(problems(diagnosis)).toMatchObject([{ area: 'lists', remedy: 'give the list 14 items or more' }]);
    expect(textsOf(diagnosis, 'lists')).toContain('problem list-segments: 13 items, too few to prove much about pages');
    expect(diagnosis.complete).toBe(false);
  });

  test('looks at the lists of other fixtures if the first is too short, as a run does, and names the one', async () => {
    const server = createReferenceServer(patientServer);
    const { configs, ...snapshot } = await server.store.snapshot();
    const [[id, { versions: all }]] = configs as [(typeof configs)[number]];
    const of = (own: string, count: number): (typeof configs)[number] => [
      own,
      { id: own, versions: Array.from({ length: count }, (_, at) => ({ ...all[at % all.length], id: own })) as never },
    ];
    const seen = async (second: number) => {
      const initial = { ...snapshot, configs: [of(id, 3), of('other', second)] };
      const diagnosis = await diagnosed({ server: { initial }, file: fixtures({ dynamicConfigs: [id, 'other'] }) });
      return [...textsOf(diagnosis, 'lists').filter(text => text.includes('config')), diagnosis.complete];
    };
    expect(await seen(14)).toEqual(['ok list-config-versions of other: 14 items', true]);
    const few = 'too few to prove much about pages';
    expect(await seen(5)).toEqual([`problem list-config-versions of other: 5 items, ${few}`, false]);
    expect(await seen(1)).toEqual([`problem list-config-versions of ${id}: 3 items, ${few}`, false]);
  });

  test('notes a named event of which nothing is listed', async () => {
    const server = createReferenceServer(patientServer);
    const snapshot = await server.store.snapshot();
    const quiet = ['a+b', { name: 'a+b', records: [] }] as const;
    const initial = { ...snapshot, events: [...snapshot.events, quiet] };
    const diagnosis = await diagnosed({ server: { initial }, file: fixtures({ events: ['purchase', 'a+b'] }) });
    expect(textsOf(diagnosis, 'fixtures').filter(text => text.includes('events'))).toEqual([
      'ok events purchase: there',
      'note events a+b: its list is empty; if it should not be, does the service read the name as it is sent?',
    ]);
  });

  test('finds what the target file says is demanded and cannot be sent', async () => {
    const demanding = (teams: readonly string[]) => (file: TargetFile) => ({
      ...file,
      vocabulary: { ...file.vocabulary, teams: [...teams] },
      capabilities: ['enterprise' as const],
      requires: { 'create-metric': ['team', 'tags'] },
    });
    expect(problems(await diagnosed({ file: demanding(['growth']) }))).toEqual([]);
    expect(problems(await diagnosed({ file: demanding([]) }))).toEqual([]);
    const file = (given: TargetFile) => ({ ...demanding([])(given), capabilities: [] });
    expect(problems(await diagnosed({ file }))).toMatchObject([
      { text: 'requires.create-metric names team, of which no value can be sent', endpoints: ['create-metric'] },
    ]);
  });

  test('foretells what a run leaves untested, and the line to add', async () => {
    const file = fixtures({ gates: ['new_checkout'], prompts: [], experiments: [] });
    const diagnosis = await diagnosed({ file });
    expect(diagnosis.complete).toBe(false);
    expect(diagnosis.missing.map(({ remedy, endpoints }) => [remedy.split(':')[0], endpoints])).toEqual([
      ['fixtures.experiments', ['update-experiment', 'enable-groups']],
      ['fixtures.prompts', ['create-prompt-version']],
    ]);
    expect(diagnosis.idle.map(({ remedy }) => remedy)).toEqual(
      diagnosis.idle.map(() => 'fixtures.gates: ["a_gate", "another_gate"]'),
    );
    const record = await recordedRun({ file });
    const incomplete = [...record.verdicts].filter(([, verdict]) => verdict !== 'conformant').map(([id]) => id);
    const idle = diagnosis.idle.map(({ id }) => id.split('/')[0]);
    expect(new Set(incomplete)).toEqual(new Set([...diagnosis.missing.flatMap(({ endpoints }) => endpoints), ...idle]));
    expect(idle.length).toBeGreaterThan(0);
  });

  test.each([
    ['a wrong key', { authorise: 'wrong' }, 'a wrong key is accepted too (status 200): authentication will fail'],
    [
      'no key',
      { authorise: 'none' },
      'a request without any key is accepted too (status 200): authentication will fail',
    ],
  ])('finds a target that takes %s', async (_what, { authorise }, text) => {
    const { url } = await httpDouble((request, response) => {
      const key = request.headers['service-api-key'];
      const open = key === testKey || (authorise === 'none' ? key === undefined : key !== undefined);
      response.writeHead(open ? 200 : 401, { 'content-type': 'application/json' });
      response.end(JSON.stringify(onePage([], '')));
    });
    const target = targetOf({}, url, testKey);
    const diagnosis = await diagnose({ target, write: false, timeoutMs: 600_000, now: () => 0 });
    expect(textsOf(diagnosis, 'key')).toEqual([`problem ${text}`]);
  });

  test.each([
    ['a wrong key', 500, 401, 'problem not known whether a wrong key is refused (status 500)'],
    ['no key', 401, 500, 'problem not known whether a request without any key is refused (status 500)'],
    ['a redirection', 302, 401, 'ok accepted; a wrong key is refused (status 302), and so is none (status 401)'],
  ])('takes no failure at %s for a refusal, but a redirection (%i, %i)', async (_what, wrong, none, text) => {
    const { url } = await httpDouble((request, response) => {
      const key = request.headers['service-api-key'];
      const status = key === testKey ? 200 : key === undefined ? none : wrong;
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(onePage([], '')));
    });
    const target = targetOf({}, url, testKey);
    const diagnosis = await diagnose({ target, write: false, timeoutMs: 600_000, now: () => 0 });
    expect(textsOf(diagnosis, 'key')).toEqual([text]);
  });

  test('ends at a key that is refused, and says so', async () => {
    const diagnosis = await diagnosed({ apiKey: 'another' });
    expect(diagnosis).toMatchObject({ complete: false, provable: [] });
    expect(problems(diagnosis)).toMatchObject([
      { area: 'key', text: expect.stringMatching(/^the key was refused everywhere \(status 401 /) },
    ]);
  });

  test('ends at once where nobody answers', async () => {
    const target = targetOf(referenceTarget(), await closedPort(), testKey);
    const diagnosis = await diagnose({ target, write: true, timeoutMs: 600_000, now: () => 0 });
    expect(diagnosis).toMatchObject({ complete: false, provable: [], requests: 1 });
    expect(problems(diagnosis)).toMatchObject([{ area: 'reachable', text: expect.stringContaining('no connection') }]);
  });

  test.each([
    [1_760_000_060_000, 'note 60 s behind the clock of this machine'],
    [1_759_999_955_000, 'note 45 s ahead of the clock of this machine'],
  ])('tells the skew of the clock as information, when it is %i here', async (now, text) => {
    const diagnosis = await diagnosed({ now });
    expect(textsOf(diagnosis, 'clock')).toEqual([text]);
    expect(diagnosis.complete).toBe(true);
  });
});
