import { grouped } from '../../contracts/grouped.ts';
import { type JsonNode, jsonTree } from '../../contracts/json-tree.ts';
import { steps } from '../../contracts/pointer.ts';
import { safeText } from './safe-text.ts';

/** A line of a body. */
interface FoldedLine {
  readonly text: string;
  /** True for the lines of the accused value. */
  readonly accused: boolean;
}

/** Limits for a body: the lines of the accused value, and the width of every line. */
interface FoldBounds {
  readonly lines: number;
  readonly columns: number;
}

/** Maximum length of a value shown in full, in characters. */
const short = 36;

const sizeOf = (text: string): string => `${Buffer.byteLength(text).toLocaleString('en')} bytes`;

/** Returns a value on one line: in full if it is short, else its kind and length. */
function brief(text: string, { kind, start, end, children }: JsonNode, most = short): string {
  const raw = text.slice(start, end);
  const oneLine = raw.replace(/\s*\n\s*/g, ' ');
  if (Array.from(oneLine).length <= most) return kind === 'cut' ? `${oneLine}…` : oneLine;
  if (kind === 'array') return `[ … ${children.length} items, ${sizeOf(raw)} ]`;
  if (kind === 'object') return `{ … ${children.length} members, ${sizeOf(raw)} }`;
  const characters = Array.from(raw);
  const isText = raw.startsWith('"');
  const count = `(${(characters.length - (isText ? 2 : 0)).toLocaleString('en')} characters)`;
  return `${characters.slice(0, Math.max(8, most - count.length - 3)).join('')}${isText ? '…"' : '…'} ${count}`;
}

/** Returns one line for the members skipped between two shown ones. */
function gap(text: string, skipped: JsonNode['children'], isArray: boolean): string[] {
  const [first] = skipped;
  const last = skipped.at(-1);
  if (first === undefined || last === undefined) return [];
  if (isArray) return [`… ${skipped.length} more`];
  if (skipped.length === 1) return [`${JSON.stringify(first.name)}: ${brief(text, first.node)}`];
  return [`… ${skipped.length} more members, ${sizeOf(text.slice(first.node.start, last.node.end))}`];
}

/** Returns the children that lead to one of the pointers, each with the remaining steps. */
function onTheWay(node: JsonNode, ways: readonly (readonly string[])[]) {
  const next = ways.flatMap(([first, ...rest]) => {
    if (first === undefined) return [];
    const child = node.children.findIndex(({ name }) => name === first || (first === '*' && node.kind === 'array'));
    return child < 0 ? [] : [{ child, rest }];
  });
  return [...grouped(next, ({ child }) => String(child)).values()]
    .map(own => ({ child: own[0]?.child ?? 0, rest: own.map(({ rest }) => rest) }))
    .sort((a, b) => a.child - b.child);
}

/**
 * Returns a JSON body in lines, folded around some places (JSON Pointers; `*` is the first item). The places are shown
 * as on the wire, their neighbours as count and bytes. For a missing place, the object that lacks it is shown.
 * Undefined if the body is not JSON.
 */
export function foldedJson(text: string, pointers: readonly string[], bounds: FoldBounds): FoldedLine[] | undefined {
  const root = jsonTree(text);
  if (root === undefined) return undefined;
  const lines: FoldedLine[] = [];
  const add = (depth: number, line: string, accused = false) =>
    void lines.push({ text: safeText(`${'  '.repeat(Math.min(depth, 12))}${line}`, bounds.columns), accused });

  function show(
    node: JsonNode,
    ways: readonly (readonly string[])[],
    depth: number,
    before: string,
    after: string,
  ): void {
    const here = ways.some(way => way.length === 0);
    const inner = onTheWay(node, ways);
    const room = bounds.columns - before.length - 2 * depth - 2;
    if (here || inner.length === 0 || node.children.length === 0) {
      const whole = brief(text, node, room);
      if (node.children.length === 0 || !whole.includes(' … ')) {
        add(depth, `${before}${whole}${after}`, true);
        return;
      }
      add(depth, `${before}${node.kind === 'array' ? '[' : '{'}`, true);
      const shown = node.children.slice(0, bounds.lines);
      for (const { name, node: child } of shown)
        add(depth + 1, `${node.kind === 'array' ? '' : `${JSON.stringify(name)}: `}${brief(text, child)}`, true);
      for (const line of gap(text, node.children.slice(shown.length), node.kind === 'array')) add(depth + 1, line);
      add(depth, `${node.kind === 'array' ? ']' : '}'}${after}`, true);
      return;
    }
    const isArray = node.kind === 'array' || (node.kind === 'cut' && text[node.start] === '[');
    add(depth, `${before}${isArray ? '[' : '{'}`);
    let from = 0;
    for (const { child, rest } of inner) {
      for (const line of gap(text, node.children.slice(from, child), isArray)) add(depth + 1, line);
      const one = node.children[child];
      if (one !== undefined) show(one.node, rest, depth + 1, isArray ? '' : `${JSON.stringify(one.name)}: `, '');
      from = child + 1;
    }
    for (const line of gap(text, node.children.slice(from), isArray)) add(depth + 1, line);
    add(depth, node.kind === 'cut' ? '…' : `${isArray ? ']' : '}'}${after}`);
  }

  show(root, pointers.length === 0 ? [[]] : pointers.map(steps), 0, '', '');
  return lines;
}

/** Returns a JSON body on one line: as many of its members in short as fit, and its size. */
export function flatJson(text: string, columns: number): string | undefined {
  const root = jsonTree(text);
  if (root === undefined) return undefined;
  const isArray = text[root.start] === '[';
  const size = ` (${sizeOf(text)})`;
  const parts: string[] = [];
  let room = columns - size.length - 5;
  for (const { name, node } of root.children) {
    const part = `${isArray ? '' : `${JSON.stringify(name)}: `}${brief(text, node, 24)}`;
    room -= part.length + 2;
    if (room < 0) break;
    parts.push(part);
  }
  if (parts.length < root.children.length) parts.push('…');
  return safeText(`${isArray ? '[' : '{'}${parts.join(', ')}${isArray ? ']' : '}'}${size}`, columns);
}

const mostDepth = 20;

/**
 * Indents the text of a JSON document: adds only line ends and indentation between its tokens. Numbers, escapes,
 * duplicate members and even faults stay as they were on the wire. Returns at most `most` lines. A text that does not
 * begin like an object or array is returned as one line.
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
  // A string (perhaps cut off), an empty object or array, a punctuation mark, white space, or a run of anything else.
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
