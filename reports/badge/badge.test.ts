import { describe, expect, test } from 'vitest';
import { create } from 'xmlbuilder2';
import { examples } from '../testing/examples.fixture.ts';
import { reportOf, run } from '../testing/runs.fixture.ts';
import { badgeSvg, badgeText } from './badge.ts';

const green = reportOf(examples.green);

/** Returns the contrast of a colour with white, by WCAG 2.2. */
function contrastWithWhite(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}

describe('a badge', () => {
  test('says the verdict and the coverage of a whole run, to those who see it and to those who do not', () => {
    const svg = badgeSvg(green, 'Console API');
    expect(badgeText(green)).toBe(`conformant · ${green.coverage?.percent.toFixed(1)}%`);
    expect(svg).toContain(`<title>Console API: ${badgeText(green)}</title>`);
    expect(svg).toContain(`role="img" aria-label="Console API: ${badgeText(green)}"`);
  });

  test('of a part of a run tells no coverage', () => {
    expect(badgeText({ verdict: 'incomplete' })).toBe('incomplete');
    const short = reportOf(examples.short);
    expect(badgeText(short)).toMatch(/^conformant · \d+\.\d% of 90%$/);
    expect(badgeSvg(short, 'a')).toContain('#5c5000');
    const part = reportOf(run({}, { only: ['list-segments'] }, ['list-segments']));
    expect(part.coverage?.partial).toBe(true);
    expect(badgeText(part)).toBe('conformant · in part');
  });

  test('has another colour for each verdict, and its text can be read on each', () => {
    const colours = (['conformant', 'non-conformant', 'incomplete'] as const).map(
      verdict => [...badgeSvg({ verdict }, 'a').matchAll(/<rect [^>]*fill="(#[0-9a-f]{6})"/g)].at(-1)?.[1],
    );
    expect(new Set(colours).size).toBe(3);
    for (const colour of [...colours, '#3d444d']) expect(contrastWithWhite(colour ?? '')).toBeGreaterThan(4.5);
  });

  test.each([...Object.entries(examples)])(
    'of the run %s is one well-formed document that fetches nothing',
    (_, events) => {
      const svg = badgeSvg(reportOf(events), 'Console API');
      const root = create(svg).root().toObject() as { svg: object };
      expect(Object.keys(root)).toEqual(['svg']);
      expect(svg).not.toMatch(/<(script|style|image|use|foreignObject|a)\b|\bhref|@import|url\((?!#round\))/);
    },
  );

  test('shows a hostile label as text, and not all of a long one', () => {
    const svg = badgeSvg(green, `"><script>alert(1)</script>\u202e${'x'.repeat(500)}`);
    expect(svg).not.toContain('<script');
    expect(svg).toContain('&quot;&gt;&lt;script&gt;');
    expect(svg).toContain('\\u{202e}');
    expect(svg.length).toBeLessThan(3_000);
    create(svg);
  });
});
