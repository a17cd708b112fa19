import { expect, test } from 'vitest';
import { documentHtml } from '../document/html.ts';
import { describeInBrowser, objections, open } from '../testing/browser.fixture.ts';
import { comparisons } from '../testing/examples.fixture.ts';
import { attacks } from '../testing/hostile.fixture.ts';
import { comparisonDocument } from './document.ts';

const pages = [comparisons.mixed, comparisons.hostile, comparisons.empty].map(one =>
  documentHtml(comparisonDocument(one)),
);

describeInBrowser('the page of a comparison in a browser', chromium => {
  test('shows what is hostile, and runs nothing of it', async () => {
    const { page, misdeeds } = await open(chromium(), documentHtml(comparisonDocument(comparisons.hostile)));
    expect(await page.evaluate('window.owned')).toBeUndefined();
    const text = (await page.locator('body').textContent()) ?? '';
    for (const attack of attacks) expect(text).toContain(attack.shown);
    expect(misdeeds).toEqual([]);
  });

  test.each(['light', 'dark'] as const)('has nothing that axe-core objects to when it is %s', async colorScheme => {
    for (const page of pages) {
      const opened = await open(chromium(), page, { colorScheme });
      expect(await objections(opened)).toEqual([]);
      await opened.page.context().close();
    }
  });

  test('does not scroll sideways on a phone', async () => {
    for (const document of pages) {
      const { page, misdeeds } = await open(chromium(), document, { viewport: { width: 360, height: 740 } });
      expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBeLessThanOrEqual(0);
      expect(misdeeds).toEqual([]);
      await page.context().close();
    }
  });
});
