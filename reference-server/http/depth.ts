const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

/** How much structure a JSON document may have. */
export interface Structure {
  /** Levels of nesting. Parsing, validating and serialising are recursive and would overflow the stack. */
  readonly levels: number;
  /**
   * Items of lists and members of objects together. Each may be invalid, and an error costs a hundred times its input.
   */
  readonly parts: number;
}

/**
 * The limit that the text of a JSON document exceeds, if any. The text is scanned before it is parsed; it need not be
 * valid JSON. Parts are counted by their commas.
 */
export const excessOf = (text: string, { levels, parts }: Structure): keyof Structure | undefined => {
  let depth = 0;
  let commas = 0;
  let inText = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (inText) {
      if (code === backslash) index++;
      else if (code === quote) inText = false;
    } else if (code === quote) inText = true;
    else if (code === comma) {
      commas++;
      if (commas > parts) return 'parts';
    }
    // `[` and `{`, then `]` and `}`, differ in one bit only.
    else if ((code | 0x20) === 0x7b) {
      depth++;
      if (depth > levels) return 'levels';
    } else if ((code | 0x20) === 0x7d) depth--;
  }
  return undefined;
};
