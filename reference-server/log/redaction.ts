/** Takes a key out of what is kept and shown. */

const redacted = '[redacted]';

/** Headers that carry credentials, whatever the key's own header is called. */
const credentials: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie']);

/** A key of so many characters is no part of a name by chance. */
const longKey = 8;

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/** Where the key could be written in a URL or in JSON. */
const patternOf = (apiKey: string): RegExp => {
  const spellings = [apiKey, encodeURIComponent(apiKey), JSON.stringify(apiKey).slice(1, -1)];
  const written = [...new Set(spellings)].map(literal).join('|');
  return apiKey.length >= longKey ? new RegExp(written, 'g') : new RegExp(`(?<=["=])(?:${written})(?=["&]|$)`, 'g');
};

/** A copy of the beginning of a text: a slice would keep the whole text in memory. */
const detached = (text: string, limit: number): string =>
  text.length <= limit ? text : Buffer.from(text.slice(0, limit)).toString();

/**
 * The key is redacted: one of eight characters or more wherever it stands, a shorter one where it is a whole value of a
 * query or a whole text of JSON, for else it would riddle every name. Of headers that carry keys nothing is shown, as
 * another key than the right one is somebody's key too.
 */
export interface Redaction {
  /** The part of a text that is kept of it: longer than what is shown, so that a key across the cut is found whole. */
  readonly kept: (text: string, limit: number) => string;
  /** What is shown of a text that was kept. */
  readonly shown: (text: string, limit: number) => string;
  /** What is shown of the value of a header, whose name may be in any letter case. */
  readonly header: (name: string, value: string, limit: number) => string;
}

/** Redacts some keys; `keyHeader` is the header that carries them. */
export const redactionOf = (apiKeys: readonly string[], keyHeader: string): Redaction => {
  // A long key first: a shorter one may be a part of it.
  const keys = [...new Set(apiKeys)].filter(key => key !== '').sort((a, b) => b.length - a.length);
  const patterns = keys.map(patternOf);
  const margin = 6 * Math.max(0, ...keys.map(key => key.length)) + 1;
  const own = keyHeader.toLowerCase();
  const shown: Redaction['shown'] = (text, limit) =>
    patterns.reduce((left, pattern) => left.replace(pattern, redacted), text).slice(0, limit);
  return {
    kept: (text, limit) => detached(text, limit + margin),
    shown,
    header(name, value, limit) {
      const lower = name.toLowerCase();
      return lower === own || credentials.has(lower) ? redacted : shown(value, limit);
    },
  };
};
