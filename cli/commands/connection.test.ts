import { readFileSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createReferenceServer, referenceTarget } from '../../reference-server/index.ts';
import { createAuthority } from '../../suites/proof/testing/certificates.ts';
import { closedPort, httpDouble } from '../../suites/proof/testing/doubles.ts';
import { onLoopback } from '../../suites/proof/testing/loopback.ts';
import { proxyDouble } from '../../suites/proof/testing/proxy.ts';
import { conform, folder } from '../testing/command.fixture.ts';

const apiKey = 'the-key-of-these-tests';
const some = ['--only', 'list-segments', '--profile', 'quick'];
const authority = createAuthority();

type Decorate = NonNullable<NonNullable<Parameters<typeof createReferenceServer>[0]>['decorateListener']>;

async function served(decorateListener: Decorate = inner => inner, key = apiKey, port = 0) {
  const server = createReferenceServer({ apiKey: key, decorateListener });
  const { url } = await server.listen(port);
  onTestFinished(() => server.close());
  return url;
}

/** Starts the reference server behind TLS, reachable by its address or by a name that only a proxy resolves. */
async function servedOverTls(options: object = {}): Promise<URL> {
  let listener: RequestListener = () => {};
  await served(inner => {
    listener = inner;
    return inner;
  });
  const certificate = authority.issue({ names: ['api.test', '127.0.0.1'] });
  const double = await onLoopback(
    createServer({ ...certificate, ...options }, (...given) => listener(...given)),
    'https',
  );
  onTestFinished(double.close);
  return double.url;
}

function file(name: string, text: string): string {
  const path = join(folder(), name);
  writeFileSync(path, text);
  return path;
}

const everything = (out: string): string =>
  ['journal.ndjson', 'report.json', 'junit.xml'].map(name => readFileSync(join(out, name), 'utf8')).join('\n');

describe('--header', () => {
  const value = 'a-secret-of-the-gateway';
  /** A gateway that refuses requests without the header, and shows its value in the answers to the others. */
  const gateway: Decorate = inner => (request, response) => {
    if (request.headers['x-gateway'] === `Basic ${value}`) {
      response.setHeader('x-seen', String(request.headers['x-gateway']));
      inner(request, response);
    } else response.writeHead(403, { 'content-type': 'text/html' }).end('<h1>Forbidden');
  };

  test('goes with every request of a run, and its value is in no file and on no screen', async () => {
    const [out, url] = [folder(), await served(gateway)];
    const argv = ['run', '--base-url', url, ...some, '--out', out, '--header', 'X-Gateway: Basic $GATEWAY'];
    const ended = await conform(argv, { SERVICE_API_KEY: apiKey, GATEWAY: value });
    expect(ended).toMatchObject({ code: 0, err: '' });
    expect(everything(out) + ended.out).not.toContain(value);
  });

  test('may stand in the target file, and what the flag says comes first', async () => {
    const headers = [{ name: 'X-Gateway', value: '$WRONG' }];
    const config = file('c.json', JSON.stringify({ ...referenceTarget(), baseUrl: await served(gateway), headers }));
    const argv = ['doctor', '--config', config];
    const environment = { SERVICE_API_KEY: apiKey, WRONG: 'x' };
    expect((await conform(argv, environment)).out).toMatch(/problem +reachable +every answer is an HTML page/);
    const right = await conform([...argv, '--header', `x-gateway: Basic ${value}`], environment);
    expect(right).toMatchObject({ code: 0, err: '' });
  });

  test('init and restore take it too', async () => {
    const url = await served(gateway);
    const flags = ['--base-url', url, '--api-key', apiKey, '--header', `x-gateway: Basic ${value}`];
    const init = await conform(['init', ...flags, '--out', join(folder(), 'c.json')]);
    expect(init).toMatchObject({ code: 0, err: '' });
    const out = folder();
    await conform(['run', ...flags, ...some, '--out', out]);
    expect((await conform(['restore', join(out, 'journal.ndjson'), ...flags])).code).toBe(0);
  });
});

describe('TLS', () => {
  test('an authority that nobody knows is trusted with --ca, and without it the hint says so', async () => {
    const url = await servedOverTls();
    const argv = ['run', '--base-url', url.href, '--api-key', apiKey, ...some, '--out', folder()];
    const without = await conform(argv);
    expect(without.code).toBe(3);
    expect(without.out.replace(/\s+/g, ' ')).toMatch(/its certificate is not trusted .*NODE_EXTRA_CA_CERTS/);
    const ca = file('ca.pem', authority.cert);
    expect(await conform([...argv, '--ca', ca])).toMatchObject({ code: 0, err: '' });
  });

  test('a certificate of the client is shown with --client-cert, its key in the same file or another', async () => {
    const url = await servedOverTls({ ca: authority.cert, requestCert: true });
    const { cert, key } = authority.issue({ names: ['client.test'] });
    const ca = ['--ca', file('ca.pem', authority.cert)];
    const argv = ['doctor', '--base-url', url.href, '--api-key', apiKey, ...ca];
    expect((await conform(argv)).out).toMatch(/problem +reachable[^→]*--client-cert/);
    const both = await conform([...argv, '--client-cert', file('both.pem', cert + key)]);
    expect(both.out).toMatch(/ok +reachable/);
    const apart = ['--client-cert', file('cert.pem', cert), '--client-key', file('key.pem', key)];
    expect((await conform([...argv, ...apart])).out).toMatch(/ok +reachable/);
    const wrong = authority.issue().key;
    const ended = await conform([
      ...argv,
      '--client-cert',
      file('cert.pem', cert),
      '--client-key',
      file('key.pem', wrong),
    ]);
    expect(ended).toMatchObject({ code: 2, err: expect.stringMatching(/--client-key .*KEY_VALUES_MISMATCH/) });
  });
});

