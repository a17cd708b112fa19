import type { Reporter } from '../journal/reporter.ts';
import { pageOf } from './page.ts';

/** `report.html`: the report as one page to open in a browser. Nothing is written before the end of the run. */
export const html: Reporter = out => ({
  event() {},
  end(report) {
    out.write(pageOf(report));
  },
});
