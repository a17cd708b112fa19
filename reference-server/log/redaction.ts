import { createSecrets, longestSpelling, type Secrets } from '../../contracts/redaction/secrets.ts';
import { beginning, type Shown, own as words } from '../../contracts/redaction/shown.ts';

/** Removes keys from stored and shown texts. */

const redacted = words`[redacted]`;

/** Headers that always carry credentials, besides the configured key header. */
const credentials: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie']);

/** Returns the beginning of a text, copied if the text is long, because a slice would keep all of it in memory. */
const detached = (text: string, limit: number): string =>
  text.length <= 4 * limit ? text : Buffer.from(text.slice(0, limit)).toString();

/**
 * Redacts keys in every spelling. Keys of eight or more characters are found anywhere, shorter ones only as whole
 * values, because they would match inside names. Credential headers are hidden entirely, because even a wrong key
 * belongs to somebody. `keyHeader` carries the keys.
 */
export const redactionOf = (apiKeys: readonly string[], keyHeader: string) => {
  const margin = Math.max(0, ...apiKeys.map(longestSpelling)) + 1;
  const own = keyHeader.toLowerCase();
  // Created lazily, because the logs of most worlds are never read.
  let made: Secrets | undefined;
  const secrets = (): Secrets => {
    if (made !== undefined) return made;
    made = createSecrets();
    for (const key of apiKeys) made.add(key, redacted);
    return made;
  };
  /** Returns the shown part of a stored text. */
  const shown = (text: string, limit: number): Shown => {
    const cut = text.slice(0, limit + margin);
    return beginning(cut.length < limit + margin ? secrets().redact(cut) : secrets().redactCut(cut), limit);
  };
  return {
    /**
     * Returns the stored part of a text: longer than the shown part, so that a key across the cut is redacted whole.
     */
    kept: (text: string, limit: number): string => detached(text, limit + margin),
    shown,
    /** Returns the shown value of a header, whose name may be in any letter case. */
    header(name: string, value: string, limit: number): Shown {
      const lower = name.toLowerCase();
      return lower === own || credentials.has(lower) ? redacted : shown(value, limit);
    },
  };
};

/** Removes keys from stored and shown texts. */
export type Redaction = ReturnType<typeof redactionOf>;
