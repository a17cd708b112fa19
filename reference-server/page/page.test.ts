import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser, longest, objections } from '../../reports/testing/browser.fixture.ts';
import { createReferenceServer } from '../index.ts';

/** Generous, so that a slow machine does not fail the tests. */
const eventually = { timeout: longest };

const attack = '"><img src=x onerror="window.owned = 1"><script>window.owned = 2</script>';
const apiKey = 'the-key-of-this-server';
const server = createReferenceServer({ sandboxes: true, apiKey });
const { url } = await server.listen();
afterAll(server.close);

const ask = (path: string, method = 'GET', body?: string, headers: Record<string, string> = {}) =>
  fetch(url + path, {
    method,
    headers: { 'SERVICE-API-KEY': apiKey, 'Content-Type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body }),
  });

/** The dark scheme only changes colours: these views show them all. */
const inTheDark: ReadonlySet<string> = new Set(['requests', 'state/changes', 'behaviours']);

const views = ['requests', 'refused', 'state', 'state/changes', 'snapshots', 'behaviours', 'clock', 'worlds'];

describeInBrowser('the page of the reference server', chromium => {
  let page: Page;
  const misdeeds: string[] = [];

  beforeAll(async () => {
    const gate = await server.control.state.get('gates', 'dark_mode');
    await server.control.state.put('gates', attack, { ...gate, id: attack, description: attack });
    await ask(`/console/v1/segments?${encodeURI(attack)}`, 'GET', undefined, {
      'User-Agent': attack,
      'X-Note': attack,
    });
    await ask('/console/v1/gates/dark_mode', 'PATCH', JSON.stringify({ description: 7, tags: [attack, 3] }));
    await ask(`/console/v1/gates/${encodeURIComponent(attack)}`, 'PATCH', JSON.stringify({ description: attack }));
    await ask(`/console/v1/${encodeURIComponent(attack)}`, 'DELETE');
    await server.control.snapshots.save('before');
    await ask('/console/v1/gates/dark_mode', 'PATCH', JSON.stringify({ description: `since ${attack}` }));
    await server.control.behaviours.add({ entity: attack, error: { status: 418, message: attack } });
    const context = await chromium().newContext({ viewport: { width: 1280, height: 900 }, colorScheme: 'light' });
    context.setDefaultTimeout(longest);
    page = await context.newPage();
    page.on('console', message => {
      // Chromium logs each refused answer as an error, and refusals are what these tests cause.
      if (/^Failed to load resource.* status of 4\d\d /.test(message.text())) return;
      if (['error', 'warning'].includes(message.type())) misdeeds.push(`console: ${message.text()}`);
    });
    page.on('pageerror', error => misdeeds.push(`error: ${error.message}`));
    page.on('dialog', dialog => {
      misdeeds.push(`dialog: ${dialog.message()}`);
      return dialog.dismiss();
    });
    page.on('request', request => {
      if (!request.url().startsWith(`${url}/`) && !/^(data|blob):/.test(request.url()))
        misdeeds.push(`request: ${request.url()}`);
      if (request.url().includes(apiKey)) misdeeds.push(`the key in a URL: ${request.url()}`);
    });
    await page.goto(`${url}/_reference/`);
  });
  afterAll(() => page?.context().close());

  const go = async (view: string): Promise<void> => {
    await page.evaluate(`location.hash = ${JSON.stringify(`#/${view}`)}`);
    await page.locator('main h2').first().waitFor();
  };
  const shown = (text: string | RegExp) => page.locator('main').getByText(text).first().waitFor();

  test('runs nothing of what clients sent, and shows it', async () => {
    await page.locator('.row').first().waitFor();
    for (const view of [...views, `state/gates/${encodeURIComponent(attack)}`]) {
      await go(view);
      await expect.poll(() => page.locator('main').textContent(), eventually).not.toBe('');
      const foreign = await page
        .locator('#page :is(script, img, svg, iframe, object, embed, style, link, base)')
        .count();
      expect([view, foreign]).toEqual([view, 0]);
    }
    await go('requests');
    await page.locator('.row', { hasText: 'DELETE' }).click();
    await shown('none of the API');
    await page.locator('.row', { hasText: 'must be a string' }).click();
    await shown('Why it was refused');
    // The text of the violated requirement.
    await shown('gate.description');
    await shown(/of at most 1000 characters/);
    expect(await page.locator('section[aria-label="Body of the request"]').textContent()).toContain(
      '<script>window.owned',
    );
    expect(await page.locator('section[aria-label="The request as a command"]').textContent()).toContain(
      `-H "SERVICE-API-KEY: $SERVICE_API_KEY"`,
    );
    expect(await page.evaluate('window.owned')).toBeUndefined();
    expect(misdeeds).toEqual([]);
  });

  test('shows a request as it is made, and sends it again as it was and edited', async () => {
    await go('requests');
    await ask('/console/v1/gates/dark_mode', 'PATCH', '{"description":"live"}');
    await page.getByLabel('Search').fill('"live"');
    await expect.poll(() => page.locator('.row').count(), eventually).toBe(1);
    await page.locator('.row').click();
    await page.getByText('Send it again').click();
    const form = page.locator('.request-form');
    await form.getByRole('button', { name: 'Send' }).click();
    await shown('Give the API key: the log does not keep it.');
    await form.getByLabel('API key of this world').fill(apiKey);
    await form.getByRole('button', { name: 'Send' }).click();
    await expect.poll(() => form.locator('.answer .status').textContent(), eventually).toBe('200');
    await form.getByRole('textbox', { name: 'Body' }).fill('{"description":8}');
    await form.getByRole('button', { name: 'Send' }).click();
    await expect.poll(() => form.locator('.answer .status').textContent(), eventually).toBe('400');
    const last = server.control.requests.list({ limit: 2 });
    expect(last.map(({ status, body }) => [status, body])).toEqual([
      [200, '{"description":"live"}'],
      [400, '{"description":8}'],
    ]);
    expect(misdeeds).toEqual([]);
  });

  test('edits the state, shows what has changed since a snapshot, and puts it back', async () => {
    await go('state/gates/dark_mode');
    const json = page.getByLabel('JSON');
    await expect.poll(() => json.inputValue(), eventually).toContain('"dark_mode"');
    const before = await json.inputValue();
    await json.fill('{"id": "dark_mode"');
    await page.getByRole('button', { name: 'Save' }).click();
    await shown(/This is no JSON/);
    await json.fill(before.replace(/"description": "[^\n]*"/, '"description": "edited"'));
    await page.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(async () => (await server.control.state.get('gates', 'dark_mode')).description, eventually)
      .toBe('edited');
    await go('state/changes');
    await expect.poll(() => page.locator('ins').first().textContent(), eventually).toContain('"edited"');
    await page.getByRole('button', { name: 'Put back dark_mode' }).click();
    await page.getByRole('button', { name: 'Really put back? dark_mode' }).click();
    await shown('Nothing differs.');
    expect((await server.control.state.get('gates', 'dark_mode')).description).not.toBe('edited');
    expect(misdeeds).toEqual([]);
  });

  test('saves, exports, imports and loads a snapshot', async () => {
    await go('snapshots');
    await page.getByLabel('Name').fill('by hand');
    await page.getByRole('button', { name: 'Save the present state' }).click();
    const card = page.locator('article', { hasText: 'by hand' });
    const download = page.waitForEvent('download');
    await card.getByRole('button', { name: 'Export' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('by hand.json');
    await card.getByRole('button', { name: 'Delete' }).click();
    await card.getByRole('button', { name: 'Really delete?' }).click();
    await card.waitFor({ state: 'detached' });
    await page.getByLabel('Import a file').setInputFiles(await file.path());
    await card.waitFor();
    await server.control.state.patch('gates', 'dark_mode', { description: 'overwritten' });
    await card.getByRole('button', { name: 'Load' }).click();
    await expect
      .poll(async () => (await server.control.state.get('gates', 'dark_mode')).description, eventually)
      .not.toBe('overwritten');
    expect(misdeeds).toEqual([]);
  });

  test('switches behaviours on and off, and stops the clock', async () => {
    await go('behaviours');
    await page.getByLabel('What', { exact: true }).selectOption('fault');
    const { id } = (await import('../index.ts')).faults.find(one => one.endpoints.includes('list-segments')) ?? {
      id: '',
    };
    await page.getByLabel('Search the catalogue').fill(id);
    await page.locator('.choice', { hasText: id }).first().click();
    await page.getByRole('button', { name: 'Add' }).click();
    await expect.poll(async () => (await server.control.behaviours.list()).at(-1)?.fault, eventually).toBe(id);
    const card = page.locator('article', { hasText: `fault ${id}` });
    await card.getByRole('switch').click();
    await expect.poll(async () => (await server.control.behaviours.list()).at(-1)?.on, eventually).toBe(false);
    await expect.poll(() => card.getByRole('switch').getAttribute('aria-checked'), eventually).toBe('false');
    await go('clock');
    await page.getByRole('button', { name: 'Stop it' }).click();
    await shown(/, stopped/);
    expect(await server.control.clock.read()).toMatchObject({ stopped: true });
    await page.getByRole('button', { name: 'Time of the server' }).click();
    expect(misdeeds).toEqual([]);
  });

  test('scripts what requests meet in turn, and refuses a line that is no step', async () => {
    await go('behaviours');
    await page.getByLabel('What', { exact: true }).selectOption('script');
    const steps = page.getByLabel('Steps, one a line');
    await steps.fill('503\nrael');
    await page.getByRole('button', { name: 'Add' }).click();
    await shown(/“rael” is no step/);
    await steps.fill('503 Retry-After: 1\nreal');
    await page.getByLabel('Operation', { exact: true }).selectOption('list-segments');
    await page.getByRole('button', { name: 'Add' }).click();
    await shown('answers in turn 503, real');
    const statuses = [];
    for (let sent = 0; sent < 3; sent += 1) statuses.push((await ask('/console/v1/segments')).status);
    expect(statuses).toEqual([503, 200, 200]);
    await go('requests');
    await shown(/^met \S+, 1 left$/);
    expect(misdeeds).toEqual([]);
  });

  test('finds requests by operation, says how many there were and how long each took, and obeys keys', async () => {
    for (let sent = 0; sent < 220; sent += 1) await (await ask('/console/v1/segments?limit=1')).arrayBuffer();
    await page.reload();
    await go('requests');
    await shown(/the last 200 of \d+ requests/);
    await page.getByLabel('Operation', { exact: true }).selectOption('patch-gate');
    await expect.poll(() => page.locator('.row').count(), eventually).toBe(0);
    await page.getByLabel('Operation', { exact: true }).selectOption('list-segments');
    await shown(/^\d+(\.\d+)? m?s$/);
    await page.locator('main').focus();
    const chosen = () => page.locator('.row[aria-current]').count();
    await page.keyboard.press('ArrowDown');
    await expect.poll(chosen, eventually).toBe(1);
    const first = page.url();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.url(), eventually).not.toBe(first);
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => page.url(), eventually).toBe(first);
    await page.locator('main').focus();
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.className')).toBe('one');
    await page.keyboard.press('/');
    await page.keyboard.type('nothing of that name');
    await expect.poll(() => page.locator('.row').count(), eventually).toBe(0);
    expect(misdeeds).toEqual([]);
  });

  test('looks at the world of a sandbox that it makes', async () => {
    await go('worlds');
    await page.getByRole('button', { name: 'New sandbox' }).click();
    await page.getByRole('button', { name: /^Look at it sandbox-/ }).click();
    await go('requests');
    await shown('Nobody has asked anything yet');
    await go('requests/new');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('.row', { hasText: '/console/v1/segments' }).waitFor();
    await page.getByLabel('World', { exact: true }).selectOption('default');
    expect(misdeeds).toEqual([]);
  });

  test('has nothing that axe-core objects to, be it light or dark, and never scrolls sideways on a phone', async () => {
    const opened = { page, misdeeds: [], show: async () => undefined };
    for (const view of [...views, 'state/gates/dark_mode', 'requests/new']) {
      await page.setViewportSize({ width: 1280, height: 900 });
      await go(view);
      await page.emulateMedia({ colorScheme: 'light' });
      expect([view, await objections(opened)]).toEqual([view, []]);
      if (inTheDark.has(view)) {
        await page.emulateMedia({ colorScheme: 'dark' });
        expect([view, await objections(opened, ['color-contrast'])]).toEqual([view, []]);
      }
      await page.setViewportSize({ width: 420, height: 740 });
      const over = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
      expect([view, over]).toEqual([view, 0]);
    }
  });

  test('lets its policy stop a script that got into it all the same', async () => {
    const injected = page.evaluate(`(() => {
      const script = document.createElement('script');
      script.textContent = 'window.owned = 3';
      document.body.append(script);
    })()`);
    await injected.catch(() => undefined);
    expect(await page.evaluate('window.owned')).toBeUndefined();
    expect(misdeeds.join()).toMatch(/script/i);
  });

  test('asks for the control key where the server has one, and keeps it in memory alone', async () => {
    const closed = createReferenceServer({ controlKey: 'c0ntrol-key' });
    try {
      const { url: there } = await closed.listen();
      const context = await chromium().newContext();
      context.setDefaultTimeout(longest);
      const other = await context.newPage();
      await other.goto(`${there}/_reference/#/clock`);
      for (const key of ['wrong', 'c0ntrol-key']) {
        await other.getByLabel('Control key').fill(key);
        await other.getByRole('button', { name: 'Look into it' }).click();
        await other.getByText(key === 'wrong' ? 'That was not the key.' : 'Stop it').waitFor();
      }
      expect(
        await other.evaluate('[location.href, document.cookie, localStorage.length, sessionStorage.length]'),
      ).toEqual([`${there}/_reference/#/clock`, '', 0, 0]);
      await context.close();
    } finally {
      await closed.close();
    }
  });
});
