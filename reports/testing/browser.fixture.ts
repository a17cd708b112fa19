import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';

/** The browser for page tests: `$CHROMIUM`, else Debian's. */
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Why page tests cannot run here; undefined if they can. */
const noBrowser: string | undefined = existsSync(executablePath)
  ? undefined
  : `No browser at ${executablePath}: install chromium or set CHROMIUM. The page tests did not run.`;

// biome-ignore format: a table
const quiet = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** Timeout of the browser for any action, in milliseconds: a slow machine must not fail a test. */
export const longest = 240_000;

/**
 * Describes tests of pages in a headless browser that sends no requests of its own. Without a browser the tests are
 * skipped; in continuous integration they fail.
 */
export function describeInBrowser(name: string, tests: (chromium: () => Browser) => void): void {
  const skipped = noBrowser !== undefined && process.env.CI !== 'true';
  if (skipped) console.warn(noBrowser);
  describe.skipIf(skipped)(name, () => {
    let opened: Browser | undefined;
    beforeAll(async () => {
      if (noBrowser !== undefined) throw new Error(noBrowser);
      opened = await chromium.launch({ executablePath, args: quiet, timeout: longest });
    });
    afterAll(() => opened?.close());
    tests(() => opened as Browser);
  });
}

/** The origin of the page under test: a secure one, so that the clipboard works. */
export const origin = 'https://report.example.test';

/** An opened page, and its actions that are forbidden in a report. */
export interface Opened {
  readonly page: Page;
  /** Console messages of warning or error, uncaught errors, dialogs, and requests for anything but the page itself. */
  readonly misdeeds: string[];
  /** Opens another document in its place. */
  show(html: string): Promise<void>;
}

/** How a document is served: its header fields, and the files in its folder, by name. */
export interface Served {
  readonly headers?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
}

const contentTypes: Readonly<Record<string, string>> = { css: 'text/css', js: 'text/javascript' };

/** Opens a document. Every request but those for the document and its files is refused and recorded. */
export async function open(
  on: Browser,
  html: string,
  options: BrowserContextOptions = {},
  { headers = {}, files = {} }: Served = {},
): Promise<Opened> {
  const context = await on.newContext({ permissions: ['clipboard-read', 'clipboard-write'], ...options });
  context.setDefaultTimeout(longest);
  const misdeeds: string[] = [];
  let shown = html;
  await context.route('**/*', route => {
    const url = route.request().url();
    const name = url.slice(origin.length + 1);
    const contentType = contentTypes[name.split('.').at(-1) ?? ''] ?? 'text/html';
    const body = url === `${origin}/report.html` ? shown : files[name];
    if (body !== undefined)
      return route.fulfill({ headers: { ...headers, 'content-type': `${contentType}; charset=utf-8` }, body });
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
  const show = async (other: string): Promise<void> => {
    shown = other;
    await page.goto(`${origin}/report.html`);
  };
  await show(html);
  return { page, misdeeds, show };
}

/** Returns the objections of axe-core to a page, by all of its rules or by some. */
export async function objections({ page }: Opened, rules: readonly string[] = []): Promise<unknown> {
  await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  const options = rules.length === 0 ? {} : { runOnly: rules };
  return page.evaluate(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.slice(0, 3).map(node => node.html.slice(0, 200)) })))`);
}

/** Expects a whole page: one document without foreign elements or missing values, with unique ids and working links. */
export function expectWholePage(page: string): void {
  expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
  expect(page).toContain("default-src 'none'");
  expect(page).not.toMatch(/>(undefined|null|NaN)<|="(undefined|null|NaN)"|\[object Object\]/);
  expect(page).not.toMatch(/<(link|img|svg|iframe|object|embed|base|form)\b/);
  const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(match => match[1]);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  const links = [...page.matchAll(/\shref="#([^"]*)"/g)].map(match => match[1]);
  expect(links.filter(id => !ids.includes(id))).toEqual([]);
}