test('HTTPS_PROXY is honoured, its password is nowhere, and loopback is never asked of it', async () => {
  const via = await proxyDouble(await servedOverTls(), 'user:the-password');
  const proxy = `http://user:the-password@${via.url.host}`;
  const [out, ca] = [folder(), file('ca.pem', authority.cert)];
  const argv = ['run', '--base-url', 'https://api.test', '--api-key', apiKey, ...some, '--ca', ca, '--out', out];
  const ended = await conform(argv, { HTTPS_PROXY: proxy });
  expect(ended).toMatchObject({ code: 0, err: '' });
  expect(new Set(via.asked)).toEqual(new Set(['CONNECT api.test:443']));
  expect(everything(out) + ended.out).not.toContain('the-password');
  const before = via.asked.length;
  const here = ['run', '--base-url', await served(), '--api-key', apiKey, ...some, '--out', folder()];
  expect((await conform(here, { HTTP_PROXY: proxy, HTTPS_PROXY: proxy })).code).toBe(0);
  expect(via.asked).toHaveLength(before);
});

describe('--api-key-command', () => {
  test('is asked again when the key has run out, and no key is shown', async () => {
    const keys = ['short-lived-key-1', 'short-lived-key-2'];
    let requests = 0;
    // The first key is valid for five requests, then only the second one.
    const running: Decorate = inner => (request, response) => {
      const key = String(request.headers['service-api-key']);
      if (key === keys[requests < 5 ? 0 : 1]) {
        requests += 1;
        request.headers['service-api-key'] = apiKey;
      } else if (request.headers['service-api-key'] === apiKey) request.headers['service-api-key'] = 'x';
      inner(request, response);
    };
    const count = file('count', '');
    const command = `echo x >> ${count}; printf 'short-lived-key-%d\\n' $(wc -l < ${count})`;
    const [out, url] = [folder(), await served(running)];
    const ended = await conform(['run', '--base-url', url, '--api-key-command', command, ...some, '--out', out]);
    expect(ended).toMatchObject({ code: 0, err: '' });
    expect(readFileSync(count, 'utf8')).toBe('x\nx\n');
    for (const key of keys) expect(everything(out) + ended.out).not.toContain(key);
  });
});

describe('--wait', () => {
  test('waits for a target that is starting, and says so', async () => {
    const { port, href } = await closedPort();
    const argv = ['doctor', '--base-url', href, '--api-key', apiKey, '--wait', '10m'];
    // Start the server after the command has said that it waits.
    const started = vi.fn(() => served(undefined, apiKey, Number(port)));
    const write = process.stderr.write;
    const ending = conform(argv);
    const inner = process.stderr.write;
    process.stderr.write = ((text: string) => {
      if (text.startsWith('Waiting') && started.mock.calls.length === 0) void started();
      return inner.call(process.stderr, text);
    }) as typeof write;
    const ended = await ending;
    expect(ended.err).toBe(
      `Waiting up to 10m for ${href} (no connection (ECONNREFUSED)). Ctrl-C ends it.\n${href} answers.\n`,
    );
    expect(ended.out).toMatch(/ok +reachable/);
  });

  test('waits for a gateway whose server is starting', async () => {
    let refused = 0;
    const url = await served(inner => (request, response) => {
      refused += 1;
      if (refused <= 2) response.writeHead(503, { 'retry-after': '3600' }).end();
      else inner(request, response);
    });
    const ended = await conform([
      'run',
      '--base-url',
      url,
      '--api-key',
      apiKey,
      ...some,
      '--wait',
      '10m',
      '--out',
      folder(),
    ]);
    expect(ended).toMatchObject({ code: 0, err: expect.stringContaining('(status 503)') });
  });

  test('ends when the time is up, and what is the matter is told', async () => {
    const { href } = await closedPort();
    const argv = ['init', '--base-url', href, '--api-key', apiKey, '--wait', '1ms', '--out', join(folder(), 'c.json')];
    const ended = await conform(argv);
    expect(ended).toMatchObject({ code: 3, out: '' });
    expect(ended.err).toContain('no connection (ECONNREFUSED)');
  });

  test('does not wait for what time does not mend', async () => {
    const { url } = await httpDouble((_request, response) => response.writeHead(401).end());
    const ended = await conform(['doctor', '--base-url', url.href, '--api-key', apiKey, '--wait', '10m']);
    expect(ended).toMatchObject({ code: 3, err: '' });
  });
});

test('--max-response-time tells of slow answers, and judges nothing', async () => {
  const argv = ['run', ...some, '--out', folder(), '--max-response-time'];
  expect((await conform([...argv, '10m'])).out).not.toContain('took longer');
  const slow = await conform([...argv, '0.0001ms']);
  expect(slow.code).toBe(0);
  // The slowest of the first requests depends on the machine.
  expect(slow.out.replace(/\s+/g, ' ')).toMatch(
    /! (\d+) of \1 answers took longer than 0\.0001 ms; the slowest, of (list-segments|list-qualifying-events|patch-gate), \d+ ms \((preflight|list-segments)\b/,
  );
});
