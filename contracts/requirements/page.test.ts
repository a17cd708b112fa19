import { describe, expect, it } from 'vitest';
import { requirements, sections } from './index.ts';
import { requirementsPage } from './page.fixture.ts';

const lines = requirementsPage().split('\n');
const lineOf = (page: string, id: string): string =>
  page.split('\n').find(line => line.startsWith(`| \`${id}\` |`)) ?? 'missing';

describe('the page of requirements', () => {
  it('has one line for each row, below the heading of its section', () => {
    for (const row of requirements) {
      const at = lines.flatMap((line, index) => (line.startsWith(`| \`${row.id}\` | ${row.level} |`) ? [index] : []));
      expect(at, row.id).toHaveLength(1);
      const heading = lines.slice(0, at[0]).findLast(line => line.startsWith('## '));
      expect(heading?.split(' ')[1], row.id).toBe(row.section);
    }
  });

  it('keeps the order of the sections', () => {
    const headings = lines.filter(line => line.startsWith('## ')).map(line => line.split(' ')[1]);
    expect(headings).toEqual(sections.filter(section => headings.includes(section)));
  });

  it('says what verifies a row, why nothing does, or that it is open', () => {
    const page = requirementsPage(id => (id === 'state.neighbours' ? ['gate-state', 'config-state'] : []));
    expect(lineOf(page, 'state.neighbours')).toMatch(/ \| `gate-state`, `config-state` \|$/);
    expect(lineOf(page, 'meaning.analysis')).toMatch(/ \| not verifiable: Results of an analysis .* \|$/);
    expect(lineOf(page, 'open.error-body')).toMatch(/ \| observed, not judged \|$/);
    expect(lineOf(page, 'auth.bearer')).toMatch(/ \| all \| +\|$/);
  });

  it('names the standard that a row rests on beside the section', () => {
    expect(lineOf(requirementsPage(), 'auth.header-case')).toContain('(RFC 9110 §5.1)');
  });

  it('counts every row once', () => {
    const counted = lines.flatMap(line => /^\| (?:MUST|SHOULD|OPEN) \| (\d+) \|/.exec(line)?.[1] ?? []).map(Number);
    expect(counted).toHaveLength(3);
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(requirements.length);
  });
});
