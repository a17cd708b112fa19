/** Returns a cell of a Markdown table: one line, with bars escaped. */
export function cell(text: string): string {
  return text.replaceAll('|', '\\|').replace(/\s*\n\s*/g, ' ');
}

/** Returns a Markdown table. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Returns a text as inline code; an empty one stays empty. */
export function code(text: string): string {
  return text === '' ? '' : `\`${text}\``;
}
