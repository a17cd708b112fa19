import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { own, rendered, type Shown } from '../contracts/redaction/shown.ts';
import { redactedValue } from '../contracts/redaction/values.ts';
import type { RunEvent } from '../contracts/report/journal.ts';
import { journalLine } from './run-folder.ts';
import { folder } from './testing/command.fixture.ts';
import {
  appendText,
  errors,
  knownSecrets,
  learnCommand,
  openFile,
  output,
  shown,
  writeNew,
  writeText,
} from './writer.ts';

test('what was not redacted does not compile where anything leaves', () => {
  const text: string = 'what a target said';
  const event: RunEvent = { event: 'notice', severity: 'info', text };
  // Never called: only the compiler checks it.
  const refused = () => {
    // @ts-expect-error a text of anybody
    output.write(text);
    // @ts-expect-error the same, on the standard error
    errors.write(`conform: ${text}`);
    // @ts-expect-error the same, in a file
    writeText('a', text);
    // @ts-expect-error the same, in a file that is new
    writeNew('a', text, false);
    // @ts-expect-error the same, at the end of a file
    appendText('a', text);
    // @ts-expect-error the same, in a file that is open
    openFile('a').write(text);
    // @ts-expect-error an event that has not left the engine through its redactor
    journalLine(event);
    // @ts-expect-error a text of anybody within one of ours
    own`a ${text}`;
    // @ts-expect-error what is cut after it was redacted is to be cut by `beginning`
    output.write(shown(text).slice(0, 3));
    // @ts-expect-error two parts, of which one was redacted
    output.write(shown(text) + text);
    // @ts-expect-error made of what was not redacted
    rendered(text, one => one);
  };
  expect(refused).toBeTypeOf('function');
  const allowed: Shown[] = [shown(text), own`${1} ${shown(text)}`, rendered(shown(text), one => `${one}!`)];
  expect(allowed.join(' ')).toBe('what a target said 1 what a target said what a target said!');
});

test('what one flag tells in confidence is in no message about another', () => {
  const basic = Buffer.from('deploy:pass-Zq7w9').toString('base64');
  const argv = [
    'run',
    '--api-key=key-of-flags-1',
    '--header',
    `Authorization: Basic ${basic}`,
    '--key',
    'ci=key-of-ci-0:read-only',
    '--apikey=mistyped-key',
    '--api-key-header',
    'X-Console-Key',
    '--header',
    'Authorization tok-forgotten',
    '--store',
    'postgres://console:data%40base-pw@db.example/x',
  ];
  learnCommand(argv, { SERVICE_API_KEY: 'key-of-environment', HTTPS_PROXY: 'http://me:proxy-pass-1@p.example' });
  const secrets = [
    'key-of-flags-1',
    'tok-forgotten',
    basic,
    'deploy:pass-Zq7w9',
    'pass-Zq7w9',
    'key-of-ci-0',
    'mistyped-key',
    'data@base-pw',
    'data%40base-pw',
    'key-of-environment',
    'proxy-pass-1',
  ];
  const said = shown(`${secrets.join(' ')} X-Console-Key db.example run`);
  expect(secrets.filter(secret => said.includes(secret))).toEqual([]);
  expect(said).toContain('X-Console-Key db.example run');
  learnCommand([], {});
  expect(shown('key-of-flags-1')).toBe('key-of-flags-1');
});

test('the public key of verify is the name of a file, and no secret', () => {
  learnCommand(['verify', 'journal.ndjson', '--key', 'the-public-key.pem'], {});
  expect(shown('the-public-key.pem')).toBe('the-public-key.pem');
});

test('a document keeps its shape, whatever a secret is', () => {
  learnCommand(['--api-key', 'gates":["'], {});
  const file = join(folder(), 'deep', 'a.json');
  writeText(
    file,
    rendered(redactedValue({ gates: ['a gates":[" b'] }, knownSecrets()), one => JSON.stringify(one)),
  );
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ gates: ['a «the API key» b'] });
});
