import { tool } from '../../contracts/report/tool.ts';
import { htmlDocument, renderer } from '../html/document.ts';
import { prose, titleProse } from '../html/prose.ts';
import { differingPart } from '../text/difference.ts';
import { indentedJson } from '../text/indented-json.ts';
import { counted } from '../text/page.ts';
import { safeText } from '../text/safe-text.ts';
import type { Entry, Example, Item, Matrix, Pair, Part, ReportDocument } from './document.ts';

/** The most that the page holds: of entries of a part, of their items, of lines of a body and of a list. */
const most = { entries: 300, whole: 60, items: 40, lines: 40, columns: 300, list: 200, tags: 12 } as const;

/** The body of the page. */
const page = `
<a class="skip" href="#main">Skip to the results</a>
<header class="top verdict-<%= it.verdict.kind %>">
<%~ include('@verdict', { kicker: it.kicker, verdict: it.verdict }) %>
<% it.sentences.forEach(sentence => { %><p class="lead"><%= sentence %></p>
<% }) %></header>
<main id="main" tabindex="-1">
<section class="card" aria-labelledby="sides">
<h2 id="sides"><%= it.sides %></h2>
<ul class="rows">
<% it.subjects.forEach(one => { %><li><%~ include('@sign', one.mark) %><div><p><strong><%= one.letter %></strong> <%= one.mark.word %> <span class="data"><%= one.name %></span></p><p class="detail"><%= one.about %></p><% one.files.forEach(file => { %><p class="detail data"><%= file %></p><% }) %></div></li>
<% }) %></ul>
<% if (it.cautions.length > 0) { %><ul class="plain">
<% it.cautions.forEach(caution => { %><li class="notice-warning"><%= caution %></li>
<% }) %></ul><% } %>
</section>
<% if (it.matrix) { %><%~ include('@of-subjects', { matrix: it.matrix, subjects: it.subjects }) %><% } %>
<% if (it.parts.length > 1) { %><nav class="contents" aria-label="Contents"><ul>
<% it.parts.forEach(part => { %><li><a href="#<%= part.id %>"><%= part.title %></a> <%= part.count %></li>
<% }) %></ul></nav><% } %>
<% it.parts.forEach(part => { %><section class="part" aria-labelledby="<%= part.id %>">
<h2 id="<%= part.id %>"><%= part.title %></h2>
<% if (part.note) { %><p class="detail"><%= part.note %></p><% } %>
<% part.entries.forEach(entry => { %><%~ include('@entry', entry) %><% }) %>
<% if (part.lines) { %><details class="card"<% if (part.count < 8) { %> open<% } %>><summary><%= part.count %></summary>
<ul class="seen">
<% part.lines.forEach(line => { %><li class="data"><%= line %></li>
<% }) %></ul></details><% } %>
<% if (part.more > 0) { %><p class="detail"><%= part.more %> more in <%= it.rest %>.</p><% } %>
</section>
<% }) %>
<% if (it.facts.length > 0) { %><section class="part" aria-labelledby="facts">
<h2 id="facts">About this report</h2>
<dl class="card pairs">
<%~ include('@pairs', { pairs: it.facts }) %></dl>
</section><% } %>
</main>
<%~ include('@footer', { tool: it.tool, source: it.source }) %>
`;

/** The matrix of endpoints and subjects; rows in which nothing differs are folded. */
const matrix = `<section class="card" aria-labelledby="matrix">
<h2 id="matrix"><%= it.matrix.title %></h2>
<% if (it.matrix.rows.length + it.matrix.same.length === 0) { %><p><%= it.matrix.empty %></p><% } else { %><%~ include('@legend', it.matrix) %>
<% if (it.matrix.rows.length > 0) { %><%~ include('@rows', { subjects: it.subjects, rows: it.matrix.rows, label: 'Matrix: ' + it.matrix.title }) %><% } %>
<% if (it.matrix.same.length > 0) { %><details<% if (it.matrix.rows.length === 0 && it.matrix.same.length < 5) { %> open<% } %>><summary><%= it.matrix.sameTitle %></summary>
<%~ include('@rows', { subjects: it.subjects, rows: it.matrix.same, label: 'Endpoints in which nothing differs' }) %></details><% } %>
<p class="detail numbers">The numbers: so many of the checks that apply have passed.</p><% } %>
</section>`;

