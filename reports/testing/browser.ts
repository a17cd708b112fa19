import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** The browser that page tests use: `$CHROMIUM`, else Debian's. */
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Why page tests cannot run here; undefined where they can. In continuous integration a missing browser is a failure, never a skip. */
export const noBrowser: string | undefined = existsSync(executablePath)
  ? undefined
  : `No browser at ${executablePath}: install chromium or set CHROMIUM. The page tests did not run.`;

// biome-ignore format: a table
const quiet = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** How long a browser may take for anything, in milliseconds: a slow machine is no failure. */
export const longest = 240_000;

/** A headless browser that asks the network for nothing by itself. Its profile is empty and gone when it is closed. */
export function browser(): Promise<Browser> {
  return chromium.launch({ executablePath, args: quiet, timeout: longest });
}

/** Where the page under test seems to come from: a secure origin, so that the clipboard works. */
export const origin = 'https://report.example.test';

/** A page that has been opened, and all that it did that a report must not do. */
export interface Opened {
  readonly page: Page;
  /** Console messages of warning or error, uncaught errors, dialogs and requests beside the page itself. */
  readonly misdeeds: string[];
}

/** Opens a document. Every request but that for the document itself is refused, and told. */
export async function open(on: Browser, html: string, options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await on.newContext({ permissions: ['clipboard-read', 'clipboard-write'], ...options });
  context.setDefaultTimeout(longest);
  const misdeeds: string[] = [];
  await context.route('**/*', route => {
    const url = route.request().url();
    if (url === `${origin}/report.html`) return route.fulfill({ contentType: 'text/html; charset=utf-8', body: html });
    misdeeds.push(`request: ${url}`);
    return route.abort();
  });
  const page = await context.newPage();
  page.on('console', message => {
    if (['error', 'warning'].includes(message.type())) misdeeds.push(`console: ${message.text()}`);
  });
  page.on('pageerror', error => misdeeds.push(`error: ${error.message}`));
  page.on('dialog', dialog => {
    misdeeds.push(`dialog: ${dialog.message()}`);
    return dialog.dismiss();
  });
  context.on('page', () => misdeeds.push('a second window'));
  await page.goto(`${origin}/report.html`);
  return { page, misdeeds };
}
