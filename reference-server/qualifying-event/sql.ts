import type { Naming } from '../../contracts/target.ts';

/**
 * Comments, and texts and quoted names with their content: what they hold is no SQL of its own. A comment that does not end goes to the end
 * of the text: were each of its beginnings to look for an end in vain, a long text of them would take hours.
 */
const opaque = /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'[^']*'|"[^"]*"|`[^`]*`/g;

const withoutOpaque = (sql: string): string =>
  sql.replace(opaque, part => (part.startsWith('/*') && !/^\/\*[\s\S]*\*\/$/.test(part) ? ' /* ' : ' '));

const balanced = (sql: string): boolean => {
  let open = 0;
  for (const character of sql) {
    if (character === '(') open++;
    else if (character === ')' && --open < 0) return false;
  }
  return open === 0;
};

/**
 * What is wrong with the query of a metric source, if anything: it has to be one SELECT (or WITH … SELECT), closed in itself, and its
 * placeholders are the two that the service knows (section 2.6), under the names of `naming`. This is no SQL parser.
 */
export const sqlProblem = (sql: string, naming: Naming): string | undefined => {
  const bare = withoutOpaque(sql).trim();
  if (!/^\(*\s*(select|with)\b/i.test(bare)) return 'must be a SELECT statement';
  if (/['"`]|\/\*/.test(bare)) return 'has a text or a comment that does not end';
  if (/;\s*\S/.test(bare)) return 'must be a single statement';
  if (!balanced(bare)) return 'has parentheses that do not match';
  const known = [naming.startDatePlaceholder, naming.endDatePlaceholder];
  const unknown = sql.match(/\{\w+\}/g)?.find(placeholder => !known.includes(placeholder));
  return unknown === undefined ? undefined : `has the unknown placeholder ${unknown}`;
};
