import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { type Exchange, hidden, redactions } from '../../contracts/report/evidence.ts';
import { isUnshowable } from './safe-text.ts';
import { curlLine } from './shell.ts';

const redacted = redactions.key;
const key = `it's "the" $KEY`;

/** Runs the line in a real shell whose `curl` prints its arguments and its input, and returns both. */
function runInShell(line: string): { args: string[]; input: Buffer } {
  const curl =
    'curl() { for a in "$@"; do printf "%s\\0" "$a"; done; printf "END OF ARGUMENTS"; case " $* " in *" @- "*) cat;; esac; }';
  const output = execFileSync('sh', ['-c', `${curl}\n${line}`], { env: { ...process.env, SERVICE_API_KEY: key } });
  const end = output.indexOf('\0END OF ARGUMENTS');
  return {
    args: output.subarray(0, end).toString().split('\0'),
    input: output.subarray(end + '\0END OF ARGUMENTS'.length),
  };
}

const valuesOf = (args: readonly string[], flag: string) => args.filter((_, index) => args[index - 1] === flag);

function exchange(
  request: Partial<Exchange['request']> & { text?: string; bytes?: number; truncated?: boolean },
): Exchange {
  const { text, bytes, truncated = false, ...rest } = request;
  return {
    id: 'patch-gate/accept#1',
    request: {
      method: 'PATCH',
      url: 'http://127.0.0.1:4010/console/v1/gates/a_gate',
      headers: [{ name: 'SERVICE-API-KEY', value: redacted }],
      ...rest,
      ...(text === undefined ? {} : { body: { text, bytes: bytes ?? Buffer.byteLength(text), truncated } }),
    },
    durationMs: 1,
  };
}

// biome-ignore format: a table
const hostile: readonly [what: string, text: string][] = [
  ['nothing',             ''],
  ['JSON',                '{"description":"plain words"}'],
  ['quotes',              `{"a":"it's \\"quoted\\""} ''' "`],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell that must not expand it
  ['expansions',          '$HOME ${HOME} $(touch /tmp/owned) `id` !! \\n \\\\ ~ * ? [a-z] {a,b}'],
  ['operators',           '; rm -rf / & | > < # ( ) && ||'],
  ['a file name',         '@/etc/passwd'],
  ['an option',           '--output=/tmp/owned'],
  ['a dash and a NUL',    '-n\u0000x'],
  ['printf directives',   '%s %d %% %n \\101 \\c after\u0001'],
  ['NUL in the middle',   '{"name":"a\u0000b"}'],
  ['line ends at the end','{\r\n"a": 1}\n\n'],
  ['an escape sequence',  '\u001b[31mred\u001b]0;title\u0007'],
  ['a direction override','{"name":"a\u202eb\u2066c"}'],
  ['letters and emoji',   'Größe 値 🎉 e\u0301'],
  ['letters that look alike', 'n\u0430me\u212a %s \u0430 Größe'],
  ['an odd blank',        'a\u00a0b \u0456\u200b'],
  ['quotes and controls', `it's 100% \\ 'x' \u0007 "y" $HOME \`id\``],
];

