/**
 * Replaces what stands between `<!-- NAME -->` and `<!-- /NAME -->` in a document. Throws a RangeError where it has no
 * such section.
 */
export function withSection(document: string, name: string, content: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const from = document.indexOf(begin);
  const to = document.indexOf(end);
  if (from < 0 || to < from) throw new RangeError(`the document has no section ${name}`);
  return `${document.slice(0, from + begin.length)}\n\n${content.trim()}\n\n${document.slice(to)}`;
}
