import { documentHtml } from '../document/html.ts';
import { style } from '../document/style.ts';
import { hostRedactor, type Implementation, redactedView, toldOf } from './history.ts';
import { historyPage, indexPage } from './view.ts';

/**
 * Returns the files of a site over many runs, by name: `index.html` with the matrix of implementations and endpoints and
 * all drops, a page with the history of each implementation, and `style.css`. All that comes from a run is escaped; no
 * page needs a script or another place. Redacted, they name no host.
 */
export function sitePages(
  title: string,
  implementations: readonly Implementation[],
  isRedacted = false,
): ReadonlyMap<string, string> {
  const redact = isRedacted ? hostRedactor(implementations) : (text: string) => text;
  const told = toldOf(implementations.map(one => ({ ...one, name: redact(one.name) })));
  const pages = [
    { file: 'index.html', page: indexPage(title, told) },
    ...told.map(one => ({ file: one.file, page: historyPage(title, one) })),
  ];
  const html = pages.map(
    ({ file, page }) => [file, documentHtml(redactedView(page, redact), { style: 'style.css' })] as const,
  );
  return new Map([['style.css', style], ...html]);
}
