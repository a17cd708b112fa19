import { expect } from 'vitest';

/** Texts that attack the terminal or workflow runner that shows them. */
export const attacks = [
  '\u001b[31mred\u001b]0;owned\u0007',
  '\n::error::owned',
  'a\r\n  ::add-mask::a',
  '##[error]owned ##vso[task.complete]owned ##teamcity[owned]',
  'safe\u202egnp.exe\u2066\u200b\u{e0041}\u3164',
  'half a pair \ud800 and \udfff',
] as const;

/**
 * Fails if an output contains any of these unescaped. Ask for an output without colours, because those begin with an
 * escape too.
 */
export function expectHarmless(text: string): void {
  expect(text).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}|\p{Surrogate}|[\u200b\u3164\u{e0041}]/u);
  expect(text).not.toMatch(/^\s*::|##(?:vso|teamcity)?\[/m);
}
