import { expect, test } from 'vitest';
import type { DifferenceReport } from '../../contracts/report/difference.ts';
import { documentText } from '../document/terminal.ts';
import { differences } from '../testing/differences.fixture.ts';
import type { ReportDisplay } from '../text/page.ts';
import { differenceDocument } from './document.ts';

const differenceText = (report: DifferenceReport, display: ReportDisplay): string =>
  documentText(differenceDocument(report), display);

test('shows what counts whole, both answers side by side, and the rest a line each', () => {
  expect(differenceText(differences.mixed, { colour: false, columns: 100 })).toMatchSnapshot();
});

test('shows a drift of a recording, and what is acknowledged and stale', () => {
  expect(differenceText(differences.recording, { colour: false, columns: 100 })).toMatchSnapshot();
  expect(differenceText(differences.acknowledged, { colour: false, columns: 100 })).toMatchSnapshot();
});

test('says of two that are alike, and of a comparison that did not come to its end, that they are so', () => {
  expect(differenceText(differences.alike, { colour: false })).toMatch(
    /^✓ ALIKE {2}The two do not differ[\s\S]*exit code {4}0$/m,
  );
  expect(differenceText(differences.incomplete, { colour: false })).toMatch(
    /^◐ INCOMPLETE {2}B stopped answering[\s\S]*exit code {4}3$/m,
  );
});

test('is no wider than its display, and as long as it is asked to be', () => {
  for (const columns of [40, 80, 120]) {
    const text = differenceText(differences.mixed, { colour: false, columns });
    const long = text.split('\n').filter(line => line.length > columns && / {2,}\S.* \S/.test(line));
    expect(long.filter(line => !/npx conform|:\/\/|^console-|^ {4}requirement {2}\S+$/.test(line))).toEqual([]);
  }
  const blocks = (maxFailures?: number) =>
    differenceText(differences.many, { colour: false, ...(maxFailures === undefined ? {} : { maxFailures }) }).match(
      /^ {4}(?:whose|about)/gm,
    )?.length ?? 0;
  expect([blocks(0), blocks(3), blocks(), blocks(Number.POSITIVE_INFINITY)]).toEqual([0, 3, 10, 400]);
  expect(differenceText(differences.many, { colour: false })).toContain('and 382 more in difference.json');
});

test('has colours where they are wanted, and none elsewhere', () => {
  expect(differenceText(differences.mixed, { colour: true })).toContain('\u001b[31m');
  expect(differenceText(differences.mixed, { colour: false })).not.toContain('\u001b[');
});
