import { endpointIds } from '../../contracts/endpoint.ts';
import type { Finding } from '../../contracts/report/evidence.ts';
import type { CheckEnd, RunEvent, Verdict } from '../../contracts/report/journal.ts';
import { tooLong } from './examples.ts';
import { baseUrl, exchange, run } from './runs.ts';

/** What a target may send to break a page, and how the page is to show it. `owned` is what a script of it would set. */
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
  { sent: '\u001b[2J\u001b]8;;https://elsewhere.example.test\u0007',      shown: '\\u{1b}[2J\\u{1b}]8;;https://elsewhere.example.test\\u{7}' },
  { sent: 'safe\u202egnp.exe\u2066\u200b',                                shown: 'safe\\u{202e}gnp.exe\\u{2066}\\u{200b}' },
  { sent: '\u0000\ud800<!--',                                             shown: '\\u{0}\\u{d800}<!--' },
];

const everything = attacks.map(({ sent }) => sent).join(' ');

/** A finding in which every text is an attack. */
const hostile: Finding = {
  ...tooLong,
  requirement: `x"${everything}`,
  pointer: `/data/${everything}`,
  expected: everything,
  actual: everything,
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

const blocked: readonly [Verdict, Partial<CheckEnd>] = [
  'untested',
  {
    because: everything,
    remedy: everything,
    blockedBy: everything,
    notExercised: [{ field: everything, because: everything, remedy: everything }],
  },
];

/** A run in which every place that a target, or a journal, can fill holds every attack. */
export const hostileRun: readonly RunEvent[] = [
  ...run(
    {
      'patch-gate/reject': [
        'fail',
        { findings: [{ ...hostile, exchange: exchange(everything, 200, everything) }, hostile] },
      ],
      'patch-gate/headers': ['warn', { findings: [{ ...hostile, level: 'SHOULD' }] }],
      'patch-gate/auth': blocked,
      'patch-gate/envelope': ['error', { because: everything }],
    },
    { only: [everything], config: everything },
    ['patch-gate'],
  ),
  { event: 'notice', severity: 'warning', text: everything, remedy: everything },
  { event: 'observation', requirement: everything, endpoint: 'patch-gate', subject: everything, value: everything },
  { event: 'left-behind', endpoint: 'patch-gate', kind: everything, id: everything, what: everything },
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
            })),
          },
        ] as const,
      ]),
    ),
  ),
);
