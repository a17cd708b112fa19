import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { curlCommand, redacted, type Sent, shellWord } from './curl.ts';

const sent = (change: Partial<Sent> = {}): Sent => ({
  method: 'PATCH',
  url: '/console/v1/gates/a',
  headers: { Host: 'localhost', 'SERVICE-API-KEY': redacted, 'Content-Type': 'application/json' },
  body: '{"description":"it\'s"}',
  ...change,
});
const command = (change?: Partial<Sent>) => curlCommand(sent(change), 'http://127.0.0.1:4010', 'service-api-key');

describe('a request as a command', () => {
  it('sends the same again, with the key from the environment', () => {
    expect(command()).toBe(
      `curl -sS -i --path-as-is -X PATCH -H "SERVICE-API-KEY: $SERVICE_API_KEY" -H 'Content-Type: application/json' --data-raw '{"description":"it'\\''s"}' http://127.0.0.1:4010/console/v1/gates/a`,
    );
  });

  it('leaves out other credentials, which the log does not keep, and says so of an empty or absent header', () => {
    expect(command({ headers: { Authorization: redacted, 'X-Empty': '' } })).toContain(
      "-X PATCH -H 'X-Empty;' -H Content-Type: --data-raw",
    );
    expect(command({ method: 'HEAD', headers: {}, body: '' })).toBe(
      'curl -sS -i --path-as-is --head http://127.0.0.1:4010/console/v1/gates/a',
    );
    expect(command({ url: '/console/v1/gates/{a}' })).toContain('--globoff');
  });

  it.each([
    'plain',
    "it's",
    '$(touch owned) `id` "$HOME" \\ !',
    "a'b\u001b[31m\u202e\u0007\\n",
    'two\nlines',
    '-x',
    '',
  ])('spells %j so that a shell reads what was sent', text => {
    const word = shellWord(text);
    expect(execFileSync('bash', ['-c', `printf %s ${word}`], { encoding: 'utf8' })).toBe(text);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal interprets these
    expect(word).not.toMatch(/[\u001b\u0007\u202e]/);
  });
});
