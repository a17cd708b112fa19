import { describe, expect, it } from 'vitest';
import { reachOf } from './reach.ts';

const sources = {
  'checks/gates.ts':
    "import{probe}from'../generators/probe.ts';import{outside}from'../engine/x.ts';export const gates={run:()=>probe(outside)};",
  'checks/prompts.ts': "import{other}from'../generators/probe.ts';export const prompts={run:()=>other()};",
  'generators/probe.ts': 'const base=1;export function probe(x){return base+x}export function other(){return 2}',
  'rows/gates.ts':
    "import{refuses}from'../decorators/all.ts';const words=x=>x;export const rows=[{id:'first',decorator:refuses(words(1))},['second',2],['gates',words,[['inner',1],['other',2]],'also'],...many(3),...many(4)];",
  'decorators/all.ts': "export*from'./validation.ts';",
  'decorators/validation.ts': 'export const refuses=x=>x,forgives=y=>y;export const unused=0;',
};

type File = keyof typeof sources;

/** Returns the hash of what a root reaches, with a text of one file replaced. */
function hashOf(root: { file: File; row?: string }, file?: File, from = '', to = ''): string {
  const changed = Object.entries(sources).map(
    ([path, text]) => [path, path === file ? text.replace(from, to) : text] as const,
  );
  if (file !== undefined) expect(sources[file]).toContain(from);
  return reachOf(new Map(changed)).hash([root]);
}

describe('what a place reaches', () => {
  const gates = { file: 'checks/gates.ts' } as const;
  const row = { file: 'rows/gates.ts', row: 'first' } as const;

  it('changes with what it uses, however far away', () => {
    expect(hashOf(gates)).not.toBe(hashOf(gates, 'checks/gates.ts', '()=>', 'async()=>'));
    expect(hashOf(gates)).not.toBe(hashOf(gates, 'generators/probe.ts', 'base+x', 'base-x'));
    expect(hashOf(gates)).not.toBe(hashOf(gates, 'generators/probe.ts', 'base=1', 'base=2'));
    expect(hashOf(row)).not.toBe(hashOf(row, 'decorators/validation.ts', 'x=>x', 'x=>-x'));
    expect(hashOf(row)).not.toBe(hashOf(row, 'rows/gates.ts', 'words=x=>x', 'words=x=>-x'));
  });

  it('does not change with what others use', () => {
    expect(hashOf(gates)).toBe(hashOf(gates, 'checks/prompts.ts', 'other()', 'other(1)'));
    expect(hashOf(gates)).toBe(hashOf(gates, 'generators/probe.ts', 'return 2', 'return 3'));
    expect(hashOf(row)).toBe(hashOf(row, 'decorators/validation.ts', 'unused=0', 'unused=1'));
  });

  it('is of a table the row alone, and the computed rows where its id stands nowhere', () => {
    expect(hashOf(row)).not.toBe(hashOf(row, 'rows/gates.ts', 'words(1)', 'words(2)'));
    expect(hashOf(row)).toBe(hashOf(row, 'rows/gates.ts', "'second',2", "'second',3"));
    expect(hashOf(row)).toBe(hashOf(row, 'rows/gates.ts', 'many(3)', 'many(5)'));
    const computed = { file: 'rows/gates.ts', row: 'third' } as const;
    expect(hashOf(computed)).not.toBe(hashOf(computed, 'rows/gates.ts', 'many(3)', 'many(5)'));
    expect(hashOf(computed)).toBe(hashOf(computed, 'rows/gates.ts', "'second',2", "'second',3"));
  });

  it('knows a row that is a list by what stands first in it', () => {
    const listed = { file: 'rows/gates.ts', row: 'second' } as const;
    expect(hashOf(listed)).not.toBe(hashOf(listed, 'rows/gates.ts', "'second',2", "'second',3"));
    expect(hashOf(listed)).toBe(hashOf(listed, 'rows/gates.ts', 'words(1)', 'words(2)'));
  });

  it('is of a group its row, and what the group says of all its rows', () => {
    const inner = { file: 'rows/gates.ts', row: 'inner' } as const;
    expect(hashOf(inner)).not.toBe(hashOf(inner, 'rows/gates.ts', "'inner',1", "'inner',3"));
    expect(hashOf(inner)).not.toBe(hashOf(inner, 'rows/gates.ts', "['gates'", "['prompts'"));
    expect(hashOf(inner)).not.toBe(hashOf(inner, 'rows/gates.ts', "'also'", "'besides'"));
    expect(hashOf(inner)).not.toBe(hashOf(inner, 'rows/gates.ts', 'words=x=>x', 'words=x=>-x'));
    expect(hashOf(inner)).toBe(hashOf(inner, 'rows/gates.ts', "'other',2", "'other',3"));
  });

  it('is of sources that there are', () => {
    const reach = reachOf(new Map(Object.entries(sources)));
    expect(() => reach.hash([{ file: 'checks/lost.ts' }])).toThrow('no source checks/lost.ts');
    expect(reach.names(row)).toBe(true);
    expect(reach.names({ ...row, row: 'third' })).toBe(false);
  });

  it('is hashed together with a text', () => {
    const reach = reachOf(new Map(Object.entries(sources)));
    expect(reach.hash([gates], 'a')).not.toBe(reach.hash([gates], 'b'));
  });
});
