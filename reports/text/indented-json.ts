const mostDepth = 20;

/**
 * Indents the text of a JSON document: adds line ends and indentation between its tokens and changes nothing else, so
 * that numbers, escapes, duplicate members and even faults stay as they were on the wire. Returns at most `most` lines.
 * A text that does not begin like an object or array is returned as one line.
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
  // A string (which may be cut off), an empty object or array, a punctuation mark, white space, or a run of anything
  // else.
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
