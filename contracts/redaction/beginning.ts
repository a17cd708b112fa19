import type { Secrets } from './secrets.ts';
import { beginning, type Shown } from './shown.ts';

/** Longer texts are cut before the search for secrets; a truncated secret is recognised by the ellipsis after it. */
export const slack = 4_096;

/** Returns the redacted beginning of a text, with a maximum number of characters, and whether there is more of it. */
export function redactedBeginning(text: string, most: number, secrets: Secrets): { text: Shown; truncated: boolean } {
  const isFar = text.length > most + slack;
  const redacted = secrets.redact(isFar ? `${text.slice(0, most + slack)}…` : text);
  return { text: beginning(redacted, most), truncated: isFar || redacted.length > most };
}
