import { expect, test } from 'vitest';
import { describeInBrowser, objections, open } from '../testing/browser.fixture.ts';
import { examples } from '../testing/examples.fixture.ts';
import { reportOf } from '../testing/runs.fixture.ts';
import { sitePages } from './view.ts';

const run = (name: 'green' | 'failing', startedAt: string) => ({
  source: `${name}.json`,
  report: { ...reportOf(examples[name]), startedAt },
});

describeInBrowser('the pages of many runs, in a browser', chromium => {
  test('have nothing that axe-core objects to, light or dark, and do not scroll sideways on a phone', async () => {
    const runs = [run('green', '2026-11-01T10:00:00.000Z'), run('failing', '2026-11-02T10:00:00.000Z')];
    const pages = sitePages('Console API', [{ name: 'gateway', runs }]);
    // The style is in a separate file; inlined, it can be viewed without a server.
    const whole = (name: string): string =>
      (pages.get(name) ?? '')
        .replace(/<meta http-equiv[^>]*>/, '')
        .replace('<link rel="stylesheet" href="style.css">', `<style>${pages.get('style.css')}</style>`);
    const opened = await open(chromium(), '');
    for (const name of ['index.html', 'gateway.html']) {
      await opened.show(whole(name));
      for (const colorScheme of ['light', 'dark'] as const) {
        await opened.page.emulateMedia({ colorScheme });
        expect([name, await objections(opened)]).toEqual([name, []]);
      }
      await opened.page.setViewportSize({ width: 360, height: 740 });
      const over = await opened.page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
      expect([name, Number(over) <= 0]).toEqual([name, true]);
      await opened.page.setViewportSize({ width: 1280, height: 800 });
    }
    expect(opened.misdeeds).toEqual([]);
    await opened.page.context().close();
  });
});
