import { createHash } from 'node:crypto';
import { style } from './style.ts';

/** A page: its title and its script are constants of ours, its body comes from a renderer. */
export interface Document {
  readonly title: string;
  readonly body: string;
  /** What the page does beside being read; absent where it does nothing. */
  readonly script?: string;
}

/** One HTML document that needs nothing beside itself. Its policy lets a browser show it, with this style and this script, and nothing else. */
export function documentOf({ title, body, script }: Document): string {
  const policy = [
    "default-src 'none'",
    `style-src '${hash(style)}'`,
    ...(script === undefined ? [] : [`script-src '${hash(script)}'`]),
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
  // Constants only: what came from a run is in the body.
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
${body}
${script === undefined ? '' : `<script>${script}</script>\n`}</body>
</html>
`;
}

function hash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
