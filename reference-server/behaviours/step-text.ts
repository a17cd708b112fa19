import { type ScriptedAnswer, type WireFailure, wireFailures } from '../../contracts/behaviour.ts';

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };
const effects = ['before', 'after', 'none'] as const;

/** The words that a step may contain, for error messages. */
export const stepWords = `a status, real, a delay such as 500ms, ${effects.join(', ')}, ${Object.keys(wireFailures).join(', ')}, drip=BYTES, then headers: 429 Retry-After: 1; X-Why: busy`;

/** Parses one word of a step; undefined if unknown. */
const wordOf = (word: string): ScriptedAnswer | undefined => {
  if (word === 'real') return {};
  if (/^\d{3}$/.test(word)) return { status: Number(word) };
  if (Object.hasOwn(wireFailures, word)) return { wire: word as WireFailure };
  const effect = effects.find(one => one === word);
  if (effect !== undefined) return { effect };
  const drip = /^drip=(\d+)$/.exec(word)?.[1];
  if (drip !== undefined) return { bytesPerSecond: Number(drip) };
  const [, count, unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(word) ?? [];
  return count === undefined ? undefined : { delay: { ms: Number(count) * (units[unit] ?? 1) } };
};

/**
 * Parses a step of a script from one line: words, then headers separated by semicolons. `real` alone is the operation's
 * own answer. Undefined if invalid (`stepWords` lists the words).
 */
export const stepOf = (line: string): ScriptedAnswer | 'real' | undefined => {
  const [first = ''] = line.match(/[\w!#$%&'*+.^`|~-]+:\s/) ?? [];
  const at = first === '' ? line.length : line.indexOf(first);
  const words = line.slice(0, at).trim().split(/\s+/).filter(Boolean);
  const said = words.map(wordOf);
  if (words.length === 0 || said.includes(undefined)) return undefined;
  const headers = line
    .slice(at)
    .split(';')
    .map(text => /^\s*([^:\s]+):\s*(.*?)\s*$/.exec(text));
  if (first !== '' && headers.includes(null)) return undefined;
  const named = Object.fromEntries(headers.flatMap(found => (found === null ? [] : [[found[1], found[2]]])));
  const step: ScriptedAnswer = Object.assign({}, ...said, first === '' ? {} : { headers: named });
  return Object.keys(step).length === 0 ? 'real' : step;
};