/** Endpoints with their marks, in a box of its own that can be scrolled sideways. */
const rows = `<div class="wide" tabindex="0" role="region" aria-label="<%= it.label %>">
<table class="matrix of-runs">
<thead><tr><th scope="col">Endpoint</th><% it.subjects.forEach(one => { %><th scope="col"><%= one.letter %></th><% }) %><th scope="col" class="changed">Changed</th></tr></thead>
<tbody>
<% it.rows.forEach(row => { %><tr><th scope="row"><span class="data"><%= row.endpoint %></span></th><% row.cells.forEach(cell => { %><td><span title="<%= cell.mark.word %>"><%~ include('@sign-read', cell.mark) %></span> <span class="passed"><%= cell.note %></span></td><% }) %><td class="changed"><% row.links.forEach(one => { %><a href="#<%= one.anchor %>"><%= one.text %><span class="unseen"> at <%= row.endpoint %></span></a> <% }) %></td></tr>
<% }) %></tbody>
</table>
</div>`;

/** One entry: whose it is, where it shows with what each shows, and the smallest sequence with every answer. */
const entry = `<article class="card cause cause-<%= it.mark.kind %>" id="<%= it.anchor %>" tabindex="-1" aria-labelledby="<%= it.anchor %>-title">
<h3 id="<%= it.anchor %>-title"><%~ include('@sign-read', it.mark) %> <% if (it.id) { %><span class="data"><%= it.id %></span> <% } %><%~ include('@prose', { pieces: it.title }) %></h3>
<% if (it.known) { %><p><strong>Acknowledged</strong>: <%= it.known %></p>
<% } %><% if (it.remedy) { %><p><strong class="detail">→ <%= it.remedy %></strong></p>
<% } %><% if (it.label) { %><p class="detail"><%= it.label %></p>
<% } %><% it.clauses.forEach(one => { %><p><%~ include('@prose', { pieces: one.statement }) %> <span class="detail"><span class="data strong"><%= one.id %></span><% if (one.about) { %>, <%= one.about %><% } %></span></p>
<% }) %><% if (it.tags.length > 0) { %><% if (it.isLong) { %><details><summary><%= it.tags.length %></summary><% } %><p class="tags"><% it.tags.forEach(tag => { %><span class="tag data"><%= tag %></span> <% }) %></p><% if (it.isLong) { %></details><% } %>
<% } %><% it.items.forEach((item, index) => { %><% if (index === 3) { %><details><summary><%= it.others %></summary>
<% } %><%~ include('@item', item) %><% }) %><% if (it.items.length > 3) { %></details><% } %>
<% if (it.more > 0) { %><p class="detail"><%= it.more %> more places in the report as JSON.</p>
<% } %><% if (it.example) { %><%~ include('@example', { example: it.example, anchor: it.anchor, open: it.counts }) %><% } %>
<% if (it.command) { %><p class="detail">All of the evidence: <code><%= it.command %></code></p>
<% } %></article>
`;

/** Where an entry shows, and what each shows there. */
const item = `<div class="finding"><p><span class="data strong"><%= it.where %></span> <span class="detail"><%= it.note %></span></p>
<% if (it.because) { %><p class="detail"><%= it.because %></p>
<% } %><% if (it.pairs.length > 0) { %><dl class="pairs<% if (it.isNarrow) { %> course<% } %>"><%~ include('@pairs', it) %></dl>
<% } %></div>
`;

