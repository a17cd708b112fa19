import type { Report, RunVerdict } from '../../contracts/report/report.ts';
import { isCoverageShort } from '../../contracts/report/verdict.ts';
import { escapedHtml } from '../text/markup.ts';
import { safeText } from '../text/safe-text.ts';

/** The colours of verdicts. White text on each has a contrast of at least 4.5 to 1. The verdict is also in words. */
// biome-ignore format: a table
const colours = {
  'conformant':     '#1a6b3c',
  'non-conformant': '#b3261e',
  'incomplete':     '#5c5000',
} as const satisfies Record<RunVerdict, string>;

/** Height of the badge and size of its text, in pixels. */
const height = 20;
const size = 11;

/**
 * Advance widths of sans-serif characters, in pixels at the text size of the badge. Characters in no class are wide.
 */
// biome-ignore format: a table
const widths: readonly (readonly [RegExp, number])[] = [
  [/[ijl.,:;'|!]/u,                3.4],
  [/[frt()\-/ "\x5b\x5d·]/u,       4.6],
  [/[a-zA-Z0-9?+=~$#_^*<>&%@]/u,   7.2],
];

/** Longest label, in characters. */
const longestLabel = 60;

const widthOf = (text: string): number =>
  Math.ceil([...text].reduce((sum, one) => sum + (widths.find(([some]) => some.test(one))?.[1] ?? 11), 0));

/** Returns the text of a badge: the verdict and, for a whole run, its coverage. A part of a run is said to be one. */
export function badgeText({ verdict, coverage }: Pick<Report, 'verdict' | 'coverage'>): string {
  if (!coverage) return verdict;
  const least = isCoverageShort(coverage) ? ` of ${coverage.min}%` : '';
  return `${verdict} · ${coverage.partial ? 'in part' : `${coverage.percent.toFixed(1)}%${least}`}`;
}

/** Returns one half of a badge: a box with centred text, squeezed to fit because fonts differ in width. */
function half(text: string, left: number, width: number, colour: string): string {
  const length = width - 12;
  return [
    `<rect x="${left}" width="${width}" height="${height}" fill="${colour}"/>`,
    `<text x="${left + width / 2}" y="14" textLength="${length}" lengthAdjust="spacingAndGlyphs">${escapedHtml(text)}</text>`,
  ].join('\n    ');
}

/**
 * Returns a badge of a run as one SVG document that fetches nothing and runs nothing. Screen readers read its label and
 * text.
 */
export function badgeSvg(report: Pick<Report, 'verdict' | 'coverage'>, label: string): string {
  const text = badgeText(report);
  const isTooLittle =
    report.verdict === 'conformant' && report.coverage !== undefined && isCoverageShort(report.coverage);
  const shown = safeText(label.trim() === '' ? 'conformance' : label, longestLabel);
  const left = widthOf(shown) + 12;
  const right = widthOf(text) + 12;
  const title = escapedHtml(`${shown}: ${text}`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${height}" viewBox="0 0 ${left + right} ${height}" role="img" aria-label="${title}">
  <title>${title}</title>
  <clipPath id="round"><rect width="${left + right}" height="${height}" rx="3"/></clipPath>
  <g clip-path="url(#round)" fill="#ffffff" text-anchor="middle" font-family="Verdana, 'DejaVu Sans', Geneva, sans-serif" font-size="${size}">
    ${half(shown, 0, left, '#3d444d')}
    ${half(text, left, right, colours[isTooLittle ? 'incomplete' : report.verdict])}
  </g>
</svg>
`;
}
