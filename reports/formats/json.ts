import type { Reporter } from '../journal/reporter.ts';

/** `report.json`: the folded report itself, indented, in the shape of its contract. */
export const json: Reporter = out => ({
  event() {},
  end(report) {
    out.write(`${JSON.stringify(report, null, 2)}\n`);
  },
});
