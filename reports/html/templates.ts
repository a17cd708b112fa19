import { causeTemplates } from './cause-templates.ts';
import { coverageTemplates } from './coverage-templates.ts';

/** The body of the page. */
const page = `
<a class="skip" href="#main">Skip to the results</a>
<%~ include('@summary', it) %>
<nav class="contents" aria-label="Contents"><ul>
<% it.contents.forEach(one => { %><li><a href="#<%= one.anchor %>"><%= one.title %></a><% if (one.count) { %> <span class="detail"><%= one.count %></span><% } %></li>
<% }) %></ul></nav>
<main id="main" tabindex="-1">
<% if (it.traffic) { %><%~ include('@traffic', it.traffic) %><% } %>
<%~ include('@matrix', it) %>
<search class="filter" hidden data-filter>
<label>Search <input type="search" data-search autocomplete="off" spellcheck="false" placeholder="requirement, check, text"></label>
<label>Verdict <select data-verdicts><option value="">all</option><% it.legend.forEach(one => { %><option value="<%= one.kind %>"><%= one.word %></option><% }) %></select></label>
<label>Endpoint <select data-endpoint><option value="">all</option><% it.endpoints.forEach(id => { %><option value="<%= id %>"><%= id %></option><% }) %></select></label>
<button type="button" data-clear>Clear</button>
<p role="status" data-status></p>
</search>
<%~ include('@causes', { id: 'failures', title: 'Failures, one root cause at a time', causes: it.failures }) %>
<%~ include('@causes', { id: 'warnings', title: 'Warnings', causes: it.warnings }) %>
<%~ include('@untested', it) %>
<% if (it.tried) { %><%~ include('@tried', it.tried) %><% } %>
<%~ include('@requirements', it) %>
<%~ include('@rest', it) %>
</main>
<%~ include('@footer', { tool: it.tool, source: 'the journal of the run' }) %>
<p class="unseen" role="status" data-said></p>
`;

/** The head of the page: the verdict in words, what to do first, and the notices about the whole run. */
const summary = `
<header class="top verdict-<%= it.verdict.kind %>">
<%~ include('@verdict', { kicker: 'Conformance to the Console Management API specification', verdict: it.verdict, coverage: it.coverage }) %>
<p class="lead"><%= it.sentence %></p>
<dl class="figures">
<div><dt>Target</dt><dd class="data"><%= it.target %></dd></div>
<% it.figures.forEach(figure => { %><div><dt><%= figure.name %></dt><dd><%= figure.value %></dd></div>
<% }) %></dl>
</header>
<section class="card" aria-labelledby="first">
<h2 id="first">What to do first</h2>
<ol class="steps">
<% it.steps.forEach(step => { %><li><% if (step.href) { %><a href="<%= step.href %>"><%~ include('@prose', { pieces: step.what }) %></a><% } else { %><%~ include('@prose', { pieces: step.what }) %><% } %><% if (step.detail) { %><span class="detail"><%= step.detail %></span><% } %></li>
<% }) %></ol>
</section>
<% if (it.notices.length > 0) { %><section class="card" aria-labelledby="notices">
<h2 id="notices">Notices about the whole run</h2>
<ul class="plain">
<% it.notices.forEach(notice => { %><li class="notice-<%= notice.severity %>"><%= notice.text %><% if (notice.remedy) { %><span class="detail"><%= notice.remedy %></span><% } %></li>
<% }) %></ul>
</section><% } %>
`;

/** The two sides of judged traffic, how its exchanges add up, and what it used. */
const traffic = `
<section class="card" aria-labelledby="traffic">
<h2 id="traffic">Both sides of the traffic</h2>
<div class="sides">
<% it.columns.forEach(side => { %><div><h3><%~ include('@sign', side.mark) %><%= side.title %>: <%= side.mark.word %></h3>
<% if (side.causes.length > 0) { %><ul class="plain">
<% side.causes.forEach(cause => { %><li><a href="#<%= cause.anchor %>"><%= cause.id %></a> <%= cause.title %></li>
<% }) %></ul><% } else { %><p class="detail">Nothing of what was judged is broken.</p><% } %></div>
<% }) %></div>
<dl class="figures">
<%~ include('@pairs', { pairs: it.facts }) %></dl>
<% if (it.operations.length > 0) { %><div class="wide" tabindex="0" role="region" aria-label="Operations of the traffic">
<table><thead><tr><th scope="col">operation</th><th scope="col">requests</th><th scope="col">answers</th><th scope="col">fields never sent</th></tr></thead><tbody>
<% it.operations.forEach(one => { %><tr><th scope="row"><%= one.id %></th><td><%= one.requests %></td><td><%= one.statuses %></td><td><%= one.never %></td></tr>
<% }) %></tbody></table></div><% } %>
</section>
`;

