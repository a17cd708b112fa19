import { createHash } from 'node:crypto';
import { Eta } from 'eta/core';
import { escapedHtml } from '../text/markup.ts';
import { style } from './style.ts';

/**
 * Returns a renderer over some templates, which returns the text of a template for a view. Every interpolation `<%= …
 * %>` is escaped. The `@` of a name makes the engine keep the template in memory.
 */
export function renderer<T extends Readonly<Record<`@${string}`, string>>>(
  templates: T,
): (name: keyof T & string, view: object) => string {
  // The engine merges the data of a parent into those of an included template. Nesting them under `own` hides the
  // parent's.
  const scope = { varName: 'scope', functionHeader: 'const it = scope.own;' };
  const eta = new Eta({ escapeFunction: escapedHtml, autoTrim: false, ...scope });
  for (const [name, template] of Object.entries(templates)) eta.loadTemplate(name, template);
  return (name, view) => eta.render(name, { own: view });
}

/** A page. Its body comes from a renderer, and its script is a constant of ours. */
interface HtmlPage {
  readonly title: string;
  readonly body: string;
  /** The script of an interactive page; absent otherwise. */
  readonly script: string | undefined;
  /** Separate files for style and script; absent: they are inline. */
  readonly files: PageFiles | undefined;
}

/** The names of the files that hold the style and the script of a page. */
export interface PageFiles {
  readonly style: string;
  readonly script?: string;
}

/** Sources allowed for separate files: the origin of the page, or its folder if opened from disk. */
const beside = "'self' file:";

/**
 * Returns one HTML document: light and dark, for any width, and sending no referrer. Its policy allows only its own
 * style and script, inline or in separate files. Separate files also work on servers whose strict policy blocks inline
 * ones.
 */
export function htmlDocument({ title, body, script, files }: HtmlPage): string {
  const allowed = (kind: string, text: string) => `${kind} ${files ? beside : `'${hash(text)}'`}`;
  const policy = [
    "default-src 'none'",
    allowed('style-src', style),
    ...(script === undefined ? [] : [allowed('script-src', script)]),
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
  const look = files ? `<link rel="stylesheet" href="${files.style}">` : `<style>${style}</style>`;
  const behaviour = files ? `<script src="${files.script}"></script>\n` : `<script>${script}</script>\n`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${escapedHtml(title)}</title>
${look}
</head>
<body>
${body}
${script === undefined ? '' : behaviour}</body>
</html>
`;
}

function hash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
