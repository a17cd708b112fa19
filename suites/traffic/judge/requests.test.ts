import { expect, test } from 'vitest';
import {
  bytesOf,
  type GivenExchange,
  gateUpdated as gate,
  judgedInTurn as judged,
} from '../../proof/testing/exchanges.ts';

const patch = (more: GivenExchange): GivenExchange => ({
  method: 'PATCH',
  target: '/console/v1/gates/gate_a',
  answer: gate(),
  ...more,
});
const key = 'Very-Secret-Key-0123';
const keyed = (target: string): GivenExchange => ({ target, status: 404, answer: { message: 'Nothing is here.' } });

// biome-ignore format: a table
test.each<readonly [path: string, withKey: string, without: string]>([
  ['/console//v1/segments',           'client.path', 'client.path'],
  ['//console/v1/segments',           'client.path', 'client.path'],
  ['/./console/v1/./segments',        'client.path', 'client.path'],
  ['/%63onsole/v1/segments',          'client.path', 'client.path'],
  ['/console/V2/segments',            'client.path', 'client.path'],
  ['/v1/segments',                    'client.path', 'outside'],
  ['/api/console/gates/a/disable',    'client.path', 'outside'],
  ['/metrics',                        'client.path', 'outside'],
  ['/',                               'outside',     'outside'],
  ['/health',                         'outside',     'outside'],
  ['/v1/log_event',                   'outside',     'outside'],
  ['/console',                        'outside',     'outside'],
])('a request to %s is %s with the key, and %s without it', (target, withKey, without) => {
  const said = (one: GivenExchange): string => {
    const { found, report } = judged([one]);
    if (report.traffic?.outside.length === 1) return 'outside';
    return found.find(text => text.endsWith(' path'))?.split(' ')[1] ?? '';
  };
  expect(said(keyed(target))).toBe(withKey);
  expect(said({ ...keyed(target), headers: { 'SERVICE-API-KEY': null } })).toBe(without);
});

// biome-ignore format: a table
test.each<readonly [what: string, request: GivenExchange, found: readonly string[]]>([
  ['in a text of the query',            { target: `/console/v1/segments?auth=Bearer%20${key}` },               ['client.key-not-in-query query auth']],
  ['as the name of a parameter',        { target: `/console/v1/segments?${key}` },                             ['client.key-not-in-query query']],
  ['in the path',                       { target: `/console/v1/events/${key}` },                               ['client.key-not-in-query path']],
  ['deep in the body',                  patch({ body: { auth: { list: [key] } } }),                            ['client.key-not-in-body /auth/list/0']],
  ['in a text of the body',             patch({ body: { auth: `Bearer ${key}` } }),                            ['client.key-not-in-body /auth']],
  ['in a body that is no JSON',         patch({ raw: `key=${key}`, status: 400, answer: { message: 'No.' } }), ['client.body-json body', 'client.key-not-in-body body']],
  ['in a documented text, as a value',  patch({ body: { description: key }, answer: gate({ description: key }) }), ['client.key-not-in-body /description']],
  ['as the name of a deep member',      patch({ body: { auth: { [key]: 1 } } }),                         ['client.key-not-in-body /auth']],
  ['in another header',                 { headers: { Authorization: `Bearer ${key}` } },                       ['client.key-in-one-header header authorization']],
])('a key %s is found, and never told', (_what, request, expected) => {
  const { found, events } = judged([{ ...request, headers: { ...request.headers, 'SERVICE-API-KEY': key } }]);
  expect(found.filter(one => one.startsWith('client ')).map(one => one.slice(7)).sort()).toEqual([...expected].sort());
  expect(JSON.stringify(events)).not.toContain(key);
});

test('the headers of a list may be asked for, and those of a change may not', () => {
  const head = (target: string): GivenExchange => ({ method: 'HEAD', target, status: 200, answer: '' });
  expect(judged([head('/console/v1/segments')]).found).toEqual([]);
  expect(judged([head('/console/v1/gates/gate_a')]).found).toContain('client client.method method');
});

