import { connect } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ScriptedAnswer, WireFailure } from '../../contracts/behaviour.ts';
import { started } from '../proof/testing/started.ts';

const waits: number[] = [];
const { server, url, call } = await started({ wait: async milliseconds => void waits.push(milliseconds) });
const { behaviours, state, requests } = server.control;
beforeEach(async () => {
  await server.control.reset();
  waits.length = 0;
});

const script = (...then: ('real' | ScriptedAnswer)[]) =>
  behaviours.add({ id: 's', match: { operation: 'patch-gate' }, then });
const port = Number(new URL(url).port);

/** Returns the raw bytes of a patch request. */
const patch = (description: string, more = ''): string => {
  const body = JSON.stringify({ description });
  return `PATCH /console/v1/gates/dark_mode HTTP/1.1\r\nHost: x\r\nSERVICE-API-KEY: reference-key\r\nContent-Type: application/json\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`;
};

/** Sends raw bytes on a connection. Returns what came until it ended or `enough` was true. */
const talk = (sent: string, enough: (text: string) => boolean = () => false) =>
  new Promise<{ text: string; bytes: Buffer; how: string }>(resolve => {
    const chunks: Buffer[] = [];
    let how = 'open';
    const socket = connect(port, '127.0.0.1', () => socket.write(sent));
    const end = (): void => {
      const bytes = Buffer.concat(chunks);
      resolve({ text: bytes.toString('latin1'), bytes, how });
    };
    socket.on('data', chunk => {
      chunks.push(chunk);
      if (!enough(Buffer.concat(chunks).toString('latin1'))) return;
      end();
      socket.destroy();
    });
    socket.on('end', () => {
      how = 'closed';
      socket.end();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      how = error.code ?? '';
    });
    socket.on('close', end);
  });

const parts = ({ text, bytes }: { text: string; bytes: Buffer }) => {
  const at = text.indexOf('\r\n\r\n');
  const head = text.slice(0, at);
  return { head, body: bytes.subarray(at + 4), length: Number(/content-length: (\d+)/i.exec(head)?.[1]) };
};
const description = async () => (await state.get('gates', 'dark_mode')).description;
const answer = { status: 200, body: { data: 'ünïcödé' } };
const whole = Buffer.from('{"data":"ünïcödé"}');

describe('a failure on the wire', () => {
  it.each<[WireFailure, string, RegExp]>([
    ['reset', 'ECONNRESET', /^$/],
    ['close', 'closed', /^$/],
    ['close-in-head', 'closed', /^HTTP\/1\.1 200 [^\n]*\r\nContent-Type: application\/js$/],
    ['garbage', 'closed', /^(?!HTTP)[\s\S]+no HTTP/],
  ])('%s leaves no status to see, in the log neither', async (wire, how, seen) => {
    await script({ ...answer, wire });
    const got = await talk(patch('x'));
    expect([got.how, seen.test(got.text)]).toEqual([how, true]);
    expect(requests.list().at(-1)).toMatchObject({ status: null, answeredBy: { behaviour: 's', left: 0 } });
    expect((await call('patch-gate', 'dark_mode', {})).status).toBe(200);
  });

  it('close-in-body and length-too-long promise more bytes than come', async () => {
    await script({ ...answer, wire: 'close-in-body' }, { ...answer, wire: 'length-too-long' });
    const [half, long] = [parts(await talk(patch('x'))), parts(await talk(patch('x')))];
    expect(half.length).toBe(whole.length);
    expect(whole.subarray(0, half.body.length)).toEqual(half.body);
    expect(half.body.length).toBeLessThan(whole.length);
    expect(long.body).toEqual(whole);
    expect(long.length).toBeGreaterThan(whole.length);
    expect(half.head).toContain('x-reference-behaviour: s');
  });

  it('length-too-short lets the rest of the body follow where the next answer is looked for', async () => {
    await script({ ...answer, wire: 'length-too-short' });
    const got = await talk(patch('a') + patch('b'), text => text.includes('HTTP/1.1 200 OK', 20));
    const { body, length } = parts(got);
    expect(body.subarray(0, whole.length)).toEqual(whole);
    expect(length).toBeLessThan(whole.length);
  });

  it('cut-utf8 ends within a character, and cut-gzip within what is packed', async () => {
    await script({ ...answer, wire: 'cut-utf8' }, { ...answer, wire: 'cut-gzip' });
    const enough = (text: string): boolean => {
      const { body, length } = parts({ text, bytes: Buffer.from(text, 'latin1') });
      return body.length >= length;
    };
    const [cut, packed] = [parts(await talk(patch('x'), enough)), parts(await talk(patch('x'), enough))];
    expect(cut.body.length).toBe(cut.length);
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(cut.body)).toThrow();
    expect(packed.head).toMatch(/content-encoding: gzip/i);
    expect(packed.body.length).toBe(packed.length);
    expect(() => gunzipSync(packed.body)).toThrow(/unexpected end/);
  });

  it('drips a body, so many bytes a second', async () => {
    await script({ status: 200, text: 'a'.repeat(50), bytesPerSecond: 100 });
    expect(parts(await talk(patch('x', 'Connection: close\r\n'))).body.toString()).toBe('a'.repeat(50));
    expect(waits).toEqual([100, 100, 100, 100, 100]);
  });

  it('early-answer comes while the request is still sent', async () => {
    await script({ status: 413, wire: 'early-answer' });
    const [head = ''] = patch('x').split('{');
    expect((await talk(head, text => text.includes('\r\n\r\n'))).text).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('dead-connection answers nothing more on that connection, and all on others', async () => {
    await script({ wire: 'dead-connection' });
    const since = requests.last();
    let second = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(patch('first')));
    socket.once('data', () => {
      socket.on('data', chunk => {
        second += chunk;
      });
      socket.write(patch('second'));
    });
    await requests.wait({ since });
    expect(await description()).toBe('first');
    expect((await call('patch-gate', 'dark_mode', { description: 'third' })).status).toBe(200);
    expect([await description(), second]).toEqual(['third', '']);
    socket.destroy();
  });

  it('no-continue keeps 100 Continue back, which others get', async () => {
    await script({ wire: 'no-continue' });
    const [head = '', body = ''] = patch('x', 'Expect: 100-continue\r\n').split('\r\n\r\n');
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1').on('data', chunk => {
      text += chunk;
    });
    socket.write(`${head}\r\n\r\n`);
    // The server decides when it reads the head, so a request on another connection comes second.
    await expect.poll(async () => (await behaviours.get('s')).left).toBe(0);
    expect((await talk(`${head}\r\n\r\n`, seen => seen.includes('\r\n\r\n'))).text).toBe(
      'HTTP/1.1 100 Continue\r\n\r\n',
    );
    expect(text).toBe('');
    socket.write(body);
    await expect.poll(() => text).toMatch(/^HTTP\/1\.1 200 OK/);
    socket.destroy();
  });

  it('stall never answers', async () => {
    await script({ wire: 'stall', effect: 'before' });
    const since = requests.last();
    const socket = connect(port, '127.0.0.1', () => socket.write(patch('stalled')));
    await requests.wait({ since, status: 'none' });
    expect([await description(), socket.bytesRead]).toEqual(['stalled', 0]);
    socket.destroy();
  });
});

