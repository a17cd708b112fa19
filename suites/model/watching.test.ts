import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../contracts/json.ts';
import { onePage } from '../proof/testing/answers.ts';
import type { ApiRequest } from '../protocol/answer.ts';
import { gate, patch, readGate, tell } from './told.fixture.ts';

const readA = { endpoint: readGate, param: 'a' } as const;

const source = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  description: `All about ${name}`,
  ...more,
});
const list = { endpoint: 'list-qualifying-events' } as const;
const pages = (...items: JsonObject[]) => onePage(items);
const update = (param: string, body: JsonObject) => ({ endpoint: 'update-qualifying-event', param, body }) as const;
const metric = { endpoint: 'create-metric', body: { name: 'made up by us', type: 'event_user' } } as const;

describe('traffic of others', () => {
  const watched = (settleMs = 0) => tell({ settleMs, isWatching: true, isSoleWriter: true });

  test('that sends a text to one gate says nothing of another which shows it for the first time', () => {
    const told = watched();
    told.exchange(patch('b', { description: 'sent to the other' }), {
      data: gate('b', { description: 'sent to the other' }),
    });
    told.exchange(patch('a'), { data: gate('a', { description: 'sent to the other' }) });
    expect(told.said()).toEqual([]);
  });

  test('may be behind as long as it was said, however many answers were not', () => {
    const told = watched(1_000);
    told.exchange(patch('a'), { data: gate('a') });
    for (let times = 0; times < 30; times += 1) {
      const now = gate('a', { description: `number ${times}` });
      told.exchange(patch('a', { description: `number ${times}` }), { data: now });
      told.exchange(patch('a'), { data: now });
    }
    told.exchange(patch('a', { description: 'the last' }), { data: gate('a', { description: 'the last' }) });
    told.exchange(patch('a'), { data: gate('a', { description: 'number 29' }) });
    expect(told.said()).toEqual(['lag lost a description state.patch-every-sent']);
  });

  test.each([
    [100, ['lag disagree a description state.patch-every-sent']],
    [1_000, ['firm disagree a description state.patch-every-sent']],
  ])('may show %i ms after its first answer what was written before that, or not', (ms, said) => {
    const told = watched(1_000);
    told.exchange(patch('a'), { data: gate('a', { description: 'one' }) });
    told.wait(ms);
    told.exchange(patch('a'), { data: gate('a', { description: 'two' }) });
    expect(told.said()).toEqual(said);
  });
});

describe('a watched service', () => {
  const watched = () => tell({ isWatching: true, isSoleWriter: true });

  test('may take a dry run of an operation that has none as a plain write', () => {
    const told = watched();
    told.exchange(patch('a'), { data: gate('a') });
    told.exchange(patch('a', { description: 'new text', dryRun: true }), {
      data: gate('a', { description: 'new text' }),
    });
    told.exchange(patch('a'), { data: gate('a', { description: 'new text' }) });
    expect(told.said()).toEqual([]);
  });

  test('may list what is being created, although a dry run of it was answered before', () => {
    const [listed, item] = [
      { endpoint: 'list-event-metrics', param: 'e' } as const,
      { id: 'made up by us::event_user', name: 'made up by us', lineage: { events: ['e'], metrics: [] } },
    ];
    const told = watched();
    told.exchange(listed, pages());
    told.exchange({ ...metric, body: { ...metric.body, dryRun: true } }, { data: item });
    const creation = told.begin(metric);
    told.exchange(listed, pages(item));
    told.answer(creation, { data: item });
    expect(told.said()).toEqual([]);
  });

  test('breaks what was said of a dry run, though a refused creation of the same name came after it', () => {
    const listed = { endpoint: 'list-event-metrics', param: 'e' } as const;
    const item = { id: 'made up by us::event_user', name: 'made up by us', lineage: { events: ['e'], metrics: [] } };
    const told = tell({ isWatching: true, isSoleWriter: true });
    told.exchange(listed, pages());
    told.exchange({ ...metric, body: { ...metric.body, dryRun: true } }, { data: item });
    told.exchange(metric, { status: 409 });
    told.exchange(listed, pages(item));
    expect(told.suspicions.map(({ requirements: [first] }) => first)).toEqual(['state.dry-run-metric']);
  });

  test('that is told the same for hours, and lists that nobody reads again, do not fill the memory', () => {
    const told = watched();
    const described = { data: gate('a', { description: 'ever the same text' }) };
    for (let minute = 0; minute < 300; minute += 1) {
      told.exchange(patch('a', { description: 'ever the same text' }), described);
      told.exchange({ endpoint: 'list-event-metrics', param: `event ${minute}` }, pages());
      told.wait(60_000);
    }
    expect(told.size()).toBeLessThan(100);
  });

  test('that never answered a write long ago counts as quiet again', () => {
    const told = tell({ isWatching: true });
    told.begin(patch('b', { description: 'never answered' }));
    told.wait(3_600_000);
    told.exchange(readA, { data: gate('a') });
    told.wait(10_000);
    told.exchange(readA, { data: gate('a', { description: 'by others' }) });
    told.exchange(readA, { data: gate('a', { description: 'by others again' }) });
    expect(told.said().at(-1)).toContain('moves');
  });

  test('may show late what a write sent that began long after the last reading', () => {
    const told = watched();
    told.exchange(readA, { data: gate('a') });
    told.wait(599_000);
    const write = told.begin(patch('a', { description: 'new' }));
    told.wait(61_000);
    told.exchange(readA, { data: gate('a') });
    told.answer(write, { data: gate('a', { description: 'new' }) });
    told.exchange(readA, { data: gate('a') });
    expect(told.said()).toEqual(['firm lost a description state.patch-every-sent']);
  });

  test('is told the one value that would have been right, whatever it showed before', () => {
    const told = watched();
    told.exchange(patch('a', { description: 'sent' }), { data: gate('a', { description: 'sent' }) });
    for (const description of ['wrong', 'wrong again']) told.exchange(patch('a'), { data: gate('a', { description }) });
    expect(told.suspicions.map(({ expected }) => expected)).toEqual([['sent'], ['sent']]);
  });
});

