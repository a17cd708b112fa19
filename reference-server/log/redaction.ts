import { createSecrets, longestSpelling, type Secrets } from '../../contracts/redaction/secrets.ts';
import { beginning, type Shown, own as words } from '../../contracts/redaction/shown.ts';

/** Takes keys out of what is kept and shown. */

const redacted = words`[redacted]`;

/** Headers that carry credentials, whatever the key's own header is called. */
const credentials: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie']);

/** The beginning of a text as a copy, for a slice would keep the whole text in memory: of a very long one. */
const detached = (text: string, limit: number): string =>
  text.length <= 4 * limit ? text : Buffer.from(text.slice(0, limit)).toString();

/**
 * Redacts some keys in every spelling: those of eight characters or more wherever they stand, shorter ones where they are
 * whole values, for else they would riddle every name. Of headers that carry keys nothing is shown, as another key than the
 * right one is somebody's key too. `keyHeader` is the header that carries them.
 */
export const redactionOf = (apiKeys: readonly string[], keyHeader: string) => {
  const margin = Math.max(0, ...apiKeys.map(longestSpelling)) + 1;
  const own = keyHeader.toLowerCase();
  // Of most worlds nobody looks at the log.
  let made: Secrets | undefined;
  const secrets = (): Secrets => {
    if (made !== undefined) return made;
    made = createSecrets();
    for (const key of apiKeys) made.add(key, redacted);
    return made;
  };
  /** What is shown of a text that was kept. */
  const shown = (text: string, limit: number): Shown => {
    const cut = text.slice(0, limit + margin);
    return beginning(cut.length < limit + margin ? secrets().redact(cut) : secrets().redactCut(cut), limit);
  };
  return {
    /** What is kept of a text, which is more than is shown of it: so a key across the cut is found whole. */
    kept: (text: string, limit: number): string => detached(text, limit + margin),
    shown,
    /** What is shown of the value of a header, whose name may be in any letter case. */
    header(name: string, value: string, limit: number): Shown {
      const lower = name.toLowerCase();
      return lower === own || credentials.has(lower) ? redacted : shown(value, limit);
    },
  };
};

/** Takes keys out of what is kept and shown. */
export type Redaction = ReturnType<typeof redactionOf>;
