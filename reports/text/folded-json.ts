import { type JsonNode, jsonTree } from '../../contracts/json-tree.ts';
import { steps } from '../../contracts/pointer.ts';
import { safeText } from './safe-text.ts';

/** Limits for a body: the lines of the accused value, and the width of every line. */
type FoldBounds = Readonly<Record<'lines' | 'columns', number>>;

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

/** Returns a child on one line, after its name in an object. */
const childText = (
  text: string,
  { name, node }: JsonNode['children'][number],
  isArray: boolean,
  most = short,
): string => `${isArray ? '' : `${JSON.stringify(name)}: `}${brief(text, node, most)}`;

/** Returns one line for the members skipped between two shown ones. */
function gap(text: string, skipped: JsonNode['children'], isArray: boolean): string[] {
  const [first] = skipped;
  const last = skipped.at(-1);
  if (!first || !last) return [];
  if (isArray) return [`… ${skipped.length} more`];
  if (skipped.length === 1) return [childText(text, first, isArray)];
  return [`… ${skipped.length} more members, ${sizeOf(text.slice(first.node.start, last.node.end))}`];
}

/**
 * Returns a JSON body in lines, folded around a place (a JSON Pointer; `*` is the first item). The place is shown as on
 * the wire, its neighbours as count and bytes. For a missing place, the object that lacks it is shown. Undefined if the
 * body is not JSON.
 */
export function foldedJson(text: string, pointer: string, bounds: FoldBounds) {
  const root = jsonTree(text);
  if (!root) return undefined;
  const lines: { readonly text: string; readonly accused: boolean }[] = [];
  const add = (depth: number, line: string, accused = false, isLast = true) =>
    void lines.push({
      text: safeText(`${'  '.repeat(Math.min(depth, 12))}${line}${isLast ? '' : ','}`, bounds.columns),
      accused,
    });

  function show(
    node: JsonNode,
    [step, ...rest]: readonly string[],
    depth: number,
    before: string,
    isLast: boolean,
  ): void {
    const { kind, children } = node;
    const at = children.findIndex(({ name }) => name === step || (step === '*' && kind === 'array'));
    const next = children[at];
    const isAccused = !next;
    const isArray = kind === 'array' || (kind === 'cut' && !isAccused && text[node.start] === '[');
    const addGap = (from: number, to = children.length) => {
      // A line for what is skipped takes no comma; a single skipped member is shown, and takes one.
      for (const line of gap(text, children.slice(from, to), isArray))
        add(depth + 1, line, false, to === children.length || line.startsWith('… '));
    };
    const whole = isAccused ? brief(text, node, bounds.columns - before.length - 2 * depth - 2) : '';
    if (isAccused && (children.length === 0 || !whole.includes(' … '))) {
      add(depth, `${before}${whole}`, true, isLast);
      return;
    }
    add(depth, `${before}${isArray ? '[' : '{'}`, isAccused);
    if (isAccused) {
      for (const [index, child] of children.slice(0, bounds.lines).entries())
        add(depth + 1, childText(text, child, isArray), true, index === children.length - 1);
      addGap(bounds.lines);
    } else {
      addGap(0, at);
      show(next.node, rest, depth + 1, isArray ? '' : `${JSON.stringify(next.name)}: `, at === children.length - 1);
      addGap(at + 1);
    }
    const isOpen = kind === 'cut' && !isAccused;
    add(depth, isOpen ? '…' : isArray ? ']' : '}', isAccused, isLast || isOpen);
  }

  show(root, steps(pointer), 0, '', true);
  return lines;
}

/** Returns a JSON body on one line: as many of its members as fit, each abbreviated, and its size. */
export function flatJson(text: string, columns: number): string | undefined {
  const root = jsonTree(text);
  if (!root) return undefined;
  const isArray = text[root.start] === '[';
  const size = ` (${sizeOf(text)})`;
  const parts: string[] = [];
  let room = columns - size.length - 5;
  for (const child of root.children) {
    const part = childText(text, child, isArray, 24);
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
  return [...lines, line].slice(0, most);
}
