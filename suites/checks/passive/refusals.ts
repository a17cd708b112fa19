import type { PassiveCheck } from '../../protocol/check.ts';
import type { Violation } from '../../protocol/violation.ts';

/** Statuses that a server's HTTP layer may answer before the API is asked: JSON is good practice there, no more. */
const beforeTheApi = new Set([405, 413, 414, 431]);

/** A refusal on one of the fifteen routes has no body or a JSON body; elsewhere that is good practice. */
export const refusals: PassiveCheck = {
  kind: 'passive',
  id: 'refusals',
  level: 'MUST',
  title: 'The body of a refusal is JSON',
  detects: "An HTML error page or plain text from a framework's default handler, on which a JSON client chokes.",
  requirements: () => ['reject.body-json', 'robust.error-json-elsewhere'],
  appliesTo: () => true,
  observe(answer) {
    const { body, failure } = answer.reply;
    if (answer.success || failure !== null) return null;
    if (answer.reply.request.method === 'HEAD' || body.kind === 'empty') return [];
    if (body.kind === 'json') return [];
    const ours = answer.own && !beforeTheApi.has(answer.status);
    return [
      {
        requirement: ours ? 'reject.body-json' : 'robust.error-json-elsewhere',
        pointer: 'body',
        expected: 'an empty body or a JSON body',
        actual: `status ${answer.status} with a body that ${body.why}`,
        answer,
      },
    ];
  },
};

/** What only a stack trace or a server's own files look like, in several languages. */
const leaks: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a JavaScript stack trace', /\n\s*at .+\(.+:\d+:\d+\)|\\n\s*at .+:\d+:\d+/],
  ['a Python traceback', /Traceback \(most recent call last\)/],
  ['a Java stack trace', /\bat [\w$.]+\([\w$]+\.java:\d+\)/],
  ['a Go panic', /goroutine \d+ \[running\]/],
  ['a .NET stack trace', /\bat [\w.`<>]+\(.*\) in .+:line \d+/],
  ['a Ruby backtrace', /\.rb:\d+:in [`']/],
  [
    'a file path of the server',
    /(?:^|[\s"'(])(?:\/(?:usr|home|app|srv|opt|var|root)\/[\w./-]+\.\w+|[A-Z]:\\\\?[\w\\ .-]+\.\w+)/,
  ],
];

/** An answer shows nothing of the server's insides. */
export const disclosure: PassiveCheck = {
  kind: 'passive',
  id: 'disclosure',
  level: 'SHOULD',
  title: 'A refusal shows no stack trace and no path of the server',
  detects: 'A debug error handler left on: it tells an attacker what runs there and where.',
  requirements: () => ['robust.no-leak'],
  appliesTo: () => true,
  observe(answer) {
    const { body, failure } = answer.reply;
    if (answer.success || failure !== null) return null;
    if (body.kind === 'empty') return [];
    const violations: Violation[] = [];
    for (const [what, pattern] of leaks) {
      const found = pattern.exec(body.text.slice(0, 65_536));
      if (found === null) continue;
      violations.push({
        requirement: 'robust.no-leak',
        pointer: 'body',
        expected: 'nothing of the server’s insides',
        actual: `${what}: ${JSON.stringify(found[0].slice(0, 80))}`,
        answer,
      });
      break;
    }
    return violations;
  },
};
