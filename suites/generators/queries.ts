import fc from 'fast-check';

/** A condition over the two placeholders of a query (section 2.6) that needs no column. */
const placeholders = "'{service_start_date}' <= '{service_end_date}'";

/**
 * Selects every column of another query, so that its tables and columns still exist. The other query may end with a
 * semicolon, with a comment, or with both.
 */
function around(query: string, name: string, condition: string): string {
  const inner = query.replace(/\s*;\s*(--[^\n]*)?$/, '').trimEnd();
  return `SELECT * FROM (${inner}${inner.includes('--') ? '\n' : ''}) AS ${name} WHERE ${condition}`;
}

/** Returns a query around one that a target accepts, with both placeholders of section 2.6. */
export const withPlaceholders = (query: string): string => around(query, 'source', placeholders);

/** Returns queries around one that a target accepts, each with a title. */
export const queriesAround = (query: string): readonly (readonly [title: string, query: string])[] => [
  ['its query within another', around(query, 'source', '1 = 1')],
  ['both placeholders', withPlaceholders(query)],
];

/** Draws random queries around one that a target accepts. Shrinks to the simplest. */
export function queryArbitrary(query: string): fc.Arbitrary<string> {
  const conditions = fc.constantFrom('1 = 1', placeholders, "'a,b' <> 'it''s'", '1 <= 2 AND NOT (2 < 1)');
  const layer = fc.tuple(fc.nat({ max: 999 }), conditions);
  return fc
    .array(layer, { minLength: 1, maxLength: 3 })
    .map(layers => layers.reduce((inner, [number, condition]) => around(inner, `source_${number}`, condition), query));
}
