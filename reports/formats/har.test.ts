import type { Har } from 'har-format';
import { describe, expect, test } from 'vitest';
import { redactions } from '../../contracts/report/evidence.ts';
import { type ExampleName, examples } from '../testing/examples.fixture.ts';
import { reportOf, written } from '../testing/runs.fixture.ts';
import { har } from './har.ts';

const write = (name: ExampleName) => JSON.parse(written(har, examples[name])) as Har;

describe('HAR', () => {
  test.each(Object.keys(examples) as ExampleName[])(
    'a run that is %s has every member that HAR 1.2 requires, and an entry for each failing exchange',
    name => {
      const { log } = write(name);
      expect(log).toMatchObject({ version: '1.2', creator: { name: 'console-conformance' }, pages: [] });
      const failing = reportOf(examples[name]).endpoints.flatMap(({ checks }) =>
        checks.filter(check => check.verdict === 'fail').flatMap(check => check.findings.filter(one => one.exchange)),
      );
      expect(log.entries).toHaveLength(failing.length);
      for (const { startedDateTime, time, request, response, timings } of log.entries) {
        expect(new Date(startedDateTime).toISOString()).toBe(startedDateTime);
        expect((timings.send ?? 0) + timings.wait + (timings.receive ?? 0)).toBe(time);
        expect(request).toMatchObject({ cookies: [], headersSize: -1, httpVersion: 'HTTP/1.1' });
        expect(() => new URL(request.url)).not.toThrow();
        expect(response.content.mimeType).not.toBe('');
        expect(response).toMatchObject({ cookies: [], redirectURL: '', headersSize: -1 });
      }
    },
  );

  test('a green run has no entry; warnings and faults of the suite have none either', () => {
    for (const name of ['green', 'empty', 'warned', 'fault', 'untested'] as const)
      expect(write(name).log.entries).toEqual([]);
  });

  test('shows what was sent and what came back, the key redacted', () => {
    const entry = write('failing').log.entries.find(one => one.comment?.startsWith('F3 patch-gate/envelope: '));
    expect(entry?.request).toMatchObject({
      method: 'PATCH',
      postData: { mimeType: 'application/json', text: '{"isEnabled":true}' },
      bodySize: 18,
    });
    expect(entry?.request.headers).toContainEqual({ name: 'SERVICE-API-KEY', value: redactions.key });
    expect(entry?.response).toMatchObject({
      status: 200,
      content: { text: '{"message":"Gate updated successfully.","data":{"id":"a_gate","isEnabled":1}}' },
    });
    expect(entry?.comment).toContain('`isEnabled` is 1 (a number); expected a boolean');
  });

  test('no answer is status 0 with its reason, and a query stands apart', () => {
    const entry = write('failing').log.entries.find(one => one.request.method === 'GET');
    expect(entry?.response).toMatchObject({ status: 0, _error: 'socket hang up' });
    expect(entry?.request.queryString).toEqual([{ name: 'limit', value: '10' }]);
  });
});
