import { expect, test } from 'vitest';
import { runEvent } from '../../../contracts/report/journal.ts';
import { reportSchema } from '../../../contracts/report/report.ts';
import { validatorFor } from '../../../contracts/validation.ts';
import { reporters } from '../../../reports/index.ts';
import { givenExchange, judgedTraffic } from '../../proof/testing/exchanges.ts';

const gate = { message: 'Gate updated successfully.', data: { id: 'gate_b', isEnabled: true, version: 1 } };
const exchanges = [
  givenExchange({
    method: 'PATCH',
    target: '/console/v1/gates/gate_a',
    body: { name: 'ab', hue: 1 },
    status: 400,
    answer: {},
  }),
  givenExchange({ method: 'PATCH', target: '/console/v1/gates/gate_a', body: {}, answer: gate }, 2),
  givenExchange({ target: '/health' }, 3),
];
const { events, report } = judgedTraffic(exchanges, { sources: ['tests.har'] });

test('the events and the report keep their schemas', () => {
  const valid = validatorFor(runEvent);
  expect(events.flatMap(valid)).toEqual([]);
  expect(validatorFor(reportSchema)(report)).toEqual([]);
});

test('a cause belongs to one side, and is judged again by its recording', () => {
  expect(report.causes?.map(({ id, side, requirements }) => [id, side, requirements])).toEqual([
    ['F1', 'server', ['identity.gate-id']],
    ['F2', 'client', ['client.body-constraint']],
  ]);
  const [finding] = report.endpoints.flatMap(({ checks }) => checks.flatMap(one => one.findings));
  expect(finding?.reproduce).toBe('npx conform judge tests.har --base-url http://api.invalid');
});

/** Returns the output of a reporter. */
async function written(name: keyof typeof reporters): Promise<string> {
  let text = '';
  const write = (more: string): void => {
    text += more;
  };
  const output = { colour: false, interactive: false, columns: 100, write };
  const reporting = await reporters[name].create(output);
  for (const event of events) reporting.event?.(event);
  await reporting.end(report);
  return text;
}

test('the terminal tells both sides apart, and how the exchanges add up', async () => {
  const text = await written('terminal');
  expect(text).toContain('traffic of tests.har');
  expect(text.indexOf('WHAT THE SERVER BREAKS')).toBeLessThan(text.indexOf('WHAT THE CLIENT BREAKS'));
  expect(text).toContain('sent `name: "ab"`; expected must have at least 3 characters (gate.name, section 2.3)');
  expect(text).toContain('3 exchanges: 2 judged, 0 not judged, 1 outside the API');
});

test('the page has a column for each side', async () => {
  const text = await written('html');
  expect(text).toMatch(
    /The server<[\s\S]*non-conformant[\s\S]*The client<[\s\S]*What the server breaks[\s\S]*id="F1"[\s\S]*What the client breaks[\s\S]*id="F2"/,
  );
});

test.each(['junit', 'markdown', 'ctrf', 'har', 'json'] as const)('%s names what each side broke', async name => {
  const text = await written(name);
  expect(text).toContain('client-requests');
  expect(text).toContain('gate_b');
});
