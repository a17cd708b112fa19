import type { DifferenceReport } from '../../contracts/report/difference.ts';
import { tool } from '../../contracts/report/tool.ts';
import { htmlDocument, renderer } from '../html/document.ts';
import { differenceView } from './html-view.ts';

/** The body of the page. */
const difference = `
<a class="skip" href="#main">Skip to the results</a>
<header class="top verdict-<%= it.verdict.kind %>">
<%~ include('@verdict', { kicker: 'Two servers of the Console Management API side by side', verdict: it.verdict }) %>
<% it.sentences.forEach(sentence => { %><p class="lead"><%= sentence %></p>
<% }) %></header>
<main id="main" tabindex="-1">
<div class="sides">
<% it.sides.forEach(side => { %><section class="card" aria-labelledby="side-<%= side.letter %>">
<h2 id="side-<%= side.letter %>"><%= side.letter %></h2>
<p class="data"><%= side.about %></p>
<p class="detail"><%= side.outcome %><% if (side.because) { %>: <%= side.because %><% } %></p>
<% side.journals.forEach(journal => { %><p class="detail data"><%= journal %></p>
<% }) %></section>
<% }) %></div>
<% if (it.contents.length > 1) { %><nav class="contents" aria-label="Kinds of differences"><ul>
<% it.contents.forEach(one => { %><li><a href="<%= one.href %>"><%= one.title %></a> <%= one.count %></li>
<% }) %></ul></nav><% } %>
<% if (it.stale.length > 0) { %><section class="part" aria-labelledby="stale">
<h2 id="stale">Acknowledged, and no more</h2>
<ul class="card plain">
<% it.stale.forEach(one => { %><li class="notice-warning"><span class="data"><%= one.entry %></span> <%= one.why %> <strong class="detail">→ <%= one.remedy %></strong><span class="detail">Its reason was: <%= one.reason %></span></li>
<% }) %></ul>
</section><% } %>
<% it.parts.forEach(part => { %><section class="part" aria-labelledby="<%= part.id %>">
<h2 id="<%= part.id %>"><%= part.title %></h2>
<% part.entries.forEach(entry => { %><%~ include('@entry', entry) %><% }) %>
<% if (part.more > 0) { %><p class="detail"><%= part.more %> more in difference.json.</p><% } %>
</section>
<% }) %>
<% it.lists.forEach(list => { %><section class="part" aria-labelledby="<%= list.id %>">
<h2 id="<%= list.id %>"><%= list.title %></h2>
<details class="card"<% if (list.lines.length < 8) { %> open<% } %>><summary><%= list.lines.length + list.more %></summary>
<ul class="seen">
<% list.lines.forEach(line => { %><li class="data"><%= line %></li>
<% }) %></ul><% if (list.more > 0) { %><p class="detail"><%= list.more %> more in difference.json.</p><% } %></details>
</section>
<% }) %>
<section class="part" aria-labelledby="about">
<h2 id="about">About this comparison</h2>
<dl class="card pairs">
<%~ include('@pairs', { pairs: it.facts }) %></dl>
</section>
</main>
<%~ include('@footer', { tool: it.tool, source: 'the comparison of two runs' }) %>
`;

/** One difference: whose it is, where it shows with what each answers, and the smallest sequence with both answers. */
const entry = `<article class="card cause cause-<%= it.mark.kind %>" id="<%= it.id %>" tabindex="-1" aria-labelledby="<%= it.id %>-title">
<h3 id="<%= it.id %>-title"><%~ include('@sign-read', it.mark) %> <span class="data"><%= it.id %></span> <%~ include('@prose', { pieces: it.title }) %></h3>
<% if (it.acknowledged) { %><p><strong>Acknowledged</strong>: <%= it.acknowledged %></p>
<% } %><p class="detail"><%= it.label %></p>
<% it.requirements.forEach(one => { %><p><%~ include('@prose', { pieces: one.statement }) %> <span class="detail"><span class="data strong"><%= one.id %></span><% if (one.about) { %>, <%= one.about %><% } %></span></p>
<% }) %><p class="tags"><% it.endpoints.forEach(endpoint => { %><span class="tag data"><%= endpoint %></span> <% }) %></p>
<% it.places.forEach((place, index) => { %><% if (index === 3) { %><details><summary><%= it.places.length - 3 %> more places</summary>
<% } %><%~ include('@place', place) %><% }) %><% if (it.places.length > 3) { %></details><% } %>
<% if (it.more > 0) { %><p class="detail"><%= it.more %> more places in difference.json.</p>
<% } %><% if (it.example) { %><%~ include('@example', { example: it.example, id: it.id, open: it.open }) %><% } %>
<% if (it.command) { %><p class="detail">All of the evidence: <code><%= it.command %></code></p>
<% } %></article>
`;

/** Where a difference shows, and what each answers there. */
const place = `<div class="finding"><p><span class="data strong"><%= it.where %></span> <span class="detail"><%= it.times %></span></p>
<dl class="pairs course"><div><dt>A</dt><dd class="data"><%~ include('@marked-any', it.a) %></dd></div>
<div><dt>B</dt><dd class="data"><%~ include('@marked-any', it.b) %></dd></div></dl></div>
`;

/** A text whose differing part is marked, where it has one. */
const markedAny = `<%= it.before %><% if (it.odd) { %><mark><%= it.odd %></mark><% } %><%= it.after %>`;

/** The requests to both, and their answers in two columns. */
const example = `<details class="finding"<% if (it.open) { %> open<% } %>><summary><%= it.example.title %> <span class="detail"><%= it.example.count %></span></summary>
<div class="block">
<p class="detail data"><%= it.example.about %></p>
<ol class="timeline">
<% it.example.steps.forEach(step => { %><li value="<%= step.number %>">
<div class="exchange"><% step.requests.forEach(request => { %><%~ include('@said', { said: request, id: it.id }) %><% }) %></div>
<div class="exchange"><% step.answers.forEach(answer => { %><%~ include('@said', { said: answer, id: it.id }) %><% }) %></div>
</li>
<% }) %></ol>
</div></details>
`;

/** What was sent, or answered. */
const said = `<div>
<h4><%= it.said.label %></h4>
<pre tabindex="0" role="group" aria-label="<%= it.id %>: <%= it.said.label %>"><strong><%= it.said.line %></strong><% it.said.lines.forEach(line => { %>
<%= line %><% }) %></pre>
</div>`;

/** The templates of the page of two servers side by side. */
export const differenceTemplates = {
  '@difference': difference,
  '@entry': entry,
  '@place': place,
  '@marked-any': markedAny,
  '@example': example,
  '@said': said,
} as const;

const render = renderer(differenceTemplates);

/** Returns two servers side by side as one HTML document that needs no other file, and no script. */
export function differenceDocument(report: DifferenceReport): string {
  const body = render('@difference', { ...differenceView(report), tool: `${tool.name} ${tool.version}` });
  return htmlDocument({ title: 'Two servers side by side', body });
}
