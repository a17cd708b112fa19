import { describe, expect, it } from 'vitest';
import { endpointIds, endpoints } from './endpoints.ts';
import { endpointsPage } from './endpoints-page.fixture.ts';
import { cell, table } from './markdown.ts';
import { fields } from './requirements/field-facts.ts';

const page = endpointsPage();

describe('the page of endpoints', () => {
  it('has a row and a chapter for each endpoint, with path and message', () => {
    for (const id of endpointIds) {
      const { method, path, message } = endpoints[id];
      const row = page.split('\n').find(line => line.includes(`[${id}](#${id})`)) ?? 'missing';
      expect(row).toContain(`| ${method} | \`${path}\` |`);
      expect(row).toContain(message ?? 'any text');
      expect(page).toContain(`\n### ${id}\n`);
    }
  });

  it('leads every link to a heading of its own', () => {
    const anchors = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading.toLowerCase());
    expect(new Set(anchors).size).toBe(anchors.length);
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor);
    expect(links.length).toBeGreaterThan(30);
    expect(links.filter(link => !anchors.includes(link ?? ''))).toEqual([]);
  });

  it('has a row for each field', () => {
    const rows =
      page
        .split('\n## Fields\n')[1]
        ?.split('\n')
        .filter(line => line.startsWith('| `')) ?? [];
    expect(rows.map(row => row.split('`')[1])).toEqual(fields.map(field => field.member));
  });

  it('shows constraints, choice and duties', () => {
    expect(page).toContain(
      '| `percentile` | a number from 0.001 to 0.999 |  | plain; beside `type=percentile` | not shown |  |',
    );
    expect(page).toContain(
      '| `all_columns` | a list (each item a text) | when `skip_validation` is `true` | capability; skip-validation;',
    );
    expect(page).toContain('| `team` | a text or null |  | reference (team); enterprise | a text or null |  |');
  });
});

describe('a Markdown table', () => {
  it('keeps each cell on its line and within its bars', () => {
    expect(cell('a|b\n c')).toBe('a\\|b c');
    expect(table(['x', 'y'], [['1|2', '3']])).toBe('| x | y |\n| --- | --- |\n| 1\\|2 | 3 |');
  });
});
