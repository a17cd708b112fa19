import type { ParsedBody } from '../protocol/reply.ts';

/** Every string of a JSON text, with the colon behind it where it names a member. */
const strings = /"(?:[^"\\]|\\.)*"(\s*:)?/g;

function namesIn(value: unknown): number {
  let count = 0;
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next !== 'object' || next === null) continue;
    const own = Object.values(next);
    if (!Array.isArray(next)) count += own.length;
    for (const one of own) waiting.push(one);
  }
  return count;
}

/** True of a JSON text in which an object names a member twice: what is read of it then is one of the two. */
function namesTwice(text: string, value: unknown): boolean {
  let names = 0;
  for (const [, colon] of text.matchAll(strings)) if (colon !== undefined) names += 1;
  return names !== namesIn(value);
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** Says of a body that may begin with it; a server may ignore it (RFC 8259 section 8.1). */
export const mark = 'begins with a byte order mark, which JSON never does (RFC 8259 section 8.1)';

/** Says of a body that names a member twice; servers differ about which of the two counts (RFC 8259 section 4). */
export const twice = 'names a member twice (RFC 8259 section 4)';

/** Why servers may make of a body what they like; undefined where they may not. */
export function openReasonOf(body: ParsedBody): string | undefined {
  if (body.kind === 'broken') return body.text.startsWith('\uFEFF') && isJson(body.text.slice(1)) ? mark : undefined;
  return body.kind === 'json' && namesTwice(body.text, body.value) ? twice : undefined;
}

/** NUL, and one half of a pair of surrogates without the other, as JSON writes them: what servers store then is open. */
const openCharacters =
  /\\u0000|\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f][0-9a-f]{2})|(?<!\\ud[89ab][0-9a-f]{2})\\ud[c-f][0-9a-f]{2}/i;

/** Numbers that no double holds: each parser makes something else of them (RFC 8259 section 6). */
const endlessNumber = /\d[eE]\+?\d{3,}|\d{309,}/;

/** True of a body of JSON that holds what nobody states the meaning of: nothing is held against it. */
export const holdsOpenValues = (body: ParsedBody): boolean =>
  body.kind === 'json' && (openCharacters.test(body.text) || endlessNumber.test(body.text));