// biome-ignore format: a table
test.each<readonly [what: string, request: GivenExchange]>([
  ['a part of a longer text',  { target: '/console/v1/segments?for=testing' }],
  ['a word of the query',      { target: '/console/v1/segments?env=test' }],
  ['an id in the path',        { target: '/console/v1/events/test' }],
  ['the value of a header',    { headers: { 'X-Env': 'test' } }],
  ['a text of the body',       patch({ body: { description: 'test' }, answer: gate({ description: 'test' }) })],
  ['an undocumented member',   patch({ body: { env: 'test' } })],
])('a short key that is %s may be any word, and is no key there', (_what, request) => {
  const headers = { ...request.headers, 'SERVICE-API-KEY': 'test' };
  expect(judged([{ ...request, headers }]).found).not.toContainEqual(expect.stringContaining('client.key'));
});

test('what is named as a credential is not told, though nobody knows that it is the key', () => {
  const headers = { 'SERVICE-API-KEY': null, 'X-Service-Token': key, 'Statsig-Api-Key': `${key}-a` };
  const target = `/console/v1/gates/gate_a?refresh_token=${key}-b&access_token=${key}-c`;
  const { events } = judged([
    patch({
      target,
      headers,
      body: { name: 'ab', token: `${key}-d` },
      status: 401,
      answer: { message: `No, ${key}-d` },
    }),
  ]);
  expect(JSON.stringify(events)).not.toContain(key);
});

test('what is named as a secret deep in a body is in no evidence, nor in what repeats it', () => {
  const secret = 'hunter2-Zq7w';
  const body = { name: 'ab', note: { deep: [{ password: secret }], text: `a=b&access_token=${secret}` } };
  const elsewhere: GivenExchange = { target: '/login', method: 'POST', body: { token: `${secret}-b` }, answer: {} };
  const repeated = patch({ body: { name: 'ab' }, status: 400, answer: { message: `No, ${secret} and ${secret}-b` } });
  const { events, found } = judged([elsewhere, patch({ body, answer: gate({}) }), repeated]);
  expect(found).toContain('client client.body-constraint /name');
  expect(JSON.stringify(events)).not.toContain('hunter2');
});

// biome-ignore format: a table
test.each<readonly [what: string, secret: unknown]>([
  ['short',                   'hunt2'],
  ['a number',                48_151_623],
  ['in an object',            { first: 'hunt2' }],
  ['in a list',               ['hunt2', 48_151_623]],
  ['in a text that is JSON',  '{"password":"hunt2"}'],
])('a secret that is %s is in no finding either: not in its words, its data, its case and its steps', (_what, secret) => {
  const rules = (more: object) => [{ name: 'all', passPercentage: 100, returnValue: { password: secret, ...more } }];
  const sent = { rules: rules({ count: 1 }) };
  const { events, found } = judged([
    patch({ body: sent, answer: gate(sent) }),
    patch({ body: sent, answer: gate({ rules: rules({ count: 2 }) }) }),
    patch({ body: { tags: ['a'] }, answer: gate({ tags: ['a'], rules: [{ ...rules({})[0], returnValue: { password: 'another' } }] }) }),
    patch({ body: { description: { password: secret } }, answer: gate({ description: { password: secret } }) }),
  ], { soleWriter: true });
  expect(found).toContain('client client.body-type /description');
  expect(found.filter(one => one.startsWith('server echo.'))).not.toEqual([]);
  expect(found.filter(one => one.startsWith('server state.'))).not.toEqual([]);
  const text = JSON.stringify(events);
  expect(text.match(/.{40}(?:hunt2|48151623)/g)).toBeNull();
  expect(text.includes('redacted')).toBe(true);
});

// biome-ignore format: a table
test.each<readonly [what: string, raw: string, level: string]>([
  ['begins with a byte order mark', '\uFEFF{"description":"a"}',                    'MUST'],
  ['names a member twice',          '{"description":"a","description":"b"}',        'SHOULD'],
  ['names one twice further in',    '{"reviewSettings":{"requiredReview":true,"requiredReview":false}}', 'SHOULD'],
])('of a body that %s a server makes what it likes, and its client is told', (_what, raw, level) => {
  for (const answer of [gate({ description: 'a' }), gate({ description: 'b' })]) {
    const { found, report } = judged([patch({ raw, answer })], { soleWriter: true });
    expect(found).toEqual(['client client.body-json body']);
    expect(report.endpoints.flatMap(({ checks }) => checks.flatMap(one => one.findings))[0]?.level).toBe(level);
  }
});

