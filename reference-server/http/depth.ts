const quote = 0x22;
const backslash = 0x5c;

/**
 * Whether the text of a JSON document nests deeper than `limit` levels. The text is scanned before it is parsed, because parsing,
 * validating and serialising are recursive and would overflow the stack. The text need not be valid JSON.
 */
export const deeperThan = (text: string, limit: number): boolean => {
  let depth = 0;
  let inText = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (inText) {
      if (code === backslash) index++;
      else if (code === quote) inText = false;
    } else if (code === quote) inText = true;
    // `[` and `{`, then `]` and `}`, differ in one bit only.
    else if ((code | 0x20) === 0x7b) {
      depth++;
      if (depth > limit) return true;
    } else if ((code | 0x20) === 0x7d) depth--;
  }
  return false;
};
