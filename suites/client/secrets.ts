/**
 * Takes secrets out of every text that may be shown or stored: the API key, its near misses (which would give it away), and the
 * forms in which a target may echo it (percent-encoded, Base64).
 */
export interface Secrets {
  /** Adds a secret; `mark` stands in its place. */
  add(secret: string, mark: string): void;
  /** The text with every secret replaced by its mark. */
  redact(text: string): string;
}

/** Shorter secrets are not worth hiding and would riddle every text with marks. */
const shortestSecret = 4;

/** An empty set of secrets. Longer secrets are replaced first, so that a near miss never leaves the key's remains behind. */
export function createSecrets(): Secrets {
  let forms: { text: string; mark: string }[] = [];
  return {
    add(secret, mark) {
      if (secret.length < shortestSecret) return;
      const bytes = Buffer.from(secret);
      const written = [
        secret,
        encodeURIComponent(secret),
        JSON.stringify(secret).slice(1, -1),
        bytes.toString('base64'),
        bytes.toString('base64').replace(/=+$/, ''),
        bytes.toString('base64url'),
      ];
      const known = new Set(forms.map(form => form.text));
      for (const text of new Set(written)) {
        if (!known.has(text)) forms.push({ text, mark });
      }
      forms = forms.sort((a, b) => b.text.length - a.text.length);
    },
    redact(text) {
      let redacted = text;
      for (const form of forms) {
        if (redacted.includes(form.text)) redacted = redacted.split(form.text).join(form.mark);
      }
      return redacted;
    },
  };
}
