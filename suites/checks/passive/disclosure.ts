import { decoded } from '../../../contracts/decoded.ts';
import { isObject } from '../../../contracts/json.ts';
import { clip } from '../../../contracts/redaction/clip.ts';
import type { Answer } from '../../protocol/answer.ts';
import { covering, notJudged, type PassiveCheck, passed, violated } from '../../protocol/check.ts';

/**
 * Patterns that only a stack trace or a server's own files match, in several languages. What may repeat on a line is
 * bounded: a hostile refusal must not make the search long.
 */
// biome-ignore format: a table
const traces: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a JavaScript stack trace',  /\n[^\S\n]*at .{1,200}\(.{1,200}:\d{1,9}:\d{1,9}\)|\\n\s*at .{1,200}:\d{1,9}:\d{1,9}/],
  ['a Python traceback',        /Traceback \(most recent call last\)/],
  ['a Java stack trace',        /\bat [\w$.]+\([\w$]+\.java:\d+\)/],
  ['a Go panic',                /goroutine \d+ \[running\]/],
  ['a .NET stack trace',        /\bat [\w.`<>]+\(.{0,200}\) in .{1,200}:line \d+/],
  ['a Ruby backtrace',          /\.rb:\d+:in [`']/],
];
// biome-ignore format: it is a row of the table
const filePath = ['a file path of the server', /(?:^|[\s"'(])(?:\/(?:usr|home|app|srv|opt|var|root)\/[\w./-]+\.\w+|[A-Z]:\\\\?[\w\\ .-]+\.\w+)/] as const;

/** Maximum number of characters of a body that are searched. */
const mostSearched = 65_536;

/**
 * Returns a text without the path of the request, which many refusals repeat. The base path stands before it, and may
 * well be `/app`.
 */
function withoutOwnPath(text: string, path: string): string {
  const [own = ''] = path.split('?');
  const spelled = [own, decoded(own)].map(one => one.replace(/[^A-Za-z0-9]/g, '\\$&')).join('|');
  return text.replace(new RegExp(`(?<![\\w./-])[\\w./-]*(?:${spelled})(?![\\w/-]|\\.\\w)`, 'g'), '');
}

/** Returns the text of a body that is the service's own: what a success has in `data`, users have written. */
function ownText({ success, own, value }: Answer, text: string): string {
  if (!success) return text;
  // Another address, such as a page of documentation, may show anything.
  if (!own || !isObject(value)) return '';
  const { data: _data, pagination: _links, ...rest } = value;
  return JSON.stringify(rest);
}

/** Section 7, CWE-209: an answer reveals nothing of the server's internals (SHOULD). */
export const disclosure: PassiveCheck = {
  kind: 'passive',
  id: 'disclosure',
  level: 'SHOULD',
  title: 'An answer shows no stack trace and no path of the server',
  detects: 'A debug error handler left on: it tells an attacker what runs there and where.',
  requirements: () => ['robust.no-leak'],
  appliesTo: () => true,
  observe(answer) {
    const { body, failure, request } = answer.reply;
    if (failure !== null) return notJudged;
    if (body.kind === 'empty') return answer.success ? notJudged : covering([], []);
    const text = withoutOwnPath(ownText(answer, body.text).slice(0, mostSearched), request.path);
    // What looks like a file beside the data of a success may be a link.
    for (const [what, pattern] of answer.success ? traces : [...traces, filePath]) {
      const [found] = pattern.exec(text) ?? [];
      if (found === undefined) continue;
      const actual = `${what}: ${JSON.stringify(clip(found, 80))}`;
      return violated(answer, 'robust.no-leak', 'body', 'nothing of the server’s insides', actual);
    }
    return answer.success ? notJudged : passed;
  },
};
