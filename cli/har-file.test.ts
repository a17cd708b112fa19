import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { vouched } from '../contracts/redaction/shown.ts';
import { openHar } from './record-output.ts';
import { folder } from './testing/command.fixture.ts';

test('a HAR file is whole after each entry, whatever the entry holds', () => {
  const file = join(folder(), 'deep/down/x.har');
  const har = openHar(file);
  const read = () => JSON.parse(readFileSync(file, 'utf8')).log;
  expect(read()).toMatchObject({ version: '1.2', creator: { name: 'console-conformance' }, entries: [] });
  const entries = [{ comment: 'é😀 \u202e "]}' }, { comment: 'a'.repeat(100_000) }, { comment: '' }];
  for (const [index, entry] of entries.entries()) {
    har.add(vouched(entry));
    expect(read().entries).toEqual(entries.slice(0, index + 1));
  }
  har.close();
  expect(readFileSync(file, 'utf8')).not.toContain('\u202e');
});

test('a HAR file that cannot be written is a mistake of the caller', () => {
  const file = join(folder(), 'a-file');
  openHar(file).close();
  expect(() => openHar(join(file, 'x.har'))).toThrow(/cannot write .*x\.har \(\w+\); choose another place/);
});
