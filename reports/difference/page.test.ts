import { expect, test } from 'vitest';
import { documentHtml } from '../document/html.ts';
import { describeInBrowser, objections, open } from '../testing/browser.fixture.ts';
import { differences } from '../testing/differences.fixture.ts';
import { attacks } from '../testing/hostile.fixture.ts';
import { differenceDocument } from './document.ts';

const unfold = "document.querySelectorAll('details').forEach(one => { one.open = true; })";

describeInBrowser('the page of two servers side by side, in a browser', chromium => {
  test('runs nothing of what is hostile, pleases axe-core light and dark, and does not scroll sideways on a phone', async () => {
    const opened = await open(chromium(), documentHtml(differenceDocument(differences.hostile)));
    await opened.page.evaluate(unfold);
    expect(await opened.page.evaluate('window.owned')).toBeUndefined();
    const text = (await opened.page.locator('body').textContent()) ?? '';
    for (const attack of attacks) expect(text).toContain(attack.shown);
    for (const name of ['hostile', 'acknowledged', 'incomplete'] as const) {
      await opened.show(documentHtml(differenceDocument(differences[name])));
      await opened.page.evaluate(unfold);
      await opened.page.emulateMedia({ colorScheme: 'light' });
      expect([name, await objections(opened)]).toEqual([name, []]);
      await opened.page.emulateMedia({ colorScheme: 'dark' });
      expect([name, await objections(opened, ['color-contrast'])]).toEqual([name, []]);
      await opened.page.setViewportSize({ width: 360, height: 740 });
      const wider = await opened.page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
      expect([name, Number(wider) <= 0]).toEqual([name, true]);
      await opened.page.setViewportSize({ width: 1280, height: 800 });
    }
    expect(opened.misdeeds).toEqual([]);
  });
});
