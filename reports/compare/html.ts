import { tool } from '../../contracts/report/tool.ts';
import { htmlDocument, renderer } from '../html/document.ts';
import type { RunComparison } from './compare.ts';
import { comparisonView } from './html-view.ts';

/** The body of the page. */
const comparison = `
<a class="skip" href="#main">Skip to the results</a>
<header class="top verdict-<%= it.verdict.kind %>">
<%~ include('@verdict', { kicker: 'Conformance to the Console Management API specification, runs side by side, the oldest first', verdict: it.verdict }) %>
<% it.sentences.forEach(sentence => { %><p class="lead"><%= sentence %></p>
<% }) %></header>
<main id="main" tabindex="-1">
<section class="card" aria-labelledby="runs">
<h2 id="runs">Runs</h2>
<ul class="rows">
<% it.runs.forEach(run => { %><li><%~ include('@sign', run.mark) %><div><p><strong><%= run.letter %></strong> <%= run.mark.word %> <span class="data"><%= run.name %></span></p><p class="detail"><%= run.about %></p></div></li>
<% }) %></ul>
<% if (it.cautions.length > 0) { %><ul class="plain">
<% it.cautions.forEach(caution => { %><li class="notice-warning"><%= caution %></li>
<% }) %></ul><% } %>
</section>
<section class="card" aria-labelledby="matrix">
<h2 id="matrix">Endpoints and runs</h2>
<% if (it.rows.length + it.unchanged.length === 0) { %><p>No run tested an endpoint.</p><% } else { %><%~ include('@legend', it) %>
<% if (it.rows.length > 0) { %><%~ include('@runs', { runs: it.runs, rows: it.rows, label: 'Matrix of endpoints and runs' }) %><% } %>
<% if (it.unchanged.length > 0) { %><details<% if (it.rows.length === 0 && it.unchanged.length < 5) { %> open<% } %>><summary><%= it.unchangedTitle %></summary>
<%~ include('@runs', { runs: it.runs, rows: it.unchanged, label: 'Endpoints in which nothing differs' }) %></details><% } %>
<p class="detail numbers">The numbers: so many of the checks that apply have passed.</p><% } %>
</section>
<%~ include('@changes', { id: 'worse', title: 'Worse', groups: it.worse }) %>
<% if (it.lost.length > 0) { %><section class="part" aria-labelledby="lost">
<h2 id="lost">Verified before, and no more</h2>
<% it.lost.forEach(one => { %><article class="card"><h3><%= one.why %></h3>
<details<% if (one.requirements.length <= 12) { %> open<% } %>><summary><%= one.count %></summary><p class="tags"><% one.requirements.forEach(id => { %><span class="tag data"><%= id %></span> <% }) %></p></details></article>
<% }) %></section><% } %>
<%~ include('@changes', { id: 'better', title: 'Better', groups: it.better }) %>
<% if (it.observations.length > 0) { %><section class="part" aria-labelledby="observations">
<h2 id="observations">Observed differently</h2>
<p class="detail">The specification leaves it open: nothing of this is judged.</p>
<% it.observations.forEach(one => { %><details class="card"<% if (one.subjects.length < 5) { %> open<% } %>>
<summary><%~ include('@prose', { pieces: one.statement }) %> <span class="detail"><span class="data"><%= one.requirement %></span>, <%= one.subjects.length %></span></summary>
<% one.subjects.forEach(subject => { %><div class="finding"><p><span class="data"><%= subject.subject %></span> <span class="detail"><%= subject.where %></span></p>
<dl class="pairs course"><%~ include('@pairs', { pairs: subject.values }) %></dl></div>
<% }) %></details>
<% }) %></section><% } %>
</main>
<%~ include('@footer', { tool: it.tool, source: 'the reports of the runs' }) %>
`;

/** Endpoints with their verdicts in each run, in a box of its own that can be scrolled sideways. */
const runs = `<div class="wide" tabindex="0" role="region" aria-label="<%= it.label %>">
<table class="matrix of-runs">
<thead><tr><th scope="col">Endpoint</th><% it.runs.forEach(run => { %><th scope="col"><%= run.letter %></th><% }) %><th scope="col" class="changed">Changed</th></tr></thead>
<tbody>
<% it.rows.forEach(row => { %><tr><th scope="row"><span class="data"><%= row.endpoint %></span></th><% row.cells.forEach(cell => { %><td><span title="<%= cell.letter %>: <%= cell.mark.word %>"><%~ include('@sign-read', cell.mark) %></span> <span class="passed"><%= cell.passed %></span></td><% }) %><td class="changed"><% row.changed.forEach(one => { %><a href="<%= one.href %>"><%= one.text %><span class="unseen"> at <%= row.endpoint %></span></a> <% }) %></td></tr>
<% }) %></tbody>
</table>
</div>`;

/** The checks that got worse, or better, by root cause. */
const changes = `
<% if (it.groups.length > 0) { %><section class="part" aria-labelledby="<%= it.id %>">
<h2 id="<%= it.id %>"><%= it.title %></h2>
<% it.groups.forEach(group => { %><article class="card cause cause-<%= group.mark.kind %>" id="<%= group.anchor %>" tabindex="-1" aria-labelledby="<%= group.anchor %>-title">
<h3 id="<%= group.anchor %>-title"><%~ include('@sign-read', group.mark) %> <%~ include('@prose', { pieces: group.title }) %></h3>
<% group.requirements.forEach(one => { %><p class="detail"><span class="data strong"><%= one.id %></span><% if (one.about) { %>, <%= one.about %><% } %></p>
<% }) %><% group.checks.forEach(check => { %><div class="finding">
<p class="tally"><span class="data strong"><%= check.id %></span><% check.course.forEach(step => { %> <span class="count"><%= step.letter %><%~ include('@sign', step.mark) %><%= step.mark.word %></span><% }) %></p>
<% if (check.because) { %><p class="detail"><%= check.because %></p>
<% } %><% if (check.pairs.length > 0) { %><dl class="pairs"><%~ include('@pairs', check) %></dl>
<% } %></div>
<% }) %></article>
<% }) %></section><% } %>
`;

/** The templates of the page of a comparison. */
export const comparisonTemplates = { '@comparison': comparison, '@runs': runs, '@changes': changes } as const;

const render = renderer(comparisonTemplates);

/** Returns runs side by side as one HTML document that needs no other file, and no script. */
export function comparisonDocument(compared: RunComparison): string {
  const body = render('@comparison', { ...comparisonView(compared), tool: `${tool.name} ${tool.version}` });
  return htmlDocument({ title: 'Conformance runs compared', body });
}
