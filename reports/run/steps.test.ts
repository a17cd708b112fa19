import { expect, test } from 'vitest';
import { documentHtml } from '../document/html.ts';
import { tooLong, wrongType } from '../testing/findings.fixture.ts';
import { exchange, reportOf, run } from '../testing/runs.fixture.ts';
import { runDocument } from './document.ts';

test('a sequence is shown step by step, numbered, with what each answer had at the accused place', () => {
  const steps = [
    { number: 1, exchange: exchange('{"isEnabled":true}', 200, '{"data":{"isEnabled":true}}'), shown: 'true' },
    { number: 4, exchange: exchange('{}', 200, '{"data":{"isEnabled":1}}'), shown: '1' },
  ];
  const page = documentHtml(
    runDocument(
      reportOf(
        run({ 'patch-gate/envelope': ['fail', { findings: [{ ...wrongType, steps, accused: '<b>1</b>' }, tooLong] }] }),
      ),
    ),
  );
  expect(page).toContain(
    '<li value="1"><details><summary><span class="data">PATCH /console/v1/gates/a_gate {&quot;isEnabled&quot;:true} → 200</span> <code>true</code>',
  );
  expect(page).toContain('<li value="4" class="accused"><details open>');
  expect(page).toContain('&lt;b&gt;1&lt;/b&gt;');
});
