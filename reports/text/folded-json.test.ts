import { describe, expect, test } from 'vitest';
import { foldedJson } from './folded-json.ts';

const bounds = { lines: 4, columns: 60 };
const shown = (text: string, pointer: string) =>
  foldedJson(text, pointer, bounds)?.map(({ text: line, accused }) => `${accused ? '>' : ' '} ${line}`);

const gate = JSON.stringify({
  message: 'Gate updated successfully.',
  data: {
    id: 'a_gate',
    rules: Array.from({ length: 20 }, (_, index) => ({ name: `rule ${index}`, passPercentage: index })),
    tags: ['a', 'b'],
    owner: { ownerID: 'ada', ownerName: 'Ada Lovelace', ownerType: 'USER', ownerEmail: 'ada@example.test' },
    version: 7,
  },
});

describe('a body is folded around what is accused', () => {
  test('the accused value is shown as it was on the wire, the rest as its number and bytes', () => {
    expect(shown(gate, '/data/tags')).toEqual([
      '  {',
      '    "message": "Gate updated successfully.",',
      '    "data": {',
      '      … 2 more members, 778 bytes',
      '>     "tags": ["a","b"],',
      '      … 2 more members, 107 bytes',
      '    }',
      '  }',
    ]);
  });

  test('of a long list only the accused item is shown', () => {
    expect(shown(gate, '/data/rules/7/name')).toContain('        … 7 more');
    expect(shown(gate, '/data/rules/7/name')).toContain('>         "name": "rule 7",');
    expect(shown(gate, '/data/rules/7/name')).toContain('        … 12 more');
    expect(shown(gate, '/data/rules/*/name')).toContain('        … 19 more');
  });

  test('where a member is missing, the members that are there are shown', () => {
    expect(shown(gate, '/data/owner/name')).toEqual(
      expect.arrayContaining(['>     "owner": {', '>       "ownerID": "ada",', '>       "ownerType": "USER",']),
    );
  });

  test('a long text is cut and says how long it is', () => {
    const text = JSON.stringify({ description: 'a'.repeat(1001) });
    expect(shown(text, '/description')).toEqual([
      '  {',
      expect.stringMatching(/^> {3}"description": "a+…" \(1,001 characters\)$/),
      '  }',
    ]);
  });

  test('numbers stay as they were written', () => {
    expect(shown('{"a":1.0,"b":12345678901234567890}', '/b')).toContain('>   "b": 12345678901234567890');
  });

  test('a body that was cut off is shown as far as it goes', () => {
    expect(shown('{"a":1,"b":{"c":[1,', '/b/c')?.at(-1)).toContain('…');
  });

  test('a body that is no JSON is not folded', () => {
    expect(shown('<html>', '/a')).toBeUndefined();
  });

  test('no line is wider than the page', () => {
    for (const pointer of ['', '/data', '/data/rules', '/data/owner', '/message'])
      for (const { text } of foldedJson(gate, pointer, { lines: 4, columns: 40 }) ?? [])
        expect(text.replace(/… \(\d+ characters\)$/, '').length).toBeLessThanOrEqual(40);
  });
});