test('the same name in other objects, and colons in texts, are no name twice', () => {
  const body = { description: 'a": "b', rules: [{ name: 'a' }, { name: 'a' }], tags: ['description:', '"x":'] };
  expect(judged([patch({ body, answer: gate(body) })]).found).toEqual([]);
});

test('long texts, and texts of quotes and slashes, are read to their end', () => {
  for (const description of ['x'.repeat(1_000_000), '\\"'.repeat(50_000), '\\\\'.repeat(100_000)]) {
    const one = patch({ body: { note: description }, status: 400, answer: { message: 'No.' } });
    expect(judged([one]).report.outcome).toBe('complete');
  }
});

test('a body that holds more than is read is nobody’s breach', () => {
  const deep = `{"rules":${'['.repeat(2_000)}${']'.repeat(2_000)}}`;
  const full = `{"rules":[${'0,'.repeat(150_000)}0]}`;
  for (const raw of [deep, full])
    expect(judged([patch({ requestBody: bytesOf(raw) })], { soleWriter: true }).found).toEqual([]);
});

// biome-ignore format: a table
test.each<readonly [what: string, raw: string, description: string]>([
  ['a surrogate without its other half',  '{"description":"a\\ud800b"}',   'a\uFFFDb'],
  ['the other half alone',                '{"description":"a\\uDC00b"}',   'a\uFFFDb'],
  ['NUL',                                 '{"description":"a\\u0000b"}',   'ab'],
  ['a number that is too large for any',  '{"description":"a","n":1e400}', 'b'],
])('%s is stored as the server likes', (_what, raw, description) => {
  const exchanges = [patch({ raw, answer: gate({ description }) }), patch({ body: {}, answer: gate({ description }) })];
  expect(judged(exchanges, { soleWriter: true }).found).toEqual([]);
});

test('a pair of surrogates is one character, which comes back', () => {
  const raw = '{"description":"\\ud83c\\udf89"}';
  expect(judged([patch({ raw, answer: gate({ description: '🎉' }) })]).found).toEqual([]);
  expect(judged([patch({ raw, answer: gate({ description: '?' }) })]).found).toEqual([
    'server echo.unicode /data/description',
  ]);
});

test('a part of an answer that was asked for is not judged', () => {
  const part = { headers: { range: 'bytes=0-5' }, status: 206, answerText: '{"mess' };
  const { found, report } = judged([part]);
  expect({ found, because: report.traffic?.notJudged[0]?.because }).toEqual({
    found: [],
    because: 'a part of an answer, as it was asked for (Range)',
  });
});

// biome-ignore format: a table
test.each<readonly [what: string, exchange: GivenExchange, isFound: boolean]>([
  ['that is answered as the operation is',        patch({ answer: gate() }),                                             true],
  ['that is refused',                             patch({ status: 401, answer: { message: 'No.' } }),                    false],
  ['that is answered with a page for anything',   patch({ answerText: '<html>', answerHeaders: [['content-type', 'text/html']] }), false],
  ['that is answered in a shape of its own',      patch({ answer: { data: [] } }),                                       false],
  ['that has its key',                            patch({ answer: gate(), headers: { 'SERVICE-API-KEY': key } }),        false],
])('a request without a key at another spelling of a path %s is put on the server as the table says', (_what, one, isFound) => {
  for (const target of ['/console/v1/gates/gate_a/', '//console/v1/gates/gate_a', '/CONSOLE/V1/GATES/GATE_A', '/console/v1/g%61tes/gate_a']) {
    const { found } = judged([{ headers: { 'SERVICE-API-KEY': null }, ...one, body: {}, target }]);
    expect(found.filter(text => text.startsWith('server '))).toEqual(isFound ? ['server auth.other-path status'] : []);
  }
});