describe('the effect of a step', () => {
  it.each([
    ['none', false],
    ['before', true],
    ['after', true],
  ] as const)('%s: the operation is carried out: %s', async (effect, isDone) => {
    const before = await description();
    await script({ status: 502, effect }, { wire: 'reset', effect });
    expect((await call('patch-gate', 'dark_mode', { description: 'a' })).status).toBe(502);
    await expect.poll(description).toBe(isDone ? 'a' : before);
    expect((await talk(patch('b'))).how).toBe('ECONNRESET');
    await expect.poll(description).toBe(isDone ? 'b' : before);
  });

  it('after: the client has its answer before the operation begins', async () => {
    let begun = (): void => undefined;
    const gate = new Promise<void>(resolve => {
      begun = resolve;
    });
    const slow = await started({
      decorate:
        (_id, handler) =>
        async (...given) =>
          gate.then(() => handler(...given)),
    });
    await slow.server.control.behaviours.add({ then: [{ status: 202, effect: 'after' }] });
    expect((await slow.call('patch-gate', 'dark_mode', { description: 'later' })).status).toBe(202);
    expect((await slow.server.control.state.get('gates', 'dark_mode')).description).not.toBe('later');
    begun();
    await expect
      .poll(async () => (await slow.server.control.state.get('gates', 'dark_mode')).description)
      .toBe('later');
  });
});

describe('an answer of its own', () => {
  it('is sent as it is written, of any operation and any status', async () => {
    const bytes = Buffer.from([0, 255, 1, 254]);
    await behaviours.add({
      id: 's',
      match: { operation: ['list-segments', 'patch-gate'] },
      then: [
        { status: 299, headers: { 'Content-Type': 'image/png', 'X-A': 'b' }, bytes: bytes.toString('base64') },
        { status: 204 },
        { status: 599, text: 'plain <text>', headers: { 'Content-Type': 'text/html' } },
        { status: 200, body: null },
        { status: 429, headers: { 'Retry-After': '1' } },
        'real',
      ],
    });
    const get = () => fetch(`${url}/console/v1/segments?limit=1`, { headers: { 'SERVICE-API-KEY': server.apiKey } });
    const first = await get();
    expect([first.status, first.headers.get('content-type'), first.headers.get('x-a')]).toEqual([
      299,
      'image/png',
      'b',
    ]);
    expect(Buffer.from(await first.arrayBuffer())).toEqual(bytes);
    expect(first.headers.get('x-reference-behaviour')).toBe('s');
    const second = await get();
    expect([second.status, await second.text()]).toEqual([204, '']);
    const third = await get();
    expect([third.status, third.headers.get('content-type'), await third.text()]).toEqual([
      599,
      'text/html',
      'plain <text>',
    ]);
    expect(await (await get()).json()).toBe(null);
    const fifth = await get();
    expect([fifth.status, fifth.headers.get('retry-after')]).toEqual([429, '1']);
    const [sixth, seventh] = [await get(), await get()];
    expect([sixth.status, seventh.headers.get('x-reference-behaviour')]).toEqual([200, null]);
    expect(requests.list({ limit: 2 }).map(({ answeredBy }) => answeredBy)).toEqual([
      { behaviour: 's', left: 0 },
      null,
    ]);
  });
});

describe('Prefer', () => {
  it('asks for an answer by its status where the server lets it, and spends nothing', async () => {
    const asking = { headers: { Prefer: 'respond-async, code=429', 'SERVICE-API-KEY': server.apiKey } };
    expect((await fetch(`${url}/console/v1/segments`, asking)).status).toBe(200);
    const open = await started({ prefer: true });
    await open.server.control.behaviours.add({ id: 'b', then: [{ status: 500 }] });
    const answered = await fetch(`${open.url}/console/v1/segments`, asking);
    expect([
      answered.status,
      answered.headers.get('preference-applied'),
      answered.headers.get('x-reference-behaviour'),
    ]).toEqual([429, 'code=429', 'prefer']);
    expect(await open.server.control.behaviours.get('b')).toMatchObject({ left: 1 });
    expect((await open.call('list-segments')).status).toBe(500);
  });
});
