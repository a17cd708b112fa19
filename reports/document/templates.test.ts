import { expect, test } from 'vitest';
import { escapedHtml } from '../text/markup.ts';
import { renderer } from './frame.ts';
import { templates } from './templates.ts';

// biome-ignore format: a table
const values: readonly [what: string, value: unknown, markup: string][] = [
  ['markup',                   '<b a="1" c=\'2\'>&amp;</b>',   '&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;&lt;/b&gt;'],
  ['a terminal escape',        '\u001b[2J',                    '\\u{1b}[2J'],
  ['a right-to-left override', 'a\u202eb',                     'a\\u{202e}b'],
  ['a line end',               'a\nb',                         'a\\u{a}b'],
  ['a number',                 0,                              '0'],
  ['nothing',                  undefined,                      ''],
  ['null',                     null,                           ''],
  ['an object with a text',    { toString: () => '<i>' },      '&lt;i&gt;'],
];

test.each(values)('%s is shown harmlessly', (_what, value, markup) => {
  expect(escapedHtml(value)).toBe(markup);
  expect(renderer({ '@a': '<p title="<%= it.value %>"><%= it.value %></p>' })('@a', { value })).toBe(
    `<p title="${markup}">${markup}</p>`,
  );
});

test('a template sees nothing of what includes it', () => {
  const render = renderer({
    '@a': `<%~ include('@b', { own: it.b }) %>`,
    '@b': '<%= it.one %><%= it.other %>',
  });
  expect(render('@a', { other: 'of a', b: { one: 'of b' } })).toBe('of b');
});

test.each(Object.entries(templates))('template %s', (_name, template) => {
  // Raw output is for other templates only.
  const raw = [...template.matchAll(/<%[-_]?\s*~\s*(.{0,12})/gs)].map(([, after]) => after);
  expect(raw.filter(after => !after?.startsWith("include('@"))).toEqual([]);
  // Interpolations stand in text or between double quotes: escaping is safe only there.
  const outside = template.replace(/<%~.*?%>/gs, '').replace(/="[^"]*<%=(?:[^%]|%(?!>))*%>[^"]*"/g, '="…"');
  expect(outside.match(/=\s*'?<%=/g) ?? []).toEqual([]);
  expect(template).not.toMatch(/<(script|style)|\son[a-z]+=|\s(src|style)=|javascript:/i);
  // A link leads to a place of this page.
  for (const [, href] of template.matchAll(/href="([^"]*)"/g)) expect(href).toMatch(/^#|^<%= [a-z.]+\.href %>$/);
  for (const [, included] of template.matchAll(/include\('(@[a-z-]+)'/g))
    expect(Object.keys(templates)).toContain(included);
});