/** The matrix endpoint × check, in a box of its own that can be scrolled sideways, and the legend of its signs. */
const matrix = `
<section class="card" aria-labelledby="matrix">
<h2 id="matrix">Endpoints and checks</h2>
<% if (it.matrix.rows.length === 0) { %><p>No endpoint was tested: the run planned no check.</p><% } else { %>
<%~ include('@legend', it) %>
<p class="cue detail">Scroll sideways for all checks →</p>
<div class="wide" tabindex="0" role="region" aria-label="Matrix of endpoints and checks">
<table class="matrix">
<thead><tr><th scope="col">Endpoint</th><th scope="col" class="passed">Passed</th><% it.matrix.columns.forEach(column => { %><th scope="col" class="turned" title="<%= column.title %>"><span><%= column.check %></span></th><% }) %></tr></thead>
<tbody>
<% it.matrix.rows.forEach(row => { %><tr><th scope="row"><%~ include('@sign-read', row.verdict) %> <span class="data"><%= row.endpoint %></span></th><td class="passed"><%= row.passed %></td><% row.cells.forEach(cell => { %><td><% if (cell === null) { %><span class="unseen">does not apply</span><% } else if (cell.href) { %><a href="<%= cell.href %>" title="<%= cell.id %>: <%= cell.mark.word %>"><%~ include('@sign', cell.mark) %><span class="unseen"><%= cell.id %>: <%= cell.mark.word %></span></a><% } else { %><span title="<%= cell.id %>: <%= cell.mark.word %>"><%~ include('@sign-read', cell.mark) %></span><% } %></td><% }) %></tr>
<% }) %></tbody>
</table>
</div>
<p class="detail">A sign that is a link leads to what was found, or to the reason why nothing could be. An empty place: the check does not apply to the endpoint.</p>
<% } %></section>
`;

/** The requirements by section of the specification, each with its verdict. */
const requirements = `
<section class="part" aria-labelledby="requirements">
<h2 id="requirements">Requirements by section of the specification</h2>
<% it.sections.forEach(section => { %><details class="card section" id="<%= section.anchor %>" data-group<% if (section.open) { %> open<% } %>>
<summary><span class="strong"><%= section.section %> <%= section.title %></span> <span class="tally"><% section.tally.forEach(one => { %><span class="count"><%~ include('@sign', one.mark) %><%= one.count %> <%= one.mark.word %></span> <% }) %></span></summary>
<ul class="rows">
<% section.rows.forEach(row => { %><li data-item data-verdict="<%= row.mark.kind %>" data-endpoints="<%= row.endpoints.join(' ') %>"><%~ include('@sign-read', row.mark) %><div><p><%~ include('@prose', { pieces: row.statement }) %></p><p class="detail"><% if (row.href) { %><a class="data" href="<%= row.href %>"><%= row.id %></a><% } else { %><span class="data"><%= row.id %></span><% } %>, <%= row.level %>, <%= row.mark.word %><% if (row.because) { %>: <%= row.because %><% } %></p><% if (row.remedy) { %><p class="detail">→ <%= row.remedy %></p><% } %></div></li>
<% }) %></ul>
</details>
<% }) %></section>
`;

/** Observations, what was left behind, what was not exercised, and the facts of the run. */
const rest = `
<% if (it.observations.length > 0) { %><section class="part" aria-labelledby="observations">
<h2 id="observations">What the specification leaves open, and what this server does</h2>
<p class="detail">Nothing of this is judged.</p>
<% it.observations.forEach(one => { %><details class="card" data-item data-verdict="open" data-endpoints="<%= one.endpoints.join(' ') %>"<% if (one.open) { %> open<% } %>>
<summary><%~ include('@sign-read', one.mark) %> <%~ include('@prose', { pieces: one.statement }) %></summary>
<p class="detail"><span class="data"><%= one.requirement %></span><% if (one.section) { %>, section <%= one.section %><% } %></p>
<ul class="seen">
<% one.seen.forEach(seen => { %><li><span class="data"><%= seen.text %></span> <span class="detail"><%= seen.where %></span></li>
<% }) %></ul>
</details>
<% }) %></section><% } %>
<section class="part" aria-labelledby="left-behind">
<h2 id="left-behind">What the run left behind</h2>
<% if (it.leftBehind.length === 0) { %><p class="card">Nothing that the API could not take away again.</p><% } %>
<%~ include('@lists', { lists: it.leftBehind }) %>
</section>
<% if (it.learned.length > 0) { %><section class="part" aria-labelledby="learned">
<h2 id="learned">Names that the target's answers taught</h2>
<p class="detail">Sent beside those of the target file; one that is refused is no defect.</p>
<%~ include('@lists', { lists: it.learned }) %>
</section><% } %>
<% if (it.notExercised.length > 0) { %><section class="part" aria-labelledby="not-exercised">
<h2 id="not-exercised">Fields that were not sent</h2>
<p class="detail">Each list says why; the checks went without them.</p>
<%~ include('@lists', { lists: it.notExercised }) %>
</section><% } %>
<section class="part" aria-labelledby="about">
<h2 id="about">About this run</h2>
<dl class="card pairs">
<%~ include('@pairs', { pairs: it.facts }) %></dl>
</section>
`;

/** Things that are listed together, each list folded. */
const lists = `<% it.lists.forEach(one => { %><details class="card" data-item data-verdict="" data-endpoints="">
<summary><%= one.title %><% if (one.detail) { %> <span class="data"><%= one.detail %></span><% } %> <span class="detail"><%= one.items.length + one.more %></span></summary>
<p class="tags"><% one.items.forEach(item => { %><span class="tag data"><%= item %></span> <% }) %><% if (one.more > 0) { %><span class="detail">and <%= one.more %> more</span><% } %></p>
</details>
<% }) %>`;

/** The templates of the page of a report. */
export const reportTemplates = {
  '@page': page,
  '@summary': summary,
  '@traffic': traffic,
  '@matrix': matrix,
  '@requirements': requirements,
  '@rest': rest,
  '@lists': lists,
  ...causeTemplates,
  ...coverageTemplates,
} as const;
