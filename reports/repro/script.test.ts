import { describe, expect, test } from 'vitest';
import type { Discrepancy, Finding } from '../../contracts/report/evidence.ts';
import { tooLong, wrongType } from '../testing/findings.fixture.ts';
import { baseUrl, exchange, reportOf, run } from '../testing/runs.fixture.ts';
import { reproductionScripts } from './script.ts';

const scriptsOf = (finding: Finding) =>
  reproductionScripts({
    report: reportOf(run({ 'patch-gate/reject': ['fail', { findings: [finding] }] })),
    snapshots: [
      { event: 'snapshot', endpoint: 'patch-gate', param: 'a_gate', body: { description: "it's", tags: [] } },
    ],
  });
const scriptOf = (finding: Finding): string => scriptsOf(finding).get('F1') ?? '';

describe('the script of a cause', () => {
  test('sends the request again, judges the answer, and puts back what it changed', () => {
    const script = scriptOf({ ...tooLong, exchange: exchange('{"description":"x"}', 200, '{}') });
    expect(script).toContain('2??|5??) there ;;');
    expect(script).toContain("'/console/v1/gates/a_gate'");
    expect(script).toContain(`{"description":"it'\\''s"}`);
    expect(script).not.toContain('"tags"');
  });

  test('a refusal that the key, another server or a limit may have caused is no proof that it is gone', () => {
    const accepted = { ...tooLong, exchange: exchange('{"description":"x"}', 200, '{}') };
    expect(scriptOf(accepted)).toContain('401|403|404|429) unknown "status $status" ;;');
    expect(scriptOf({ ...accepted, requirement: 'auth.missing-key' })).not.toContain('401');
    const refused = (status: number) => ({
      ...tooLong,
      requirement: 'accept.plain-value' as const,
      exchange: exchange('{"description":"x"}', status, '{}'),
    });
    expect(scriptOf(refused(400))).toContain('401|403|404|429) unknown');
    expect(scriptOf(refused(403))).not.toContain('401|');
  });

  test('takes the key from the environment alone', () => {
    const script = scriptOf(wrongType);
    expect(script).toContain('"$SERVICE_API_KEY"');
    expect(script).not.toContain('«');
  });

  test('takes the value of an added header from the environment too, and sends it wherever it writes', () => {
    const { request, ...rest } = exchange('{"description":"x"}', 200, '{}');
    const headers = [...request.headers, { name: 'x-tenant', value: '«the value of an added header»' }];
    const script = scriptOf({ ...tooLong, exchange: { ...rest, request: { ...request, headers } } });
    expect(script).toContain('# The value of the header x-tenant is read from HEADER_X_TENANT.');
    expect(script).toMatch(/^\[ -n "\$\{HEADER_X_TENANT:-\}" \] \|\| unknown "set HEADER_X_TENANT"$/m);
    const sent = script.split('\n').filter(line => /^ *send /.test(line));
    expect(sent.length).toBeGreaterThan(1);
    expect(sent.filter(line => !line.includes(`-H 'x-tenant: '"$HEADER_X_TENANT"`))).toEqual([]);
    expect(script).not.toContain('«');
  });

  test.each([
    ['a part of a header', { headers: [{ name: 'x-a', value: 'a «the value of an added header»' }] }],
    ['a body', { body: { text: '{"a":"«the value of an added header»"}', bytes: 30, truncated: false } }],
    ['a URL', { url: `${baseUrl}/console/v1/gates/«redacted»` }],
  ])('there is none where the report hides %s', (_what, hides) => {
    const { request, ...rest } = exchange('{"description":"x"}', 200, '{}');
    expect(scriptsOf({ ...tooLong, exchange: { ...rest, request: { ...request, ...hides } } }).size).toBe(0);
  });

  test('gives new names to what it creates', () => {
    const named = { ...tooLong, exchange: exchange('{"name":"conform_k3x9_1"}', 200, '{}') };
    expect(scriptOf(named)).toContain(`printf '{"name":"conform_'; printf %s "$token"; printf '_1"}'`);
    expect(scriptOf(named).match(/^token=/gm)).toHaveLength(1);
  });

  test('what asked the same and was refused too ends it where it is taken', () => {
    const step = (body: string, status: number) => ({ number: 1, exchange: exchange(body, status, '{}') });
    const last = step('{"name":"a"}', 409);
    const refused = (steps: ReturnType<typeof step>[]): string =>
      scriptOf({
        ...tooLong,
        pointer: 'status',
        requirement: 'accept.plain-value',
        steps,
        exchange: last.exchange,
      });
    const ending = /^if \[ -n "\$is_taken" \]; then gone; else$/m;
    expect(refused([step('{"name":"a","isVerified":true}', 409), last])).toMatch(ending);
    expect(refused([step('{"name":"b"}', 409), last])).not.toMatch(ending);
    expect(refused([step('{"name":"a"}', 200), last])).not.toMatch(ending);
    expect(refused([step('{}', 409), step('{}', 409)])).not.toMatch(ending);
  });

  test('starts no program for what it does not use, nor twice for what it uses twice', () => {
    const script = scriptOf({ ...tooLong, exchange: exchange('{"description":"x"}', 200, '{}') });
    expect(script).not.toMatch(/token=|jq -sRr/);
    const { request, ...rest } = exchange('{"description":"x"}', 200, '{}');
    const url = `${request.url}?key=«the API key»&token=«the API key»`;
    const twice = scriptOf({ ...tooLong, exchange: { ...rest, request: { ...request, url } } });
    expect(twice).toContain(`?key='"$encoded_key"'&token='"$encoded_key"`);
    expect(twice.match(/^encoded_key=.*jq -sRr @uri/gm)).toHaveLength(1);
    expect(twice.indexOf('encoded_key=')).toBeLessThan(twice.indexOf('put_back() {'));
  });

  test('there is none where the report has the body only in part, or the value is not told', () => {
    const { request, ...rest } = exchange('{}', 200, '{}');
    const cut = { ...rest, request: { ...request, body: { text: '{', bytes: 9_000, truncated: true } } };
    expect(scriptsOf({ ...tooLong, exchange: cut }).size).toBe(0);
    expect(scriptsOf({ ...wrongType, fault: { kind: 'value' }, pointer: '/data/none' }).size).toBe(0);
    expect(scriptsOf({ ...tooLong, requirement: 'state.concurrent-answers', pointer: '/data' }).size).toBe(0);
  });

  test('there is none where something changed, and what changed it is not among the requests', () => {
    const fault: Discrepancy = { kind: 'changed', expected: 'a', got: 'b' };
    const seen = { ...wrongType, requirement: 'state.neighbours', fault };
    expect(scriptsOf({ ...seen, pointer: '/data/description' }).size).toBe(1);
    const { request, ...rest } = exchange('{}', 200, '{}');
    const read = { ...rest, request: { ...request, method: 'GET' } };
    expect(scriptsOf({ ...seen, pointer: '/data/description', exchange: read }).size).toBe(0);
  });

  test('of a cause it takes the first finding that a script can show', () => {
    const read = { ...exchange('{}', 200, '{}'), response: wrongType.exchange?.response };
    const unseen = {
      ...wrongType,
      requirement: 'auth.no-effect',
      fault: { kind: 'trace', expected: true, got: 1 },
      exchange: read,
    };
    const report = reportOf(run({ 'patch-gate/auth': ['fail', { findings: [unseen as Finding] }] }));
    expect(reproductionScripts({ report, snapshots: [] }).size).toBe(0);
    const both = reportOf(
      run({
        'patch-gate/auth': ['fail', { findings: [unseen as Finding] }],
        'patch-gate/envelope': ['fail', { findings: [{ ...wrongType, requirement: 'auth.no-effect' }] }],
      }),
    );
    expect(reproductionScripts({ report: both, snapshots: [] }).get('F1')).toContain('patch-gate/envelope#1');
  });

  test('there is none that would not condemn the answer of the report itself', () => {
    const constraint = { keyword: 'type', limit: ['number'] };
    const faults: Discrepancy[] = [{ kind: 'missing' }, { kind: 'type', constraint }, { kind: 'value', expected: 1 }];
    // These faults are about something other than the value at the pointer.
    for (const fault of faults) expect(scriptsOf({ ...wrongType, fault }).size).toBe(0);
  });

  test('what was seen only now and then is tried again and again, within bounds', () => {
    expect(scriptOf({ ...tooLong, seen: { times: 1, of: 3 } })).toContain('[ $tries -lt 60 ]');
    expect(scriptOf(tooLong)).not.toContain('$tries');
  });

  test('there is none of requests that meet', () => {
    expect(scriptsOf({ ...wrongType, timeline: ['together: one', 'together: another'] }).size).toBe(0);
  });

  test('an echo is held against what was sent, where its words are too short to say it', () => {
    const script = scriptOf({
      ...wrongType,
      requirement: 'echo.sent-field',
      expected: 'a text of 300 characters',
      fault: { kind: 'value', expected: 'long', got: 'lon' },
      pointer: '/data/description',
      exchange: exchange('{"description":"long"}', 200, '{"data":{"description":"lon"}}'),
    });
    expect(script).toContain(`{ printf '"long"'; } >"$work/expected"`);
  });

  test('what was created is looked for on all pages of the list', () => {
    const created = exchange('{"name":"conform_k3x9_1"}', 200, '{"data":{"id":"conform_k3x9_1::sum"}}');
    const url = `${baseUrl}/console/v1/events/e/metrics?page=2`;
    const listed = { ...created, request: { ...created.request, method: 'GET', url } };
    const script = scriptOf({
      ...wrongType,
      requirement: 'state.metric-listed',
      pointer: '/data',
      fault: { kind: 'missing', expected: 'conform_k3x9_1::sum' },
      steps: [
        { number: 1, exchange: created },
        { number: 2, exchange: listed },
      ],
      exchange: listed,
    });
    expect(script).toContain(`send 'GET' '/console/v1/events/e/metrics'"$query"`);
    expect(script).toContain(`{ printf '"conform_'; printf %s "$token"; printf '_1::sum"'; } >"$work/expected"`);
    expect(script).toContain('until walk; do');
  });

  test('of joined shards it takes the token and the address of each', () => {
    const { request, ...rest } = exchange('{"name":"conform_b22b_1"}', 200, '{}');
    const own = { ...rest, request: { ...request, url: 'http://127.0.0.1:9/console/v1/gates/a_gate' } };
    const report = reportOf(run({ 'patch-gate/reject': ['fail', { findings: [{ ...tooLong, exchange: own }] }] }));
    expect(reproductionScripts({ report, snapshots: [] }).size).toBe(0);
    const shards = [{ token: 'b22b', baseUrl: 'http://127.0.0.1:9/' }];
    const script = reproductionScripts({ report, snapshots: [], shards }).get('F1');
    expect(script).toContain(`send 'PATCH' '/console/v1/gates/a_gate'`);
    expect(script).toContain(`printf '{"name":"conform_'; printf %s "$token"; printf '_1"}'`);
  });

  test.each([
    [{ kind: 'value', expected: 'a, b' }, `{ printf '"a, b"'; } >"$work/expected"`],
    [{ kind: 'lost', expected: [null] }, `{ printf '[null]'; } >"$work/expected"`],
    [
      { kind: 'constraint', constraint: { keyword: 'enum', limit: [true, "it's"] } },
      `any([true,"it'\\''s"][]; . == $value)`,
    ],
    [
      { kind: 'type', constraint: { keyword: 'type', limit: ['boolean', 'null'] } },
      '(type == "boolean") or (type == "null")',
    ],
    [{ kind: 'constraint', constraint: { keyword: 'minimum', limit: 2 } }, `{ printf '1'; } >"$work/wrong"`],
  ] as const)('the fault %j is judged by its data', (fault, lines) => {
    expect(scriptOf({ ...wrongType, fault: fault as Discrepancy })).toContain(lines);
  });

  test('there is none of a value in a journal that has no data of it', () => {
    const { fault: _, ...earlier } = wrongType;
    expect(scriptsOf(earlier).size).toBe(0);
  });
});
