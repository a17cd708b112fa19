import type { BodyEvidence } from '../../contracts/report/evidence.ts';
import { type Line, styled } from './page.ts';
import { safeText } from './safe-text.ts';

const mostLines = 20;
const mostDepth = 20;

/** A body as lines: JSON indented, anything else as it is, cut in height and width, and what was cut said. */
export function bodyLines(body: BodyEvidence, width: number): Line[] {
  if (body.bytes === 0) return [[styled('faint', '(empty)')]];
  const lines = indentedJson(body.text, mostLines + 1);
  const shown: Line[] = lines.slice(0, mostLines).map(line => [safeText(line, width)]);
  if (body.truncated || lines.length > mostLines) shown.push([styled('faint', `… (${body.bytes} bytes in all)`)]);
  return shown;
}

/**
 * The text of a JSON document with line ends and indentation added between its tokens and nothing else changed: numbers, escapes, duplicate
 * members and even faults stay as they were on the wire. At most `most` lines. What does not begin like an object or array is one line.
 */
export function indentedJson(text: string, most: number): string[] {
  if (!/^\s*[[{]/.test(text)) return [text];
  const lines: string[] = [];
  let line = '';
  let depth = 0;
  const breakLine = () => {
    lines.push(line);
    line = '  '.repeat(Math.min(depth, mostDepth));
  };
  // A string (which may be cut off), an empty object or array, a mark, white space, or a run of anything else.
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"?|\{\s*\}|\[\s*\]|[{}[\],:]|\s+|[^"{}[\],:\s]+/gs)) {
    if (lines.length >= most) return lines;
    if (token === '{' || token === '[') {
      line += token;
      depth += 1;
      breakLine();
    } else if (token === '}' || token === ']') {
      depth = Math.max(0, depth - 1);
      breakLine();
      line += token;
    } else if (token === ',') {
      line += token;
      breakLine();
    } else if (token === ':') line += ': ';
    else if (token.trim() !== '') line += token;
  }
  lines.push(line);
  return lines;
}