describe('curl line', () => {
  test.each(hostile)('a body of %s comes out of a real shell as it was', (_what, text) => {
    const line = curlLine(exchange({ text }));
    expect(isUnshowable(line)).toBe(false);
    const { args, input } = runInShell(line);
    const raw = valuesOf(args, '--data-raw');
    if (raw.length > 0) expect(raw).toEqual([text]);
    else {
      expect(valuesOf(args, '--data-binary')).toEqual(['@-']);
      expect(input.toString()).toBe(text);
    }
    expect(args.at(-1)).toBe('http://127.0.0.1:4010/console/v1/gates/a_gate');
  });

  test.each(hostile.filter(([, text]) => !/[\0\n]/.test(text)))('%s in a URL and a header too', (_what, text) => {
    const url = `http://127.0.0.1/console/v1/gates/${text}`;
    const { args } = runInShell(
      curlLine(exchange({ method: 'GET', url, headers: [{ name: 'X-Odd', value: `v${text}` }] })),
    );
    expect(args.at(-1)).toBe(url);
    expect(valuesOf(args, '-H')).toEqual([`X-Odd: v${text}`]);
    expect(args).toContain('--path-as-is');
    expect(args.includes('--globoff')).toBe(/[[\]{}]/.test(url));
  });

  test('the key is read from the environment, wherever it stood', () => {
    const request = exchange({
      url: `http://127.0.0.1/console/v1/gates?SERVICE-API-KEY=${redacted}`,
      headers: [
        { name: 'SERVICE-API-KEY', value: redacted },
        { name: 'Authorization', value: `Bearer ${redacted}` },
        { name: 'X-Near-Miss', value: `${redacted}x` },
        { name: 'X-Odd', value: `\u202e${redacted}` },
      ],
      text: `{"SERVICE-API-KEY":"${redacted}"}`,
    });
    const line = curlLine(request);
    expect(line).not.toContain(redacted);
    const { args } = runInShell(line);
    expect(valuesOf(args, '-H').slice(0, 4)).toEqual([
      `SERVICE-API-KEY: ${key}`,
      `Authorization: Bearer ${key}`,
      `X-Near-Miss: ${key}x`,
      `X-Odd: \u202e${key}`,
    ]);
    expect(valuesOf(args, '--data-raw')).toEqual([`{"SERVICE-API-KEY":"${key}"}`]);
    expect(args.at(-1)).toBe(`http://127.0.0.1/console/v1/gates?SERVICE-API-KEY=${key}`);
    const piped = runInShell(curlLine(exchange({ text: `\u0000${redacted}%` })));
    expect(piped.input.toString()).toBe(`\u0000${key}%`);
  });

  // biome-ignore format: a table
  const nearMisses: readonly [name: keyof typeof redactions, made: string][] = [
    ['key',       'Key-a1B2c9'],
    ['longer',    'Key-a1B2c9x'],
    ['otherCase', 'kEY-A1b2C9'],
    ['sameShape', 'Xrl-n6O7p4'],
    ['butLast',   'Key-a1B2c'],
    ['firstHalf', 'Key-a'],
    ['inside',        'Key-a`B2c9'],
    ['lastChanged',   'Key-a1qa4h'],
    ['firstPartCase', 'kEY-a1B2c9'],
    ['lastPartCase',  'Key-A1b2C9'],
    ['butLastPart',   'Key'],
    ['longerBefore',  'xKey-a1B2c9'],
    ['joinedParts',   'Keya1B2c9'],
    ['basic',         'S2V5LWExQjJjOTo='],
  ];
  test.each(nearMisses)('what is redacted as %s is made again from the key', (name, made) => {
    const headers = [{ name: 'SERVICE-API-KEY', value: redactions[name] }];
    const env = { ...process.env, SERVICE_API_KEY: 'Key-a1B2c9' };
    for (const text of [redactions[name], `\u0007${redactions[name]}`]) {
      const line = curlLine(exchange({ headers, text }));
      expect(line).not.toContain('«');
      const output = execFileSync('sh', ['-c', `curl() { printf '%s\n' "$@"; cat; }\n${line}`], { env, input: '' });
      expect(output.toString()).toContain(`SERVICE-API-KEY: ${made}\n`);
      expect(output.toString().split('\n')).toContain(text.startsWith('\u0007') ? `\u0007${made}` : made);
    }
  });

  test.each(nearMisses)('what is redacted as %s has nothing that an interactive shell expands', name => {
    for (const value of [redactions[name], `\u202ea!b${redactions[name]}`])
      expect(curlLine(exchange({ headers: [{ name: 'SERVICE-API-KEY', value }] }))).not.toContain('!');
  });

  test('a request without the key gets none, and an empty one stays empty', () => {
    expect(curlLine(exchange({ headers: [] }))).not.toContain('SERVICE_API_KEY');
    const { args } = runInShell(
      curlLine(exchange({ method: 'GET', headers: [{ name: 'SERVICE-API-KEY', value: '' }] })),
    );
    expect(valuesOf(args, '-H')).toEqual(['SERVICE-API-KEY;']);
  });

  test('sends the content type it had, or none', () => {
    const types = (headers: { name: string; value: string }[]) =>
      valuesOf(runInShell(curlLine(exchange({ headers, text: '{}' }))).args, '-H');
    expect(types([{ name: 'content-type', value: 'text/plain' }])).toEqual(['content-type: text/plain']);
    expect(types([])).toEqual(['Content-Type:']);
  });

  test('leaves out what belongs to the connection', () => {
    const headers = ['Host', 'Content-Length', 'Connection', 'User-Agent'].map(name => ({ name, value: '1' }));
    expect(valuesOf(runInShell(curlLine(exchange({ method: 'GET', headers }))).args, '-H')).toEqual([]);
  });

  test('a body that was sent in pieces is sent so again', () => {
    const headers = [{ name: 'transfer-encoding', value: 'chunked' }];
    expect(valuesOf(runInShell(curlLine(exchange({ headers }))).args, '-H')).toEqual(['transfer-encoding: chunked']);
  });

  test('HEAD is asked for in the way that does not wait for a body', () => {
    const { args } = runInShell(curlLine(exchange({ method: 'HEAD' })));
    expect(args).toContain('--head');
    expect(args).not.toContain('-X');
  });

  test('says when the evidence does not hold the whole body, and does not send a part of it', () => {
    const line = curlLine(exchange({ text: '{"description":"aaa', bytes: 70_000, truncated: true }));
    expect(line).toContain('70000 bytes');
    const { args } = runInShell(line);
    expect(valuesOf(args, '--data-binary')).toEqual(['@body.json']);
    expect(args.join(' ')).not.toContain('aaa');
  });

  test('says when the body had bytes that are no text', () => {
    const line = curlLine(exchange({ text: '{"a":"\ufffd"}', bytes: 8 }));
    expect(line).toMatch(/^# The body sent had 8 bytes that are not all valid UTF-8/);
    expect(runInShell(line).args.at(-1)).toContain('/gates/a_gate');
  });
});

test.each([
  ['PUT', []],
  ['POST', []],
  ['PUT', [{ name: 'transfer-encoding', value: 'chunked' }]],
  ['GET', []],
  ['PURGE', []],
])('a %s without a body says that it has none, where a run does: %j', (method, more) => {
  const { request } = exchange({ method });
  const { args } = runInShell(
    curlLine({ ...exchange({}), request: { ...request, headers: [...request.headers, ...more] } }),
  );
  expect(valuesOf(args, '-H').includes('Content-Length: 0')).toBe(
    ['PUT', 'POST'].includes(method) && more.length === 0,
  );
});

test('the value of a header that the report hides is read from a variable with its name', () => {
  const headers = [
    { name: 'x-tenant', value: hidden.header },
    { name: 'x y', value: hidden.header },
  ];
  const { args } = runInShell(`HEADER_X_TENANT='a "$b'; ${curlLine(exchange({ method: 'GET', headers }))}`);
  expect(valuesOf(args, '-H')).toEqual(['x-tenant: a "$b', `x y: ${hidden.header}`]);
});
