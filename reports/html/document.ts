import { createHash } from 'node:crypto';
import { Eta } from 'eta/core';
import { safeText } from '../text/safe-text.ts';
import { style } from './style.ts';

/** Templates by the name under which they include one another; `@` makes the engine keep them in memory. */
type Templates = Readonly<Record<`@${string}`, string>>;

/** The templates that the page of a report and the page of a comparison share. */
export const parts = {
  /** The sign of a verdict: a shape, a colour and a character, none of which is read aloud. */
  '@sign': `<span class="mark mark-<%= it.kind %>" aria-hidden="true"><%= it.sign %></span>`,

  /** The sign of a verdict with its word for those who cannot see it. */
  '@sign-read': `<%~ include('@sign', it) %><span class="unseen"><%= it.word %></span>`,

  /** A sentence with code in it. */
  '@prose': `<% it.pieces.forEach(piece => { %><% if (piece.as === 'code') { %><code><%= piece.text %></code><% } else if (piece.as === 'emphasis') { %><em><%= piece.text %></em><% } else { %><%= piece.text %><% } %><% }) %>`,

  /** The first lines of the head: what the page is about, and the verdict. */
  '@verdict': `<p class="kicker"><%= it.kicker %></p>
<h1><%~ include('@sign', it.verdict) %><span class="first"><%= it.verdict.word %></span><% if (it.coverage) { %><span class="coverage">· <%= it.coverage %></span><% } %></h1>`,

  /** The signs of a matrix with their words. */
  '@legend': `<ul class="legend" aria-label="Signs">
<% it.legend.forEach(one => { %><li><%~ include('@sign', one) %><%= one.word %></li>
<% }) %></ul>`,

  /** Names and values. */
  '@pairs': `<% it.pairs.forEach(pair => { %><div><dt><%= pair.name %></dt><dd class="data <%= pair.kind %>"><% if (pair.marked) { %><%~ include('@marked', pair.marked) %><% } else { %><%= pair.value %><% } %></dd></div>
<% }) %>`,

  /** A value with the part marked in which it differs. */
  '@marked': `<%= it.before %><mark><%= it.odd %></mark><%= it.after %>`,

  /** What wrote the page, and from what. */
  '@footer': `<footer><p class="detail">Written by <%= it.tool %> from <%= it.source %>. This page needs no network and sends nothing.</p></footer>`,
} as const;

const escapeHtml = new Eta().config.escapeFunction;

/**
 * Returns a renderer over some templates and the shared parts: it gives the text of the named template for a view.
 * Every interpolation `<%= … %>` is escaped; raw output stands in templates for `include` only, as a test checks.
 */
export function renderer(templates: Templates): (name: keyof Templates, view: object) => string {
  const eta = new Eta({ escapeFunction: escapedHtml, autoTrim: false });
  for (const [name, template] of Object.entries({ ...parts, ...templates })) eta.loadTemplate(name, template);
  return (name, view) => eta.render(name, view);
}

/**
 * Returns a value as the markup that shows it, in an element or in an attribute between double quotes: first characters
 * that would not show as themselves are written out (`\u{202e}`), then the signs of HTML are escaped.
 */
export function escapedHtml(value: unknown): string {
  return escapeHtml(safeText(value === undefined || value === null ? '' : String(value), Number.POSITIVE_INFINITY));
}

/** A page. Its title and its script are constants of ours; its body comes from a renderer. */
interface HtmlPage {
  readonly title: string;
  readonly body: string;
  /** What the page does besides being read; absent if it does nothing. */
  readonly script?: string;
  /** Files beside the page that hold style and script; absent: they stand in the page. */
  readonly files?: PageFiles;
}

/** The names of the files that hold the style and the script of a page. */
export interface PageFiles {
  readonly style: string;
  readonly script: string;
}

/** What may stand beside a page: files of its own origin, or of its folder where it is opened from a disk. */
const beside = "'self' file:";

/**
 * Returns one HTML document. Its policy allows its style and its script only, whether they stand in it or in files of
 * their own, which servers with a strict policy of theirs let through where they block what stands in a page.
 */
export function htmlDocument({ title, body, script, files }: HtmlPage): string {
  const policy = [
    "default-src 'none'",
    `style-src ${files === undefined ? `'${hash(style)}'` : beside}`,
    ...(script === undefined ? [] : [`script-src ${files === undefined ? `'${hash(script)}'` : beside}`]),
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
  // Constants only: whatever comes from a run is in the body.
  return htmlFrame({
    policy,
    title,
    style: files === undefined ? `<style>${style}</style>` : `<link rel="stylesheet" href="${files.style}">`,
    body: `${body}\n${script === undefined ? '' : scriptTag(script, files)}`,
  });
}

const scriptTag = (script: string, files: PageFiles | undefined): string =>
  files === undefined ? `<script>${script}</script>\n` : `<script src="${files.script}"></script>\n`;

/** The parts of a document; all of them are HTML as it stands, and the body ends in a line break. */
interface HtmlFrame {
  /** What the page may load, as a content security policy. */
  readonly policy: string;
  readonly title: string;
  readonly style: string;
  readonly body: string;
}

/** Returns the frame of every page: light and dark, of any width, and telling no other place where it was left. */
export const htmlFrame = ({ policy, title, style: look, body }: HtmlFrame): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${look}
</head>
<body>
${body}</body>
</html>
`;

function hash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
