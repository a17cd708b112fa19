import { expect, test } from 'vitest';
import { withPlaceholders } from './queries.ts';

const around = (inner: string): string =>
  `SELECT * FROM (${inner}) AS source WHERE '{service_start_date}' <= '{service_end_date}'`;

test.each([
  ['ends anyhow', 'SELECT a AS b FROM t GROUP BY 1 LIMIT 10', 'SELECT a AS b FROM t GROUP BY 1 LIMIT 10'],
  ['ends with a semicolon', 'SELECT 1 ; ', 'SELECT 1'],
  ['ends with a semicolon and a comment', 'SELECT 1; -- note', 'SELECT 1'],
  ['ends with a comment', 'SELECT 1 -- where', 'SELECT 1 -- where\n'],
])('a query that %s stands whole within one with both placeholders', (_what, query, inner) => {
  expect(withPlaceholders(query)).toBe(around(inner));
});
