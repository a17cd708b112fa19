import { endpointIds } from '../../contracts/endpoints.ts';
import type { Finding } from '../../contracts/report/evidence.ts';
import type { CheckEnd, RunEvent, Verdict } from '../../contracts/report/journal.ts';
import { tooLong } from './findings.fixture.ts';
import { baseUrl, exchange, run } from './runs.fixture.ts';

/**
 * Texts by which a target may try to break a report, and how a report must show them. A script in them would set
 * `owned`.
 */
// biome-ignore format: a table
export const attacks: readonly { readonly sent: string; readonly shown: string }[] = [
  { sent: '</script><script>window.owned=1;alert(1)</script>',            shown: '</script><script>window.owned=1;alert(1)</script>' },
  { sent: '<img src=x onerror="window.owned=1">',                         shown: '<img src=x onerror="window.owned=1">' },
  { sent: '"><svg/onload=window.owned=1>',                                shown: '"><svg/onload=window.owned=1>' },
  { sent: "' onmouseover='window.owned=1' autofocus onfocus='alert(2)",   shown: "' onmouseover='window.owned=1'" },
  { sent: '</style></pre></code></details><base href="https://elsewhere.example.test/">', shown: '</style></pre></code></details><base' },
  { sent: '<link rel=prefetch href="https://elsewhere.example.test/a">',  shown: '<link rel=prefetch' },
  // biome-ignore lint/suspicious/noTemplateCurlyInString: an attack
  { sent: '<% it.owned = 1 %><%~ "<b>raw</b>" %>${window.owned=1}',       shown: '<% it.owned = 1 %><%~ "<b>raw</b>" %>${window.owned=1}' },
  { sent: 'javascript:window.owned=1',                                    shown: 'javascript:window.owned=1' },
  { sent: '\u001b[2J\u001b]8;;https://elsewhere.example.test\u0007\u009b1m', shown: '\\u{1b}[2J\\u{1b}]8;;https://elsewhere.example.test\\u{7}\\u{9b}1m' },
  { sent: 'safe\u202egnp.exe\u2066\u200b',                                shown: 'safe\\u{202e}gnp.exe\\u{2066}\\u{200b}' },
  { sent: '\u0000\ud800<!--',                                             shown: '\\u{0}\\u{d800}<!--' },
  { sent: ']]> `$(id)` & %s | **b** [x](http://a.b) @everyone',           shown: ']]> `$(id)` & %s | **b** [x](http://a.b) @everyone' },
];

/** All attacks in one text. */
export const everything = attacks.map(({ sent }) => sent).join(' ');

/** The beginning of every attack on the log of a GitHub workflow: a command on a line of its own. */
const command = `\r\n::error title=owned::owned\n##[error]owned\n##vso[task.complete]owned\n##teamcity[owned]`;

/** A finding in which every text is an attack. */
export const hostileFinding: Finding = {
  ...tooLong,
  requirement: `x"${everything}`,
  pointer: `/data/${everything}`,
  expected: everything,
  actual: everything,
  fault: { kind: 'value', expected: everything, got: { [everything]: everything } },
  counterexample: {
    path: '1',
    title: everything,
    pointer: `/${everything}`,
    sent: everything,
    control: { [everything]: everything },
  },
  exchange: {
    ...exchange(everything, 200, JSON.stringify({ message: everything, [everything]: [everything] })),
    request: {
      method: 'PATCH',
      url: `${baseUrl}/${everything}`,
      headers: [{ name: 'x-test', value: everything }],
      body: { text: everything, bytes: 9_999, truncated: true },
    },
  },
};

/** The same, with an answer that is not JSON, and one that is nested very deeply. */
const answers = [everything + command, `{"message":"${everything}","deep":${'['.repeat(5_000)}`];

const blocked: readonly [Verdict, Partial<CheckEnd>] = [
  'untested',
  {
    because: everything + command,
    remedy: everything,
    blockedBy: everything,
    notExercised: [{ field: everything, because: everything, remedy: everything }],
  },
];

/** A run in which every text that a target or a journal can supply holds every attack. */
export const hostileRun: readonly RunEvent[] = [
  ...run(
    {
      'patch-gate/reject': [
        'fail',
        {
          findings: [
            ...answers.map(answer => ({ ...hostileFinding, exchange: exchange(everything, 200, answer) })),
            hostileFinding,
          ],
        },
      ],
      'patch-gate/headers': ['warn', { findings: [{ ...hostileFinding, level: 'SHOULD' }] }],
      'patch-gate/auth': blocked,
      'patch-gate/envelope': ['error', { because: everything + command }],
    },
    { only: [everything], config: everything },
    ['patch-gate'],
  ),
  { event: 'notice', severity: 'warning', text: everything + command, remedy: everything },
  { event: 'observation', requirement: everything, endpoint: 'patch-gate', subject: everything, value: everything },
  { event: 'learned', kind: 'users', value: { id: everything }, origin: everything, heldBy: everything },
  { event: 'learned', kind: 'apps', value: everything, origin: everything, refusedBy: [everything] },
  {
    event: 'planned-effects',
    effects: (['changed-for-good', 'created', 'put-back'] as const).map(effect => ({
      effect,
      endpoint: 'patch-gate',
      kind: everything,
      id: everything,
      what: everything,
      most: 3,
    })),
  },
  {
    event: 'left-behind',
    endpoint: 'patch-gate',
    kind: everything,
    id: everything,
    what: everything,
    send: everything,
  },
];

/** A run with a thousand findings of two causes. */
export const thousandFindings: readonly RunEvent[] = run(
  Object.fromEntries(
    endpointIds.slice(0, 10).flatMap((id, place) =>
      (['reject', 'envelope'] as const).map((check, second) => [
        `${id}/${check}`,
        [
          'fail',
          {
            findings: Array.from({ length: 50 }, (_, index) => ({
              ...tooLong,
              requirement: check === 'reject' ? 'gate.description.maxLength' : 'envelope.message',
              actual: `case ${place * 100 + second * 50 + index}`,
              fault: { kind: check === 'reject' ? ('accepted' as const) : ('body' as const) },
            })),
          },
        ] as const,
      ]),
    ),
  ),
);