describe('the lineage of a metric that clients create and list', () => {
  const listed = (param: string) => ({ endpoint: 'list-event-metrics', param }) as const;
  const shown = (...events: string[]) => ({ id: 'made up by us::event_user', lineage: { events, metrics: [] } });
  const created = () => {
    const told = tell({ settleMs: 1_000, isWatching: true, isSoleWriter: true });
    told.exchange(metric, { data: shown() });
    return told;
  };

  test('may be filled as late as writes show', () => {
    const told = created();
    told.exchange(listed('click'), pages(shown()));
    expect(told.said()).toEqual(['lag present made up by us::event_user state.lineage-truth']);
    told.wait(3_000);
    told.exchange(listed('click'), pages(shown()));
    expect(told.said()).toEqual(['firm present made up by us::event_user state.lineage-truth']);
  });

  test('is not judged where they ask by another form of the name', () => {
    const told = created();
    told.wait(3_000);
    told.exchange(listed('Page_View'), pages(shown('page_view')));
    expect(told.said()).toEqual([]);
    told.exchange(listed('page'), pages(shown('page_view')));
    expect(told.said()).toEqual(['firm present made up by us::event_user state.lineage-truth']);
  });
});

describe('what an operation sets', () => {
  test('its own answer has to show', () => {
    const told = tell();
    told.exchange({ endpoint: 'disable-gate', param: 'a' }, { data: gate('a', { isEnabled: true }) });
    expect(told.said()).toEqual(['firm lost a isEnabled state.disable-gate-false']);
    // A suspicion proves nothing, so it covers nothing.
    expect(told.covers).not.toContain('state.disable-gate-false');
    const right = tell();
    right.exchange({ endpoint: 'patch-gate', param: 'a', body: {} }, { data: gate('a', { isEnabled: true }) });
    right.exchange({ endpoint: 'disable-gate', param: 'a' }, { data: gate('a', { isEnabled: false }) });
    expect(right.covers).toContain('state.disable-gate-false');
  });

  test('gives way to another write at the same time', () => {
    const told = tell();
    const disabling = told.begin({ endpoint: 'disable-gate', param: 'a' });
    const enabling = told.begin(patch('a', { isEnabled: true }));
    told.answer(enabling, { data: gate('a') });
    told.answer(disabling, { data: gate('a') });
    expect(told.said()).toEqual([]);
  });
});

describe('whose doing it is not', () => {
  test('what is carried out without the key, or comes back otherwise than it was sent, may be what is stored', () => {
    const told = tell({ isSoleWriter: true });
    told.exchange(patch('a'), { data: gate('a') });
    told.exchange({ ...patch('a', { description: 'no key' }), key: { kind: 'none' } }, { data: gate('a') });
    told.exchange(patch('a'), { data: gate('a', { description: 'no key' }) });
    told.exchange(patch('a', { description: 'sent so' }), { data: gate('a', { description: 'SENT SO' }) });
    told.exchange(patch('a'), { data: gate('a', { description: 'SENT SO' }) });
    expect(told.said()).toEqual([]);
  });

  test('a value that no answer may show is told where it is judged by itself', () => {
    const told = tell({ isSoleWriter: true });
    told.exchange(patch('a'), { data: gate('a') });
    told.exchange(patch('a'), { data: gate('a', { tags: 'x' }) });
    expect(told.said()).toEqual([]);
  });

  test('a request whose like left the field alone before is less likely the cause than another', () => {
    const enabling = (param: string): ApiRequest => ({
      endpoint: 'enable-groups',
      param,
      body: { group_names: ['Control'] },
    });
    const told = tell({ isSoleWriter: true });
    for (const [id, hypothesis] of [
      ['a', 'as it was'],
      ['b', 'of the other'],
      ['a', ''],
    ] as const)
      told.exchange(enabling(id), { data: { id, hypothesis } });
    expect(told.said()).toEqual(['firm changed a hypothesis state.neighbours']);
  });

  test('a field that is known only while a write is under way may be what that makes of it', () => {
    const told = tell({ isSoleWriter: true });
    told.exchange(list, pages(source('a')));
    const write = told.begin(update('a', { sql: 'SELECT 1' }));
    told.exchange(list, pages(source('a', { tags: ['one'] })));
    told.answer(write, { data: source('a') });
    told.exchange(list, pages(source('a', { tags: ['two'] })));
    expect(told.said()).toEqual([]);
  });
});

