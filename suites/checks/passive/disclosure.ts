import { clip } from '../../../contracts/redaction/clip.ts';
import { covering, notJudged, type PassiveCheck, passed, violated } from '../../protocol/check.ts';

/** Patterns that only a stack trace or a server's own files match, in several languages. */
// biome-ignore format: a table
const leaks: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a JavaScript stack trace',  /\n\s*at .+\(.+:\d+:\d+\)|\\n\s*at .+:\d+:\d+/],
  ['a Python traceback',        /Traceback \(most recent call last\)/],
  ['a Java stack trace',        /\bat [\w$.]+\([\w$]+\.java:\d+\)/],
  ['a Go panic',                /goroutine \d+ \[running\]/],
  ['a .NET stack trace',        /\bat [\w.`<>]+\(.*\) in .+:line \d+/],
  ['a Ruby backtrace',          /\.rb:\d+:in [`']/],
  ['a file path of the server', /(?:^|[\s"'(])(?:\/(?:usr|home|app|srv|opt|var|root)\/[\w./-]+\.\w+|[A-Z]:\\\\?[\w\\ .-]+\.\w+)/],
];

/** Maximum number of characters of a body that are searched. */
const mostSearched = 65_536;

/** Section 7, CWE-209: a refusal reveals nothing of the server's internals (SHOULD). */
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
    if (answer.success || failure !== null) return notJudged;
    if (body.kind === 'empty') return covering([], []);
    const text = body.text.slice(0, mostSearched);
    for (const [what, pattern] of leaks) {
      const [found] = pattern.exec(text) ?? [];
      if (found === undefined) continue;
      const actual = `${what}: ${JSON.stringify(clip(found, 80))}`;
      return violated(answer, 'robust.no-leak', 'body', 'nothing of the server’s insides', actual);
    }
    return passed;
  },
};
