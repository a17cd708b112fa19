import { parsedJson } from './json.ts';
import { join, steps } from './pointer.ts';

/**
 * A part of a JSON text with its position. So a report can show one member of a body exactly as it was sent, without
 * the rest.
 */
export interface JsonNode {
  /** `cut`: the text ends within the value. */
  readonly kind: 'object' | 'array' | 'scalar' | 'cut';
  /** The start and the end of the value in the text, in characters. */
  readonly start: number;
  readonly end: number;
  /** The members of an object in order, or the items of an array by index. */
  readonly children: readonly { readonly name: string; readonly node: JsonNode }[];
}

const token = /\s*(?:("(?:[^"\\]|\\.)*")|([{}[\],:])|([^\s"{}[\],:]+))/suy;

/** The deepest nesting that is parsed. */
const deepest = 500;

/** Thrown only within `jsonTree`. */
class Unreadable extends Error {}

/**
 * Parses a JSON text into its parts. A truncated text gives its parts so far, the last one `cut`. Returns undefined for
 * a text that is no object or array, or not JSON.
 */
export function jsonTree(text: string): JsonNode | undefined {
  let at = 0;
  const next = (): { text: string; start: number } | undefined => {
    token.lastIndex = at;
    const found = token.exec(text);
    if (found === null) {
      if (text.slice(at).trim() === '' || /^\s*"/.test(text.slice(at))) return undefined;
      throw new Unreadable();
    }
    at = token.lastIndex;
    const one = found[1] ?? found[2] ?? found[3] ?? '';
    return { text: one, start: at - one.length };
  };
  const cut = (start: number, children: JsonNode['children'] = []): JsonNode => ({
    kind: 'cut',
    start,
    end: text.length,
    children,
  });
  function value(depth: number, first = next()): JsonNode {
    if (!first) return cut(text.length);
    if (depth > deepest) throw new Unreadable();
    const { start } = first;
    if (first.text === '{' || first.text === '[') return members(depth, start, first.text);
    if (/^[}\],:]$/.test(first.text)) throw new Unreadable();
    return { kind: 'scalar', start, end: at, children: [] };
  }
  function members(depth: number, start: number, opening: '{' | '['): JsonNode {
    const isObject = opening === '{';
    const closing = isObject ? '}' : ']';
    const children: { name: string; node: JsonNode }[] = [];
    const whole = (): JsonNode => ({ kind: isObject ? 'object' : 'array', start, end: at, children });
    for (let one = next(); one; one = next()) {
      if (one.text === closing && children.length === 0) return whole();
      const name = isObject ? nameOf(one.text) : String(children.length);
      if (isObject) {
        const colon = next();
        if (!colon) break;
        if (colon.text !== ':') throw new Unreadable();
      }
      const node = value(depth + 1, isObject ? next() : one);
      children.push({ name, node });
      const after = node.kind === 'cut' ? undefined : next();
      if (!after) break;
      if (after.text === closing) return whole();
      if (after.text !== ',') throw new Unreadable();
    }
    return cut(start, children);
  }
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return value(0);
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

function nameOf(text: string): string {
  const name = parsedJson(text);
  if (typeof name === 'string') return name;
  throw new Unreadable();
}

/**
 * Replaces every `*` in a pointer by an index: that of an item whose value at the end of the pointer is `wanted` (its
 * JSON text), otherwise the first. Returns the pointer unchanged if the text has no such value.
 */
export function exactPointer(text: string, pointer: string, wanted: string | undefined): string {
  const root = pointer.includes('*') ? jsonTree(text) : undefined;
  if (!root) return pointer;
  let first: string | undefined;
  const seek = (node: JsonNode, way: readonly string[], at: string): string | undefined => {
    const [step, ...rest] = way;
    if (step === undefined) {
      first ??= at;
      return text.slice(node.start, node.end) === wanted ? at : undefined;
    }
    for (const { name, node: child } of node.children) {
      const found = step === '*' || step === name ? seek(child, rest, join(at, name)) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return seek(root, steps(pointer), '') ?? first ?? pointer;
}

/**
 * Returns the literal JSON text of the value at a pointer, with `*` as in `exactPointer`. Undefined if the text has no
 * such value, or ends within it.
 */
export function jsonAt(text: string, pointer: string, wanted?: string): string | undefined {
  const root = jsonTree(text);
  if (!root) return undefined;
  let node = root;
  for (const step of steps(exactPointer(text, pointer, wanted))) {
    const next = node.children.find(({ name }) => name === step)?.node;
    if (!next) return undefined;
    node = next;
  }
  return node.kind === 'cut' ? undefined : text.slice(node.start, node.end);
}