describe('lists', () => {
  test('that were asked for with other parameters do not hold everything', () => {
    const told = tell();
    told.exchange(metric, { data: { id: 'made up by us::event_user', lineage: { events: ['click'], metrics: [] } } });
    const listed = { endpoint: 'list-event-metrics', param: 'click' } as const;
    told.exchange({ ...listed, query: { search: 'others' } }, pages());
    expect(told.said()).toEqual([]);
    told.exchange(listed, pages());
    expect(told.said()).toEqual(['firm missing made up by us::event_user state.metric-listed']);
  });

  test.each([
    ['others may have removed', {}, 'others'],
    ['nobody else can have removed', { isSoleWriter: true }, 'firm'],
  ])('that lack what they have shown before, which %s', (_who, options, excuses) => {
    const told = tell(options);
    const made = { id: 'made up by us::event_user', lineage: { events: ['click'], metrics: [] } };
    const listed = { endpoint: 'list-event-metrics', param: 'click' } as const;
    told.exchange(metric, { data: made });
    told.exchange(listed, pages(made));
    told.exchange(listed, pages());
    expect(told.said()).toEqual([`${excuses} missing made up by us::event_user state.metric-listed`]);
  });

  test.each([
    ['created before is listed', ['a', 'b'], ['a'], 'mark'],
    ['created after it alone is listed', ['a', 'b'], ['b'], undefined],
  ] as const)('that lack an entity are certain if one %s', (_what, created, shown, certainBy) => {
    const told = tell({ token: 'made up' });
    const made = (name: string) => ({ id: `made up ${name}::event_user`, lineage: { events: ['click'], metrics: [] } });
    for (const name of created)
      told.exchange({ ...metric, body: { name: `made up ${name}`, type: 'event_user' } }, { data: made(name) });
    told.exchange({ endpoint: 'list-event-metrics', param: 'click' }, pages(...shown.map(made)));
    expect(told.suspicions.map(one => [one.kind, one.certainBy])).toEqual([['missing', certainBy]]);
  });

  test('that show a name which an update must not give tell that once, and nothing else of it', () => {
    const told = tell();
    told.exchange(list, pages(source('a')));
    told.exchange(update('a', { name: 'renamed', description: 'made up by us' }), { data: source('a') });
    for (let times = 0; times < 2; times += 1)
      told.exchange(list, pages(source('renamed', { description: 'made up by us' })));
    expect(told.said()).toEqual(['firm present renamed state.qualifying-event-name-fixed']);
  });
});

test('a dry run that is refused breaks by its effect what a refusal does', () => {
  const told = tell({ isSoleWriter: true });
  told.exchange(list, pages(source('a')));
  told.exchange(update('a', { description: 'made up by us', dryRun: true }), { status: 400 });
  told.exchange(list, pages(source('a', { description: 'made up by us' })));
  expect(told.said()).toEqual(['firm trace a description reject.no-trace']);
});

test('environments that are sent by their names are those that have them', () => {
  const told = tell({ isSoleWriter: true });
  const set = (...environments: JsonObject[]) => ({ endpoint: 'update-environments', body: { environments } }) as const;
  const shown = (requiresReview: boolean) => [
    { id: 'e1', name: 'dev', requiresReview: false },
    { id: 'e2', name: 'prod', requiresReview },
  ];
  told.exchange(set({ name: 'dev' }), { data: { environments: shown(false) } });
  told.exchange(set({ name: 'prod', requiresReview: true }), { data: { environments: shown(true) } });
  told.exchange(set({ name: 'dev' }), { data: { environments: shown(true) } });
  expect(told.said()).toEqual([]);
  told.exchange(set({ name: 'dev' }), { data: { environments: shown(false) } });
  expect(told.said()).toEqual(['firm changed e2 requiresReview state.neighbours']);
});
