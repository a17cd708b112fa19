import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { request } from 'undici';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createReferenceServer } from '../../reference-server/index.ts';
import { createAuthority } from '../../suites/proof/testing/certificates.ts';
import { closedPort } from '../../suites/proof/testing/doubles.ts';
import { onLoopback } from '../../suites/proof/testing/loopback.ts';
import { conform, folder } from '../testing/command.fixture.ts';

const server = createReferenceServer({ sandboxes: true });
const { url } = await server.listen();
afterAll(server.close);
beforeEach(() => server.control.reset(['state', 'behaviours', 'clock', 'requests', 'snapshots']));

const ctl = (...argv: readonly string[]) => conform(['ctl', ...argv, '--url', url]);
const printed = async (...argv: readonly string[]) => {
  const { code, out, err } = await ctl(...argv);
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out);
};
const patch = async (key = 'reference-key', body: object = {}) => {
  const answer = await request(`${url}/console/v1/gates/dark_mode`, {
    method: 'PATCH',
    headers: { 'SERVICE-API-KEY': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await answer.body.dump();
  return answer.statusCode;
};

describe('ctl', () => {
  test('reads and changes the state', async () => {
    const gate = await printed('state', 'gates', 'dark_mode');
    expect(await printed('patch', 'gates', 'dark_mode', '{"isEnabled":false}')).toEqual({ ...gate, isEnabled: false });
    const file = join(folder(), 'gate.json');
    writeFileSync(file, JSON.stringify({ ...gate, id: 'made' }));
    await printed('put', 'gates', 'made', `@${file}`);
    expect((await printed('state', 'gates')).entities.at(-1).id).toBe('made');
    expect(await printed('rm', 'gates', 'made')).toEqual({ status: 'removed' });
    expect(await ctl('state', 'gates', 'made')).toMatchObject({
      code: 2,
      err: 'conform: status 404: Gate not found.\n',
    });
    expect(await ctl('patch', 'gates', 'dark_mode', '{"isEnabled":1}')).toMatchObject({
      code: 2,
      err: 'conform: status 400: This is no entity of gates.: /isEnabled must be true or false\n',
    });
  });

  test('keeps snapshots, goes back to them and carries them elsewhere', async () => {
    await printed('patch', 'gates', 'dark_mode', '{"description":"a\\u200bb"}');
    await printed('snapshots', 'save', 'one');
    await printed('reset');
    const file = join(folder(), 'one.json');
    writeFileSync(file, (await ctl('snapshots', 'export', 'one')).out);
    await printed('snapshots', 'import', 'two', `@${file}`);
    await printed('snapshots', 'load', 'two');
    expect((await server.control.state.get('gates', 'dark_mode')).description).toBe('a\u200bb');
    await printed('snapshots', 'rm', 'one');
    expect((await printed('snapshots')).snapshots).toMatchObject([{ name: 'two' }]);
  });

  test('scripts what requests meet in turn, and explains it', async () => {
    const steps = ['--then', '500', '--then', '429 Retry-After: 1', '--then', 'real'];
    expect(await printed('behave', '--operation', 'patch-gate', '--id', 'turns', ...steps)).toMatchObject({
      then: [{ status: 500 }, { status: 429, headers: { 'Retry-After': '1' } }, 'real'],
      left: 3,
    });
    const asked = ['behave', '--explain', 'PATCH /console/v1/gates/dark_mode', '--header', 'X: y', '{}'];
    expect(await printed(...asked)).toMatchObject({ behaviours: [{ id: 'turns', meets: true, answers: true }] });
    expect([await patch(), await patch(), await patch(), await patch()]).toEqual([500, 429, 200, 200]);
    expect(await printed(...asked)).toMatchObject({ behaviours: [{ meets: false, why: 'it is spent' }] });
    expect(await ctl('behave', '--then', 'rael')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^conform: --then "rael" is no step; there are a status, real[^\n]+\n$/),
    });
    expect(await ctl('behave', '--explain', 'gates')).toMatchObject({ code: 2 });
  });

  test('makes requests fail, as many as it is told, and switches that off', async () => {
    const behaviour = ['--operation', 'patch-gate', '--status', '503', '--message', 'Soon.', '--id', 'down'];
    expect(await printed('behave', ...behaviour, '--next', '1')).toMatchObject({
      operations: ['patch-gate'],
      error: { status: 503, message: 'Soon.' },
      left: 1,
    });
    expect([await patch(), await patch()]).toEqual([503, 200]);
    await printed('behave', ...behaviour);
    await printed('behave', '--off', 'down');
    expect(await patch()).toBe(200);
    await printed('behave', '--on', 'down');
    expect(await patch()).toBe(503);
    await printed('behave', '--clear');
    expect(await printed('behave')).toEqual({ behaviours: [] });
    expect(await printed('behave', '{"latency":{"ms":0}}', '--share', '0.5', '--rate', '9/1')).toMatchObject({
      latency: { ms: 0 },
      share: 0.5,
      rateLimit: { requests: 9, seconds: 1 },
    });
    expect(await ctl('behave', '--fault', 'none')).toMatchObject({
      code: 2,
      err: expect.stringContaining('/fault names no fault'),
    });
  });

  test('sets the clock', async () => {
    expect(await printed('clock', 'set', '2026-01-31T12:00:00Z')).toMatchObject({ stopped: false });
    await printed('clock', 'stop');
    const { time } = await printed('clock');
    expect(await printed('clock', 'advance', '2h')).toEqual({ time: time + 7_200_000, stopped: true });
    expect((await ctl('clock', 'set', 'noon')).err).toContain('noon is no time');
  });

  test('shows requests, of a sandbox too, and why they were refused', async () => {
    await patch('sandbox_1', { description: 7 });
    await patch('sandbox_1');
    const { out } = await ctl('requests', '--api-key', 'sandbox_1', '--status', '4xx');
    expect(out).toMatch(
      /^ +1 {2}PATCH {3}\/console\/v1\/gates\/dark_mode {2}400 {2}[\d.]+ ms {2}description must be a string\n$/,
    );
    const waited = await printed('requests', '--api-key', 'sandbox_1', '--wait', '1', '--since', '1', '--json');
    expect(waited).toMatchObject({ complete: true, requests: [{ number: 2 }] });
    const { name } = (await printed('sandboxes')).sandboxes[1];
    expect((await printed('requests', '--world', name, '--json')).requests).toHaveLength(2);
    await printed('sandboxes', 'rm', name);
    const made = await printed('sandboxes', 'make');
    expect(await patch(made.apiKey)).toBe(200);
  });

  test('says in one line that nobody answers, and that something else does', async () => {
    const closed = (await closedPort()).href;
    expect(await conform(['ctl', 'state', '--url', closed])).toMatchObject({
      code: 3,
      out: '',
      err: expect.stringMatching(/^conform: no answer from \S+ \(ECONNREFUSED\); start it with [^\n]+\n$/),
    });
    expect(await conform(['ctl', 'state', '--url', 'here'])).toMatchObject({ code: 2 });
    for (const name of ['..', '.', ''])
      expect(await conform(['ctl', 'snapshots', 'save', name, '--url', closed])).toMatchObject({
        code: 2,
        err: `conform: "${name}" is no name that a URL can carry\n`,
      });
  });

  test.each([301, 302, 303, 307, 308])('takes no key to where status %i leads', async status => {
    const heard: unknown[] = [];
    const elsewhere = await onLoopback(
      createServer((asked, answer) => {
        heard.push(asked.headers);
        answer.end('{"entities":[]}');
      }),
    );
    const moved = await onLoopback(
      createServer((_asked, answer) => void answer.writeHead(status, { location: elsewhere.url.href }).end()),
    );
    for (const words of [['state'], ['reset'], ['requests', '--follow']])
      expect(await conform(['ctl', ...words, '--url', moved.url.href, '--control-key', 'the-control-key'])).toEqual({
        code: 2,
        out: '',
        err: `conform: ${moved.url.origin} sends elsewhere (status ${status}), where no key goes; name the server itself with --url\n`,
      });
    expect(heard).toEqual([]);
    await Promise.all([moved.close(), elsewhere.close()]);
  });

  test('says in one line that it is the certificate which it does not trust', async () => {
    const secure = createReferenceServer({ tls: createAuthority().issue() });
    const { url: at } = await secure.listen();
    expect(await conform(['ctl', 'state', '--url', at])).toMatchObject({
      code: 3,
      err: expect.stringMatching(
        /^conform: no answer from \S+ \(\w+\); its certificate is not trusted here; NODE_EXTRA[^\n]+\n$/,
      ),
    });
    await secure.close();
  });
});