/** The requests, and the answers side by side. */
const example = `<details class="finding"<% if (it.open) { %> open<% } %>><summary><%= it.example.title %> <span class="detail"><%= it.example.count %></span></summary>
<div class="block">
<p class="detail data"><%= it.example.about %></p>
<ol class="timeline">
<% it.example.steps.forEach(step => { %><li value="<%= step.number %>">
<% step.rows.forEach(row => { %><div class="exchange"><% row.forEach(one => { %><div>
<h4><%= one.label %></h4>
<pre tabindex="0" role="group" aria-label="<%= it.anchor %>: <%= one.label %>"><strong><%= one.line %></strong><% one.lines.forEach(line => { %>
<%= line %><% }) %></pre>
</div><% }) %></div>
<% }) %></li>
<% }) %></ol>
</div></details>
`;

/** The templates of the page of any report that sets behaviours side by side. */
export const documentTemplates = {
  '@document': page,
  '@of-subjects': matrix,
  '@rows': rows,
  '@entry': entry,
  '@item': item,
  '@example': example,
} as const;

const render = renderer(documentTemplates);

/** Returns a report as one HTML document that needs no other file, and no script. */
export function documentHtml(document: ReportDocument): string {
  const view = {
    ...document,
    ...(document.matrix === undefined ? {} : { matrix: matrixView(document.matrix) }),
    parts: document.parts.map(partView),
    tool: `${tool.name} ${tool.version}`,
  };
  return htmlDocument({ title: document.title, body: render('@document', view) });
}

function matrixView({ rows: all, ...matrixOf }: Matrix) {
  const same = all.filter(({ isSame }) => isSame);
  const sameTitle = `${counted(same.length, 'endpoint')} unchanged`;
  return { ...matrixOf, rows: all.filter(({ isSame }) => !isSame), same, sameTitle };
}

const shortened = (text: string): string => safeText(text, most.columns);

const partView = ({ entries, lines, ...part }: Part) => ({
  ...part,
  count: entries.length + (lines?.length ?? 0),
  entries: entries.slice(0, most.entries).map(entryView),
  ...(lines === undefined ? {} : { lines: lines.slice(0, most.list).map(shortened) }),
  more: Math.max(0, lines === undefined ? entries.length - most.entries : lines.length - most.list),
});

const entryView = ({ title, clauses, items, example: sequence, tags, ...one }: Entry, index: number) => ({
  ...one,
  tags,
  isLong: tags.length > most.tags,
  title: titleProse(title),
  clauses: clauses.map(clause => ({ ...clause, statement: prose(clause.statement) })),
  items: items.slice(0, most.items).map(itemView),
  others: counted(items.length - 3, 'more place'),
  more: items.length - most.items,
  ...(sequence === undefined || index >= most.whole ? {} : { example: exampleView(sequence) }),
});

function itemView({ pairs, ...one }: Item) {
  const [first, second, ...others] = pairs;
  return {
    ...one,
    isNarrow: pairs.every(({ name }) => name.length < 3),
    pairs:
      first === undefined || second === undefined || others.length > 0
        ? pairs.map(pair => ({ ...pair, value: shortened(pair.value) }))
        : [markedIn(first, second), markedIn(second, first)],
  };
}

/** A value split around the part in which it differs from another one; unmarked where they have little in common. */
function markedIn({ name, value }: Pair, { value: other }: Pair) {
  const [own, another] = [shortened(value), shortened(other)];
  const part = differingPart(another, own);
  if (part === undefined) return { name, value: own };
  const characters = Array.from(own);
  const [before, odd, after] = [[0, part.from], [part.from, part.to], [part.to]].map(([from, to]) =>
    characters.slice(from, to).join(''),
  );
  return { name, value: own, marked: { before, odd, after } };
}

const exampleView = ({ title, about, steps }: Example) => ({
  title,
  about,
  count: counted(steps.length, 'request'),
  steps: steps.map(({ number, requests, answers }) => ({
    number,
    rows: [
      requests.map(({ to, method, path, body }) => ({
        label: to === '' ? 'Request to both' : `Request to ${to}`,
        line: `${method} ${path}`,
        lines: linesOf(body),
      })),
      answers.map(({ letter, head = 'It was not sent this request.', body }) => ({
        label: `${letter} answered`,
        line: head,
        lines: linesOf(body),
      })),
    ],
  })),
});

const linesOf = (body = ''): string[] => (body === '' ? [] : indentedJson(body, most.lines).map(shortened));
